"""Post-randomisation: Markov matrices, draws from them, and estimates of the true frequencies.

Entry (k, l) of a Markov matrix P is the probability that category k is released as category l. If
t are the counts of the original, those of the release are Pᵀt in expectation (Kooiman, Willenborg
& Gouweleeuw 1997). P is *invariant* if Pᵀt = t: then they need no correction.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, UsageError
from discreet.microdata import Numbers
from discreet.microdata.hierarchy import text_of

TOLERANCE = 1e-6
"""How far the sum of a row may be from 1: people write 0.333333."""


@dataclass(frozen=True, eq=False)
class MarkovMatrix:
    """The probabilities with which categories (rows) are released as categories (columns).

    Categories are held as text, as in a plan. A released category may be a new one.

    >>> matrix = MarkovMatrix.from_mapping({"f": {"f": 0.9, "m": 0.1}, "m": {"m": 1}})
    >>> matrix.originals, matrix.released
    (('f', 'm'), ('f', 'm'))
    >>> matrix.probabilities
    array([[0.9, 0.1],
           [0. , 1. ]])
    """

    originals: tuple[str, ...]
    released: tuple[str, ...]
    probabilities: Numbers

    @classmethod
    def from_mapping(cls, rows: Mapping[Any, Any], name: str = "the Markov matrix") -> Self:
        """Make a matrix from the probabilities of each category; those left out are 0."""
        originals = tuple(text_of(category) for category in rows)
        released: dict[str, int] = {}
        for number, row in enumerate(rows.values(), start=1):
            if not isinstance(row, Mapping):
                raise UsageError(
                    f"{name} must give each category the categories that it may become, with "
                    f"their probabilities, but the category of row {number} has none"
                )
            for target in row:
                released.setdefault(text_of(target), len(released))
        probabilities = np.zeros((len(originals), len(released)))
        for k, row in enumerate(rows.values()):
            for target, chance in row.items():
                probabilities[k, released[text_of(target)]] = _chance(chance, k + 1, name)
        return cls(originals, tuple(released), _with_whole_rows(probabilities, name))

    @classmethod
    def from_file(cls, path: str | Path) -> Self:
        """Read a CSV file: released categories in the first row, then a row per category."""
        name = f"Markov matrix file {path}"
        try:
            with Path(path).open(encoding="utf-8-sig", newline="") as file:
                rows = [row for row in csv.reader(file) if row]
        except FileNotFoundError:
            raise UsageError(
                f"there is no {name}: relative paths start from the working directory"
            ) from None
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(
                f"{name} cannot be read as UTF-8 text ({type(error).__name__}); check the path, or "
                "save the file as UTF-8"
            ) from None
        if len(rows) < 2 or {len(row) for row in rows} != {len(rows[0])} or len(rows[0]) < 2:
            raise DataError(
                f"{name} must have the released categories in its first row after an empty cell, "
                "then a row per category with a probability for each of them, separated by commas"
            )
        targets = [target.strip() for target in rows[0][1:]]
        return cls.from_mapping(
            {row[0].strip(): dict(zip(targets, row[1:], strict=True)) for row in rows[1:]}, name
        )

    def mapping(self) -> dict[str, dict[str, float]]:
        """Return the probabilities that are not 0, as `from_mapping` takes them.

        >>> MarkovMatrix.from_mapping({"f": {"f": 0.9, "m": 0.1}, "m": {"m": 1}}).mapping()
        {'f': {'f': 0.9, 'm': 0.1}, 'm': {'m': 1.0}}
        """
        return {
            category: {
                target: chance
                for target, chance in zip(self.released, row.tolist(), strict=True)
                if chance
            }
            for category, row in zip(self.originals, self.probabilities, strict=True)
        }

    @property
    def diagonal(self) -> Numbers:
        """For each original category the probability that it stays as it is."""
        place = {category: j for j, category in enumerate(self.released)}
        return np.array(
            [
                self.probabilities[k, place[category]] if category in place else 0.0
                for k, category in enumerate(self.originals)
            ]
        )


def _chance(value: Any, number: int, name: str) -> float:
    """Return an entry; its row is named by number, since a category is a value of the data."""
    try:
        chance = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        chance = math.nan
    if not 0 <= chance <= 1:
        raise UsageError(
            f"the entries of {name} must be probabilities from 0 to 1, but row {number} has an "
            "entry that is not"
        )
    return chance


def _with_whole_rows(probabilities: Numbers, name: str) -> Numbers:
    sums = probabilities.sum(axis=1)
    for number, total in enumerate(sums.tolist(), start=1):
        if abs(total - 1) > TOLERANCE:
            raise UsageError(
                f"the probabilities of each row of {name} must add up to 1, but those of row "
                f"{number} add up to {total:g}"
            )
    return np.asarray(probabilities / sums[:, None])


def invariant_matrix(counts: NDArray[Any], stay: float) -> Numbers:
    """Return an invariant matrix whose least diagonal entry is `stay`.

    A value is kept, or else redrawn from the column's distribution t (as shares):
    P = (1 − θ)I + θ·1tᵀ, which is invariant for any θ. Its diagonal is 1 − θ(1 − t_k), least for
    the rarest category, so θ = (1 − stay)/(1 − min t). Categories without records stay.

    >>> invariant_matrix(np.array([60, 20, 20]), stay=0.6)
    array([[0.8, 0.1, 0.1],
           [0.3, 0.6, 0.1],
           [0.3, 0.1, 0.6]])
    """
    shares, theta = _shares_and_theta(counts, stay)
    matrix = (1 - theta) * np.eye(len(shares)) + theta * shares
    matrix[shares == 0] = np.eye(len(shares))[shares == 0]
    return np.asarray(matrix)


def _shares_and_theta(counts: NDArray[Any], stay: float) -> tuple[Numbers, float]:
    shares = np.asarray(counts / (counts.sum() or 1))
    present = shares[shares > 0]
    theta = 0.0 if len(present) < 2 else (1 - stay) / (1 - float(present.min()))
    return shares, theta


def draw_invariant(
    codes: NDArray[np.int64],
    stay: float,
    generator: np.random.Generator,
    counts: Numbers,
) -> NDArray[np.int64]:
    """Return codes drawn by the invariant matrix of the counts, or weighted counts, of a file.

    The matrix is not made: a column with many categories would have a large one.

    >>> draw_invariant(np.array([0, 0, 1, 1]), 0.0, np.random.default_rng(1), np.array([2.0, 2.0]))
    array([1, 1, 0, 0])
    """
    if not len(codes):
        return codes
    shares, theta = _shares_and_theta(counts, stay)
    kept = 1 - theta * (1 - shares)
    lots = generator.random(len(codes))
    moved = np.flatnonzero(lots >= kept[codes])
    before = codes[moved]
    below = np.cumsum(shares) - shares
    # The rest of the random number, scaled to the shares of the other categories, laid end to end.
    place = (lots[moved] - kept[before]) / (1 - kept[before]) * (1 - shares[before])
    place += np.where(place >= below[before], shares[before], 0)
    drawn = codes.copy()
    # Categories without records begin where the next one does: the last to begin there counts.
    drawn[moved] = np.searchsorted(below, place, side="right") - 1
    return drawn


def draw(
    rows: NDArray[np.int64], probabilities: Numbers, generator: np.random.Generator
) -> NDArray[np.int64]:
    """Return for each row number a column number, drawn by that row of a Markov matrix.

    >>> draw(np.array([0, 1]), np.array([[0.0, 1.0], [1.0, 0.0]]), np.random.default_rng(1))
    array([1, 0])
    """
    upper = np.cumsum(probabilities, axis=1)
    # The last possible column takes the rest that rounding left; an impossible one is never drawn.
    last = probabilities.shape[1] - 1 - np.argmax(probabilities[:, ::-1] > 0, axis=1)
    upper[np.arange(probabilities.shape[1]) >= last[:, None]] = 1.0
    ladder = (upper + np.arange(len(upper))[:, None]).ravel()
    drawn = np.searchsorted(ladder, rows + generator.random(len(rows)), side="right")
    return np.asarray(np.minimum(drawn - rows * probabilities.shape[1], last[rows]))


@dataclass(frozen=True, eq=False)
class Frequencies:
    """Estimated counts of the original by category, with their covariance matrix."""

    categories: tuple[str, ...]
    counts: Numbers
    covariance: Numbers

    @property
    def standard_errors(self) -> Numbers:
        """The standard error of each count, from the randomisation alone."""
        return np.asarray(np.sqrt(np.maximum(np.diag(self.covariance), 0)))


def true_frequencies(released: Mapping[Any, float], matrix: MarkovMatrix) -> Frequencies:
    """Estimate the counts of the original from those of a post-randomised file, without bias.

    t̂ = (Pᵀ)⁻¹T for the released counts T. Given t, the released counts have the covariance matrix
    V = diag(Pᵀt) − Pᵀ diag(t) P, so t̂ has (Pᵀ)⁻¹ V P⁻¹; with t̂ for t that is unbiased too. A
    matrix with more released than original categories is inverted by least squares.

    >>> matrix = MarkovMatrix.from_mapping({"f": {"f": 0.9, "m": 0.1}, "m": {"f": 0.2, "m": 0.8}})
    >>> estimate = true_frequencies({"f": 620, "m": 380}, matrix)
    >>> estimate.counts.round(6)
    array([600., 400.])
    >>> estimate.standard_errors.round(3)
    array([15.518, 15.518])
    """
    observed = {text_of(category): float(count) for category, count in released.items()}
    unknown = sorted(set(observed) - set(matrix.released))
    if unknown:
        raise DataError(
            f"the matrix releases {', '.join(matrix.released)}, but the file also has "
            f"'{unknown[0]}'; give the matrix that the file was made with"
        )
    transposed = matrix.probabilities.T
    if np.linalg.matrix_rank(transposed) < len(matrix.originals):
        raise DataError(
            "true frequencies need a matrix with independent rows: this one releases different "
            "categories in the same way, so they can no longer be distinguished"
        )
    counts = np.array([observed.get(category, 0.0) for category in matrix.released])
    inverse = np.linalg.pinv(transposed)
    estimate = inverse @ counts
    spread = _covariance(estimate, matrix.probabilities)
    return Frequencies(matrix.originals, estimate, inverse @ spread @ inverse.T)


def _covariance(counts: Numbers, probabilities: Numbers) -> Numbers:
    """Return the covariance matrix of the released counts, diag(Pᵀt) − Pᵀ diag(t) P."""
    drawn = probabilities.T * counts
    return np.asarray(np.diag(drawn.sum(axis=1)) - drawn @ probabilities)


def invariant_frequencies(released: Mapping[str, int], stay: float) -> Frequencies:
    """Return the released counts of a file treated by an invariant matrix, with their covariance.

    They are unbiased estimates of the original counts. The matrix, which was made from the original
    counts, is made from the released ones here.

    >>> invariant_frequencies({"f": 600, "m": 400}, stay=0.7).standard_errors.round(3)
    array([13.416, 13.416])
    """
    counts = np.array([*released.values()], dtype=np.float64)
    matrix = invariant_matrix(counts, stay)
    return Frequencies(tuple(released), counts, _covariance(counts, matrix))


def summed(parts: Sequence[Frequencies]) -> Frequencies:
    """Return the counts of several parts of a file together; they were drawn independently.

    >>> a = Frequencies(("f", "m"), np.array([3.0, 1.0]), np.eye(2))
    >>> b = Frequencies(("m",), np.array([5.0]), np.array([[2.0]]))
    >>> both = summed([a, b])
    >>> both.categories, both.counts, both.covariance.tolist()
    (('f', 'm'), array([3., 6.]), [[1.0, 0.0], [0.0, 3.0]])
    """
    categories = tuple(dict.fromkeys(c for part in parts for c in part.categories))
    counts, covariance = np.zeros(len(categories)), np.zeros((len(categories), len(categories)))
    for part in parts:
        at = [categories.index(category) for category in part.categories]
        counts[at] += part.counts
        covariance[np.ix_(at, at)] += part.covariance
    return Frequencies(categories, counts, covariance)
