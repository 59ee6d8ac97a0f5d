"""Drawing a column by its Markov matrices: those given, or the invariant one of its counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from discreet.contracts import Context, Passes
from discreet.contracts.passes import stretches
from discreet.errors import DataError, UsageError
from discreet.methods.perturbative.pram.markov import MarkovMatrix, draw, draw_invariant
from discreet.methods.perturbative.pram.matrix_by_stratum import ANY_STRATUM, Strata
from discreet.microdata import Attribute, Column, Kind, Microdata, Numbers
from discreet.microdata.decoding import Decoding
from discreet.microdata.hierarchy import text_of
from discreet.microdata.weights import weight_column

Generators = np.random.Generator | Iterable[tuple[slice, np.random.Generator]]


def matrix_of(name: str, given: dict[str, MarkovMatrix], stratum: str) -> MarkovMatrix:
    """Return the user's matrix of a column for a stratum."""
    if stratum == ANY_STRATUM and ANY_STRATUM not in given:
        raise UsageError(
            f"PRAM is given matrices per stratum for column '{name}', but no strata; name them "
            "with strata=[…]"
        )
    if not {ANY_STRATUM, stratum} & set(given):
        raise UsageError(
            f"PRAM is given matrices per stratum for column '{name}', but none for one of the "
            f"strata that occur (given: {', '.join(given)}); add it"
        )
    return given[ANY_STRATUM if ANY_STRATUM in given else stratum]


def by_matrices(
    column: Column,
    given: dict[str, MarkovMatrix],
    parts: Strata,
    generators: Generators,
    first: int = 0,
) -> Column:
    """Return the column drawn by the user's matrices, with new categories where they make some.

    One generator is for all rows, several are for a stretch of them each. `first` is the number of
    the first row in the file.
    """
    name = column.name
    known = {text_of(category): j for j, category in enumerate(column.attribute.categories)}
    categories = list(column.attribute.categories)
    for matrix in given.values():
        for target in matrix.released:
            if target not in known:
                if column.attribute.kind is Kind.ORDINAL:
                    raise UsageError(
                        f"the Markov matrix of the ordinal column '{name}' must release its own "
                        f"categories, but '{target}' has no place in their order"
                    )
                known[target] = len(categories)
                categories.append(target)
    values = column.values.copy()
    for stratum, rows in parts:
        matrix = matrix_of(name, given, stratum)
        present = rows[values[rows] >= 0]
        place = {category: k for k, category in enumerate(matrix.originals)}
        matrix_row = np.array([place.get(text, -1) for text in known], dtype=np.int64)
        lines = matrix_row[values[present]] if len(present) else np.zeros(0, dtype=np.int64)
        if (lines < 0).any():
            raise DataError(
                f"the Markov matrix of column '{name}' must have a row for every category that "
                f"occurs, but that of row {first + int(present[np.argmax(lines < 0)]) + 1} has "
                "none; add it, with probability 1 of itself if it is to stay"
            )
        codes = np.array([known[target] for target in matrix.released])
        if isinstance(generators, np.random.Generator):
            values[present] = codes[draw(lines, matrix.probabilities, generators)]
            continue
        for part, generator in generators:
            begin, end = np.searchsorted(present, [part.start, part.stop])
            drawn = draw(lines[begin:end], matrix.probabilities, generator)
            values[present[begin:end]] = codes[drawn]
    if len(categories) == len(column.attribute.categories):
        return column.with_values(values)
    decoding = possible(column.attribute, list(known), list(given.values()))
    return column.recoded(values, column.attribute.kind, categories, decoding)


def possible(scale: Attribute, released: list[str], matrices: list[MarkovMatrix]) -> Decoding:
    """Return what each released category means: itself, or for a new one what it is drawn from.

    The weights are the probabilities of being drawn from each original category.
    """
    place = {text_of(category): code for code, category in enumerate(scale.categories)}
    parts: list[dict[int, float]] = [{code: 1.0} for code in place.values()]
    for target in released[len(place) :]:
        drawn: dict[int, float] = {}
        for matrix in matrices:
            for text, chances in matrix.mapping().items():
                if target in chances and text in place:
                    drawn[place[text]] = drawn.get(place[text], 0.0) + chances[target]
        parts.append(drawn)
    return Decoding.of(
        scale,
        [[(code, code) for code in label] for label in parts],
        [list(label.values()) for label in parts],
    )


def counts_of(file: Passes, names: Sequence[str], weighted: bool) -> dict[str, Numbers]:
    """Return how many records have each category of each column; as many people, if weighted.

    >>> import discreet
    >>> from discreet.contracts import InMemory
    >>> data = discreet.read({"sex": ["f", "m", "m"], "w": [1.0, 3.0, 4.0]}, roles={"w": "weight"})
    >>> counts_of(InMemory(data), ["sex"], True), counts_of(InMemory(data), ["sex"], False)
    ({'sex': array([0.25, 1.75])}, {'sex': array([1., 2.])})
    """
    head = file.head
    weight = weight_column(head) if weighted else None
    largest = _largest_weight(file, weight) if weight else None
    counts = {name: np.zeros(len(head.schema[name].categories)) for name in names}
    read = [*names, *([weight] if weight and weight not in names else [])]
    for piece in file.pieces(read) if names else ():
        weights = None if largest is None else _positive(piece[str(weight)]) / largest
        for name, known in counts.items():
            present = piece[name] >= 0
            of_each = None if weights is None else weights[present]
            known += np.bincount(piece[name][present], of_each, len(known))
    return counts


def _positive(weights: Numbers) -> Numbers:
    """Return weights, 0 for a record that stands for nobody."""
    return np.where(np.isfinite(weights) & (weights > 0), weights, 0.0)


def _largest_weight(file: Passes, weight: str) -> float | None:
    """Return the largest weight of a file; None where all records count the same."""
    ends = [
        (float(w.min()), float(w.max()))
        for w in (_positive(piece[weight]) for piece in file.pieces([weight]))
    ]
    least = min((low for low, _ in ends), default=0.0)
    largest = max((high for _, high in ends), default=0.0)
    return None if least == largest else largest


def on_lonely(name: str, values: int) -> list[str]:
    """Return the note on values that no other category could replace."""
    if not values:
        return []
    where = f"{values} values of column '{name}' lie where only one category occurs"
    return [f"{where}, and stay as they are"]


@dataclass(frozen=True, eq=False)
class Redrawn:
    """The matrices of each column, given or by the counts of the file, for any rows of it."""

    names: tuple[str, ...]
    given: Mapping[str, dict[str, MarkovMatrix]]
    counts: Mapping[str, Numbers]
    stay: float

    def __call__(self, rows: Microdata, context: Context, first: int) -> list[Column]:
        """Return the redrawn columns of some rows."""
        return [self._column(rows.column(name), context, first) for name in self.names]

    def _column(self, column: Column, context: Context, first: int) -> Column:
        if column.name in self.given:
            return by_matrices(
                column,
                self.given[column.name],
                [(ANY_STRATUM, np.arange(len(column.values)))],
                stretches(context, f"draw {column.name}", first, len(column.values)),
                first,
            )
        values = column.values.copy()
        counts = self.counts[column.name]
        if np.count_nonzero(counts) > 1:
            for part, generator in stretches(context, f"draw {column.name}", first, len(values)):
                part_values = values[part]
                present = part_values >= 0
                part_values[present] = draw_invariant(
                    part_values[present], self.stay, generator, counts
                )
        return column.with_values(values)
