"""A column at every level of its hierarchy, dictionary-encoded.

A record has the number of its value among the distinct values of the column, and each level maps
these numbers to label numbers. Level 0 is the column as it is. A missing value keeps a place of its
own up to the last level, where all records, it included, have the one label: otherwise a file with
missing values could not always be made k-anonymous.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import MISSING_CODE, Column, Kind
from discreet.microdata.dates import date_texts
from discreet.microdata.decoding import Decoding
from discreet.microdata.hierarchy import Hierarchy, text_of
from discreet.microdata.labels import KnownLabels, read_hierarchy

Labels = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Levels:
    """The labels of a column by level, and the loss of each.

    `values` has the value number of every record, the highest one for missing where something is
    missing. `codes[n, v]` is the label number of value v at level n and `labels[n]` are the texts
    (none at level 0), `decodings[n]` their meaning. `loss[n, v]` is what a cell loses there
    (Iyengar 2002): the share of the column's other values that it can no longer be distinguished
    from, from 0 for the value itself to 1 at the top. A missing cell loses 1 at the top and nothing
    before. `unit` is what a column of dates counts (dates.py), None for others.
    """

    column: Column
    values: NDArray[np.int32]
    codes: NDArray[np.int32]
    labels: tuple[Labels, ...]
    loss: NDArray[np.float64]
    decodings: tuple[Decoding, ...]
    unit: str | None = None

    @property
    def height(self) -> int:
        """The number of the top level."""
        return len(self.codes) - 1

    @property
    def counts(self) -> list[int]:
        """How many labels each level has, missing among them."""
        return [int(row.max(initial=-1)) + 1 for row in self.codes]

    @property
    def known(self) -> KnownLabels:
        """What the labels of all levels mean."""
        return KnownLabels.of_levels(self.column.attribute, self.labels, self.decodings)

    def restricted(self, kept: Sequence[int]) -> Levels:
        """Return the column with only some of its levels."""
        at = np.array(kept)
        return replace(
            self,
            codes=self.codes[at],
            labels=tuple(self.labels[n] for n in kept),
            loss=self.loss[at],
            decodings=tuple(self.decodings[n] for n in kept),
        )

    def recoded(self, level: int, suppressed: NDArray[np.bool_] | None = None) -> Column:
        """Return the column at a level; suppressed records have no value.

        Where the labels are in the order of an ordered column's values, the outcome is ordinal,
        otherwise nominal. At level 0 the values stay what they were.
        """
        column = self.column
        if not self.labels[level]:
            if suppressed is None or not suppressed.any():
                return column
            nothing = np.nan if column.attribute.continuous else MISSING_CODE
            return column.with_values(np.where(suppressed, nothing, column.values))
        texts, codes, decoding = self.labels[level], self.codes[level], self.decodings[level]
        order = _in_order(codes, len(texts)) if column.attribute.kind is not Kind.NOMINAL else None
        kind = Kind.NOMINAL if order is None else Kind.ORDINAL
        if order is not None:
            place = np.argsort(order)
            texts, decoding = tuple(texts[i] for i in order), decoding.take(order)
            codes = np.append(place, np.arange(len(place), codes.max(initial=0) + 1))[codes]
        codes = np.where(codes < len(texts), codes, MISSING_CODE).astype(np.int32)
        released = codes.take(self.values) if len(self.values) else self.values
        if suppressed is not None:
            released = np.where(suppressed, MISSING_CODE, released)
        return column.recoded(released, kind, texts, decoding)


def _in_order(codes: NDArray[np.int32], count: int) -> NDArray[np.int64] | None:
    """Return the labels in the order of their values; None if a label's values lie apart."""
    present = codes[codes < count]
    runs = present[np.flatnonzero(np.diff(present, prepend=-1))]
    return runs.astype(np.int64) if len(runs) == len(np.unique(runs)) == count else None


def encoded(column: Column) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return the distinct values in their order, and the number of each record's.

    >>> import discreet
    >>> encoded(discreet.read({"age": [40, None, 21]}).column("age"))
    (array([21., 40.]), array([1, 2, 0], dtype=int32))
    """
    if column.attribute.continuous:
        distinct, numbers = np.unique(column.values, return_inverse=True)  # NaN is the last
        distinct = distinct[~np.isnan(distinct)]
        return distinct, numbers.astype(np.int32)
    count = len(column.attribute.categories)
    seen = np.zeros(count + 1, dtype=bool)
    seen[column.values] = True  # the code −1 of a missing value is the last place
    place = (np.cumsum(seen) - 1).astype(np.int32)
    return np.flatnonzero(seen[:-1]).astype(np.float64), place[column.values]


def value_texts(
    column: Column, distinct: NDArray[np.float64], unit: str | None = None
) -> list[str]:
    """Return distinct values of a column as texts; `unit` is what dates count.

    >>> import discreet
    >>> value_texts(discreet.read({"town": ["Bron", "Ayle"]}).column("town"), np.array([0.0, 1.0]))
    ['Ayle', 'Bron']
    """
    if not column.attribute.continuous:
        return [text_of(column.attribute.categories[int(v)]) for v in distinct]
    return [text_of(v) for v in distinct.tolist()] if unit is None else date_texts(distinct, unit)


def leveled(
    column: Column,
    numbers: NDArray[np.int32],
    codes: Sequence[NDArray[np.integer]],
    labels: Sequence[Sequence[str]],
    decodings: Sequence[Decoding],
    sizes: Sequence[NDArray[np.integer]] | None = None,
    unit: str | None = None,
) -> Levels:
    """Return the levels of a column from the label of each value at level 1, 2, … to the top.

    `decodings` says what the labels mean. `sizes` says how many values of the whole hierarchy
    each label has below it; without it, the values of the file are counted. `unit` is what a
    column of dates counts.
    """
    count = len(codes[0])
    some_missing = bool(len(numbers)) and int(numbers.max()) == count
    rows = [np.arange(count + some_missing, dtype=np.int32)]
    losses = [np.zeros(count + some_missing)]
    texts: list[Labels] = [()]
    meanings = [Decoding.of(column.attribute, [])]
    for n, level in enumerate(codes):
        used, compact = np.unique(level, return_inverse=True)
        below = np.bincount(compact) if sizes is None else sizes[n][used]
        all_of_them = count if sizes is None else int(sizes[n].sum())
        loss = (below[compact] - 1) / max(1, all_of_them - 1)
        if some_missing:
            top = n == len(codes) - 1
            compact = np.append(compact, 0 if top else len(used))
            loss = np.append(loss, 1.0 if top else 0.0)
        rows.append(compact.astype(np.int32))
        losses.append(loss)
        texts.append(tuple(labels[n][i] for i in used.tolist()))
        meanings.append(decodings[n].take(used))
    if not texts[-1]:
        # All values are missing; at the top they have its label like any other.
        texts[-1] = tuple(labels[-1][:1])
        meanings[-1] = decodings[-1]
    return Levels(
        column, numbers, np.array(rows), tuple(texts), np.array(losses), tuple(meanings), unit
    )


def decoded_by_values(
    column: Column, distinct: NDArray[np.float64], level: NDArray[np.integer], labels: int
) -> Decoding:
    """Return what the labels of a level mean: the values of the file that have them."""
    order = np.argsort(level, kind="stable")
    starts = np.searchsorted(level[order], np.arange(labels + 1))
    return Decoding.sets(column.attribute, starts, distinct[order])


def from_hierarchy(column: Column, hierarchy: Hierarchy, unit: str | None = None) -> Levels:
    """Return the levels that a hierarchy gives; every value of the column must be in it.

    >>> import discreet
    >>> town = discreet.read({"town": ["Ayle", "Cull", "Ayle"]}).column("town")
    >>> towns = Hierarchy([("Ayle", "coast"), ("Bron", "coast"), ("Cull", "hills")])
    >>> from_hierarchy(town, towns).loss
    array([[0. , 0. ],
           [0.5, 0. ],
           [1. , 1. ]])
    """
    distinct, numbers = encoded(column)
    at = hierarchy.positions(value_texts(column, distinct, unit))
    sizes = [np.bincount(row) for row in hierarchy.codes[1:]]
    codes = list(hierarchy.codes[1:, at])
    decodings = read_hierarchy(hierarchy, column.attribute, unit)
    return leveled(column, numbers, codes, hierarchy.labels[1:], decodings[1:], sizes, unit)
