"""Comparing by the distribution of the differences between a person and the released record.

Numeric columns are taken together: c(i, j) = ½ (yᵢ − xⱼ)ᵀ Σ⁻¹ (yᵢ − xⱼ), where Σ are the second
moments of the differences among pairs that are known to belong together. Other columns add what
those pairs teach about them (`discreet.measures.linkage.lessons`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.measures.linkage.cells import Cells, Matrix, NumberCells, Rows, cells, summed
from discreet.measures.linkage.lessons import Lesson, learned
from discreet.measures.linkage.scanning import Compare
from discreet.microdata import Kind, Microdata, Numbers

MOST_PAIRS = 100_000
"""The most known pairs to learn from; more would not change an attack noticeably."""


@dataclass(frozen=True, eq=False)
class KnownPairs:
    """Some released records, or records like them, and the person to whom each belongs."""

    released: Microdata
    rows: Rows
    origin: Rows

    @classmethod
    def all_of(cls, released: Microdata, origin: Rows) -> KnownPairs:
        """Return the pairs of all records of a table, or of enough of them to learn from."""
        some = at_most(len(released))
        if len(some) == len(released):
            return cls(released, some, origin)
        return cls(released.take(some), np.arange(len(some)), origin[some])

    def lesson(self, original: Microdata, names: Sequence[str]) -> Lesson:
        """Return them as the intruder sees them, numbers as ranks."""
        whole = np.zeros(len(self.released), dtype=np.int64)
        whole[self.rows] = self.origin
        return Lesson(
            cells(original, self.released, names, whole, ranks=True), self.rows, self.origin
        )


def at_most(pairs: int) -> Rows:
    """Return which of this many known pairs are learned from, spread evenly over all of them.

    >>> at_most(3)
    array([0, 1, 2])
    """
    if pairs <= MOST_PAIRS:
        return np.arange(pairs)
    return np.linspace(0, pairs - 1, MOST_PAIRS).astype(np.int64)


class Differing:
    """The columns of a release and those of the people, to be compared by their differences.

    Columns that are numeric throughout, in the release and in all known pairs, are taken together;
    numbers in the others are treated as ranks.
    """

    def __init__(
        self,
        original: Microdata,
        released: Microdata,
        names: Sequence[str],
        origin: Rows,
        pairs: Sequence[KnownPairs],
    ) -> None:
        self.original = original
        self.released = released
        ordered = [n for n in names if original.schema[n].kind is not Kind.NOMINAL]
        numbers = cells(original, released, ordered, origin)
        self.together = [
            c for c in numbers if isinstance(c, NumberCells) and _is_plain(c, pairs, original)
        ]
        joint = [c.name for c in self.together]
        self.names = [name for name in names if name not in joint]
        self.others = cells(original, released, self.names, origin, ranks=True)

    def learned(self, pairs: Sequence[KnownPairs], generator: np.random.Generator) -> Compare:
        """Return the cost of each pair of a released record and a person, by known pairs."""
        rest = learned(self.others, [self._lesson(p) for p in pairs], generator)
        together, people = self.together, len(self.original)
        root = inverse_root(np.vstack([self._differences(p) for p in pairs]))

        def costs(rows: Rows, originals: Rows | slice) -> Matrix:
            total = summed((r.looked_up(rows, originals) for r in rest), rows, originals, people)
            if not together:
                return total
            # Transformed here, not all at once, which would take a second copy of all records.
            located = np.column_stack([c.masked.at(rows)[0] for c in together]) @ root
            known = np.column_stack([c.people.at(originals)[0] for c in together]) @ root
            total += _half_squares(located, known)
            return total

        return costs

    def _lesson(self, pairs: KnownPairs) -> Lesson:
        if pairs.released is self.released:
            return Lesson(self.others, pairs.rows, pairs.origin)
        return pairs.lesson(self.original, self.names)

    def _differences(self, pairs: KnownPairs) -> Numbers:
        """Return how far apart the numbers of known pairs are, in deviations of the column."""
        parts = [
            pairs.released[c.name][pairs.rows] / _spread(self.original, c.name)
            - c.people.at(pairs.origin)[0]
            for c in self.together
        ]
        return np.column_stack(parts) if parts else np.zeros((0, 0))


def _is_plain(column: Cells, pairs: Sequence[KnownPairs], original: Microdata) -> bool:
    """Whether all values of a column are released as numbers, none missing."""
    if not isinstance(column, NumberCells) or not column.plain:
        return False
    if np.isnan(column.people.low).any():
        return False
    return all(
        column.name in p.released.schema
        and p.released.schema[column.name].kind is original.schema[column.name].kind
        and not p.released.column(column.name).missing.any()
        for p in pairs
    )


def _spread(original: Microdata, name: str) -> float:
    return float(np.asarray(original[name], dtype=np.float64).std()) or 1.0


def _half_squares(released: Numbers, people: Numbers) -> Matrix:
    from scipy.spatial.distance import cdist

    squares = cdist(released, people, "sqeuclidean")
    squares *= 0.5
    return squares.astype(np.float32)


def inverse_root(differences: Numbers) -> Numbers:
    """Return W with W Wᵀ = Σ⁻¹, so that ½ ‖dW‖² is minus a log-likelihood.

    >>> w = inverse_root(np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, 0.0], [0.0, -2.0]]))
    >>> np.abs(np.diag(w)).round(3).tolist()
    [1.414, 0.707]
    """
    if not differences.size:
        return np.zeros((differences.shape[1], differences.shape[1]))
    moments = differences.T @ differences / len(differences)
    values, vectors = np.linalg.eigh(moments)
    # A column that never differs would have an infinite weight.
    floor = max(float(values.max()), 1e-12) * 1e-9
    return np.asarray((vectors / np.sqrt(np.maximum(values, floor))) @ vectors.T)
