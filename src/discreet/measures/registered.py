"""A register and a release: which people of a population each released record could be.

A released cell stands for a set of values (`discreet.microdata.decoded`), so a person could be a
record if every one of the person's values is in the set of its cell. Labels of one column whose
sets have no value in common form a *layer*: within a layer a value has one label, and people and
records are joined by labels. Exact values are one layer; the levels of a hierarchy are a few; a
suppressed cell could be anybody's and is ignored.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, UsageError
from discreet.microdata import Column, Kind, Microdata, Numbers
from discreet.microdata.decoded import Decoded, DecodedColumn
from discreet.microdata.equivalence import LARGEST, classes
from discreet.microdata.hierarchy import Hierarchy, text_of

Rows = NDArray[np.int64]
Ends = tuple[float, float]
ANYBODY, EXACT = -1, 0
"""The layers of cells that say nothing, and of those that are one value; labels follow."""
NOBODY = -1
MISSING = -np.inf
"""The number of a missing value, in a register as in a release."""


@dataclass(frozen=True, eq=False)
class ColumnLayers:
    """One column: the people's values, and for each released record its layer and its label.

    `low` and `high` are the ends of the parts of labels, `label` the label of each part, and
    `layer_of` the layer of each label.
    """

    people: Numbers
    layer: Rows
    label: Rows
    low: Numbers
    high: Numbers
    part_label: Rows
    layer_of: Rows

    def labels_of_people(self, layer: int) -> Rows:
        """Return for each person the label that stands for the value; −1 where none does."""
        parts = np.flatnonzero(self.layer_of[self.part_label] == layer)
        parts = parts[np.argsort(self.low[parts], kind="stable")]
        at = np.searchsorted(self.low[parts], self.people, side="right") - 1
        inside = (at >= 0) & (self.people <= np.append(self.high[parts], -np.inf)[at])
        # A missing value is below all ends, and has a part of its own.
        return np.where(inside, np.append(self.part_label[parts], NOBODY)[at], NOBODY)


@dataclass(frozen=True, eq=False)
class Candidates:
    """The people of a register that each class of released records could be.

    `class_of` has the class of each released record, `people` how many persons share each
    combination of values that occurs in the register, `combination_of` that of each person.

    >>> import discreet
    >>> data = discreet.read({"age": [31, 34], "sex": ["f", "m"]},
    ...                      roles={"age": "quasi-identifier", "sex": "quasi-identifier"})
    >>> released = discreet.read({"age": ["30–39", "30–39"], "sex": ["f", None]},
    ...                          roles={"age": "quasi-identifier", "sex": "quasi-identifier"})
    >>> register = {"age": [31, 34, 38, 52], "sex": ["f", "m", "f", "f"]}
    >>> candidates = Candidates.of(register, data, released, np.arange(2))
    >>> candidates.counts[candidates.class_of]
    array([2, 3])
    """

    class_of: Rows
    first: Rows
    people: Rows
    columns: tuple[ColumnLayers, ...]
    combination_of: Rows

    @classmethod
    def of(
        cls,
        register: Any,
        original: Microdata,
        released: Microdata,
        origin: Rows | None,
        hierarchies: Mapping[str, Hierarchy] | None = None,
    ) -> Candidates:
        """Compare a release with a register, by the quasi-identifiers that the register has.

        A label stands for the categories of the file that it covers. The hierarchies that it is
        from say which categories it covers that only people outside of the file have.
        """
        names = [name for name in original.quasi_identifiers if name in released.schema]
        table = _population(register, original, names)
        known = [name for name in names if name in table.schema]
        labels = classes(table, known)
        cells, persons = np.unique(labels, return_index=True)
        view = Decoded(original, released, known, origin)
        columns = tuple(
            _layers(
                view[name],
                _as_numbers(table.column(name), original.column(name))[persons],
                _covered_elsewhere(
                    (hierarchies or {}).get(name),
                    released.schema[name].categories,
                    _elsewhere(table.column(name), original.column(name)),
                ),
            )
            for name in known
            if not view[name].lost
        )
        known_labels = [np.where(c.layer == ANYBODY, NOBODY, c.label) for c in columns]
        class_of = _alike(known_labels, len(released))
        first = np.unique(class_of, return_index=True)[1]
        return cls(class_of, first, np.bincount(labels, minlength=len(cells)), columns, labels)

    @property
    def counts(self) -> Rows:
        """For each class how many people of the register it could be."""
        counts = np.zeros(len(self.first), dtype=np.int64)
        for people, matched in self._matched():
            np.add.at(counts, matched, self.people[people])
        return counts

    def summed(self, shares: Numbers) -> tuple[Numbers, Rows]:
        """Return for each combination of values the sum of what its classes give, and its people.

        `shares` is what each class gives every person that it could be.
        """
        sums = np.zeros(len(self.people))
        for people, matched in self._matched():
            np.add.at(sums, people, shares[matched])
        return sums, self.people

    def _matched(self) -> Iterator[tuple[Rows, Rows]]:
        """Yield pairs of combinations of values and of classes that they could belong to."""
        label_of = lru_cache(maxsize=32)(lambda c, layer: self.columns[c].labels_of_people(layer))
        layers = np.array([c.layer[self.first] for c in self.columns]).reshape(-1, len(self.first))
        patterns, pattern = np.unique(layers, axis=1, return_inverse=True)
        for number in range(patterns.shape[1]):
            of_pattern = np.flatnonzero(pattern.ravel() == number)
            people = np.arange(len(self.people))
            of_people, of_classes = (
                np.zeros(len(people), np.int64),
                np.zeros(len(of_pattern), np.int64),
            )
            space = 1
            for c, column in enumerate(self.columns):
                layer = int(patterns[c, number])
                if layer == ANYBODY:
                    continue
                labels = label_of(c, layer)[people]
                people, of_people = people[labels != NOBODY], of_people[labels != NOBODY]
                if space * len(column.layer_of) > LARGEST:
                    of_people, of_classes, space = _renumbered(of_people, of_classes)
                space *= len(column.layer_of)
                of_people = of_people * len(column.layer_of) + labels[labels != NOBODY]
                of_classes = (
                    of_classes * len(column.layer_of) + column.label[self.first[of_pattern]]
                )
            order = np.argsort(of_classes, kind="stable")
            at = np.searchsorted(of_classes[order], of_people)
            registered = np.append(of_classes[order], -1)[at] == of_people
            yield people[registered], of_pattern[order][at[registered]]


def _alike(columns: Sequence[Rows], rows: int) -> Rows:
    """Return a class for each record: those that agree in all columns."""
    alike = np.zeros(rows, dtype=np.int64)
    for column in columns:
        alike = np.unique(
            alike * (int(column.max(initial=0)) + 2) + column + 1, return_inverse=True
        )[1]
    return alike


def _renumbered(of_people: Rows, of_classes: Rows) -> tuple[Rows, Rows, int]:
    values, numbers = np.unique(np.append(of_people, of_classes), return_inverse=True)
    return numbers[: len(of_people)], numbers[len(of_people) :], len(values)


def _population(register: Any, original: Microdata, names: Sequence[str]) -> Microdata:
    """Return the register's columns of these names, with the kinds that the file has."""
    from discreet.io.frames import column_names, from_native

    if isinstance(register, Microdata):
        register = register.frame()
    register_columns = list(register) if isinstance(register, dict) else column_names(register)
    known = [name for name in names if name in register_columns]
    if not known:
        raise UsageError(
            "a register must have at least one quasi-identifier under the name that it has in the "
            "file, but it has none"
        )
    kinds = {
        name: Kind.CONTINUOUS if original.schema[name].continuous else Kind.NOMINAL
        for name in known
    }
    try:
        table = from_native(register, kinds=kinds)
    except DataError as error:
        raise DataError(f"the register cannot be used: {error}") from None
    if not len(table):
        raise DataError("a register must have people, but it has none; check the file")
    return Microdata([table.column(name) for name in known])


def _as_numbers(column: Column, original: Column) -> Numbers:
    """Return the values of a register as numbers, or as codes of the file's categories.

    The categories that the file does not have follow its own.
    """
    if original.attribute.continuous:
        return np.where(column.missing, MISSING, column.values)
    place = {text_of(c): code for code, c in enumerate(original.attribute.categories)}
    place |= _elsewhere(column, original)
    codes = [place[text_of(c)] for c in column.attribute.categories]
    return np.asarray(np.array([*codes, MISSING])[column.values], dtype=np.float64)


def _elsewhere(column: Column, original: Column) -> dict[str, int]:
    """Return the categories that only a register has, with the codes that they get."""
    file_categories = {text_of(c) for c in original.attribute.categories}
    others = dict.fromkeys(text_of(c) for c in column.attribute.categories)
    return {
        text: len(file_categories) + i
        for i, text in enumerate(o for o in others if o not in file_categories)
    }


def _covered_elsewhere(
    hierarchy: Hierarchy | None, labels: Sequence[Any], elsewhere: Mapping[str, int]
) -> list[tuple[int, int]]:
    """Return pairs of a released label and a category of people outside that it covers."""
    if hierarchy is None:
        return []
    place = {text_of(label): i for i, label in enumerate(labels)}
    met = [category for category in elsewhere if category in hierarchy.categories]
    return [
        (place[label], elsewhere[category])
        for level in range(1, hierarchy.height)
        for category, label in zip(met, hierarchy.level(met, level), strict=True)
        if label in place
    ]


def _layers(
    column: DecodedColumn, people: Numbers, further: Sequence[tuple[int, int]] = ()
) -> ColumnLayers:
    gone = np.asarray(column.unknown | (column.missing & column.suppressed))
    if column.decoding is None:
        exact = np.where(column.missing, MISSING, column.values.astype(np.float64))
        values, label = np.unique(exact, return_inverse=True)
        low = high = values
        part_label = np.arange(len(values))
        layer_of = np.full(len(values), EXACT)
    else:
        decoding = column.decoding
        missing = len(decoding)
        label = np.where(column.values < 0, missing, column.values).astype(np.int64)
        codes = [code for _, code in further]
        low, high = (
            np.concatenate([np.where(decoding.missing, MISSING, ends), [MISSING], codes])
            for ends in (decoding.low, decoding.high)
        )
        # An open end below reaches every number, but not a missing value.
        low[(low == -np.inf) & (high > -np.inf)] = np.finfo(np.float64).min
        part_label = np.concatenate([decoding.label, [missing], [n for n, _ in further]])
        part_label = part_label.astype(np.int64)
        layer_of = _disjoint(low, high, part_label, missing + 1)
    return ColumnLayers(
        people, np.where(gone, ANYBODY, layer_of[label]), label, low, high, part_label, layer_of
    )


def _disjoint(low: Numbers, high: Numbers, part_label: Rows, labels: int) -> Rows:
    """Return a layer for each label, so that the labels of a layer have no value in common."""
    parts: list[list[Ends]] = [[] for _ in range(labels)]
    for label, ends in zip(part_label.tolist(), zip(low, high, strict=True), strict=True):
        parts[label].append(ends)
    layers: list[list[Ends]] = []
    layer_of = np.zeros(labels, dtype=np.int64)
    # Narrow labels first: those of one level of a hierarchy come together.
    widths = [max((b - a for a, b in p if a > MISSING), default=0.0) + len(p) for p in parts]
    for label in np.argsort(widths, kind="stable").tolist():
        free = (
            n for n, taken in enumerate(layers) if not any(_meets(taken, p) for p in parts[label])
        )
        number = next(free, len(layers))
        if number == len(layers):
            layers.append([])
        for part in parts[label]:
            insort(layers[number], part)
        layer_of[label] = EXACT + 1 + number
    return layer_of


def _meets(taken: list[Ends], part: Ends) -> bool:
    """Whether a part has a value in common with one of those taken, which are in order."""
    after = bisect_left(taken, part)
    before = after > 0 and taken[after - 1][1] >= part[0]
    return before or (after < len(taken) and taken[after][0] <= part[1])
