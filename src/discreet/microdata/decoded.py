"""The decoded view: what an analyst, or an intruder, makes of a release.

Every released cell denotes a set S of values of the original, known to anybody who has the
release and its documentation:

- a value on the original scale denotes itself;
- a label of a hierarchy, an interval, a range or a concatenation denotes what its decoding says
  (`Decoding`), or what can be read from its text where there is none (`read_labels`);
- nothing is known about a missing cell, unless the original is missing there too: then nothing was
  lost, and it stays missing;
- nothing is known about a column that is not released, or that says nothing about any record: it
  is *lost*.

Two forms are made of it. The *expected* form is for squared and absolute losses: the middle of S,
or the share of each category. The *drawn* form is for distributions, models and analyses: values
drawn uniformly from S, and where nothing is known from the released values of the column; a lost
column stays missing. A release that is the original decodes to itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.microdata.arrays import Numbers
from discreet.microdata.dates import step_of, unit_of
from discreet.microdata.decoding import Decoding
from discreet.microdata.hierarchy import text_of
from discreet.microdata.labels import read_labels
from discreet.microdata.numeric_coding import holds_whole_numbers
from discreet.microdata.schema import Attribute, Kind
from discreet.microdata.table import MISSING_CODE, Column, Microdata

DRAWS = 5
"""Draws of a decoded release; figures are averaged over them."""

Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class DecodedColumn:
    """One released column on the scale of its original.

    Without a decoding `values` are values of the original's scale; with one they are the numbers of
    labels. Either way, missing is NaN or −1. `unknown` marks records about which nothing is known.
    """

    original: Column
    values: NDArray[Any]
    unknown: Mask
    decoding: Decoding | None = None
    step: float = 0.0
    """The original's values are multiples of this, if it is not 0."""
    suppressed: bool = False
    """Whether a value of the original is missing in the release."""
    order: Order | None = None
    """The order of the originals, where it is known."""

    def take(self, rows: Rows) -> DecodedColumn:
        """Return the column of some records, without drawing from it."""
        return replace(self, values=self.values[rows], unknown=self.unknown[rows], order=None)

    @property
    def lost(self) -> bool:
        """Whether the release says nothing about any record in this column."""
        return bool(len(self.unknown)) and bool(self.unknown.all())

    @property
    def random(self) -> bool:
        """Whether the drawn form differs from draw to draw."""
        return self.decoding is not None or bool(self.unknown.any())

    @cached_property
    def missing(self) -> Mask:
        """Which records have no value because the original has none."""
        codes = self.decoding is not None or not self.original.attribute.continuous
        gone = self.values == MISSING_CODE if codes else np.isnan(self.values)
        return np.asarray(gone & ~self.unknown)

    @property
    def expected(self) -> Numbers:
        """The middle of S as a number (ordinal: of codes); NaN if missing or nothing is known."""
        middles: Numbers
        if self.decoding is not None:
            middles = np.append(self.decoding.middles, np.nan)[self.values]
        else:
            middles = np.array(self.values, dtype=np.float64)
        middles[self.unknown | self.missing] = np.nan
        return middles

    @cached_property
    def shares(self) -> Numbers:
        """The released share of each category where a value is known; equal if there is none."""
        width = len(self.original.attribute.categories)
        known = ~(self.unknown | self.missing)
        if self.decoding is None:
            shares = np.bincount(self.values[known], minlength=width).astype(np.float64)
        else:
            times = np.bincount(self.values[known], minlength=len(self.decoding))
            present = ~self.decoding.missing
            weight = (times[self.decoding.label] * self.decoding.weight)[present]
            codes = self.decoding.low[present].astype(np.int64)
            shares = np.bincount(codes, weight, width).astype(np.float64)
        total = shares.sum()
        return shares / total if total > 0 else np.full(width, 1 / max(width, 1))

    def share_of(self, category: int) -> Numbers:
        """Return the share of a category in what each record denotes; 0 where nothing is known."""
        if self.decoding is None:
            has = self.values == category
            if self.unknown.any():
                has &= ~self.unknown
            return np.asarray(has, dtype=np.float64)
        matching = self.decoding.low == category
        label, weight = self.decoding.label[matching], self.decoding.weight[matching]
        shares = np.bincount(label, weight, len(self.decoding) + 1).astype(np.float64)
        return np.where(self.unknown, 0.0, shares[self.values])

    @cached_property
    def plain(self) -> Column:
        """The values as a column of the original's scale; for columns without a decoding."""
        make_column = Column if self.values.flags.writeable else Column.over
        return make_column(self.original.attribute, self.values)

    def drawn(self, generator: np.random.Generator) -> Column:
        """Return one draw as a column of the original's scale.

        Random numbers are dealt to the records in the order of their originals, so that shuffled
        rows get the same.
        """
        if not self.random:
            return self.plain
        values = self._filled(generator) if self.decoding is None else self._from_labels(generator)
        values.flags.writeable = False
        return Column.over(self.original.attribute, values)

    @cached_property
    def _in_order(self) -> tuple[Rows, Rows]:
        """The records with a value and those about which nothing is known, in the order of their
        originals.

        If that order is unknown, records are taken in ascending order of their values.
        """
        order = np.arange(len(self.unknown)) if self.order is None else self.order.rows
        known = order[~(self.unknown | self.missing)[order]]
        if self.order is None:
            known = known[np.argsort(self.values[known], kind="stable")]
        return known, order[self.unknown[order]]

    def _filled(self, generator: np.random.Generator) -> NDArray[Any]:
        """Draw what is unknown from the values of other records."""
        known, unknown = self._in_order
        values = self.values.copy()
        if len(known):
            at = (generator.random(len(unknown)) * len(known)).astype(np.int64)
            values[unknown] = self.values[known[at]]
        return values

    def _from_labels(self, generator: np.random.Generator) -> NDArray[Any]:
        assert self.decoding is not None
        known, unknown = self._in_order
        drawn = np.full(len(self.unknown), np.nan)
        uniform = generator.random((2, len(known)))
        pool = _drawn(self.decoding, self.values[known], uniform, self.step)
        drawn[known] = pool
        pool = pool[~np.isnan(pool)]
        if self.order is None:
            pool.sort()
        if len(pool):
            at = (generator.random(len(unknown)) * len(pool)).astype(np.int64)
            drawn[unknown] = pool[at]
        if self.original.attribute.continuous:
            return np.where(drawn == 0, 0.0, drawn)
        return np.where(np.isnan(drawn), MISSING_CODE, drawn).astype(np.int32)


class Order:
    """The released records in the order of their originals, found when it is first needed."""

    def __init__(self, origin: Rows) -> None:
        self._origin = origin

    @cached_property
    def rows(self) -> Rows:
        """The numbers of the records."""
        rows = np.argsort(self._origin, kind="stable")
        return rows.astype(np.int32) if len(rows) < 2**31 else rows


def _drawn(decoding: Decoding, labels: Rows, uniform: Numbers, step: float) -> Numbers:
    """Return a value of each label: a part by the weights, then evenly between its ends."""
    # The weights of a label sum to 1, so its parts end between its number and the next one.
    ends = np.cumsum(decoding.weight)
    before = np.append(0.0, ends)[decoding.starts[labels]]
    part = np.searchsorted(ends, before + uniform[0], side="right")
    part = np.clip(part, decoding.starts[labels], decoding.starts[labels + 1] - 1)
    low, high = (ends[part] for ends in decoding.ends)
    drawn = low + uniform[1] * (high - low)
    if step:
        # Whole numbers stay whole: a fraction would distinguish a drawn value from an original one.
        first, last = np.ceil(low / step), np.floor(high / step)
        whole = (first + np.floor(uniform[1] * (last - first + 1))) * step
        drawn = np.where(first <= last, whole, drawn)
    return np.asarray(drawn)


class Decoded:
    """Some columns of a release on the scales of the original, whatever was done to them.

    `origin` says which original each released record came from, where that is known.

    >>> import discreet
    >>> original = discreet.read({"age": [21, 38, 47], "sex": ["f", "m", "m"]})
    >>> released = discreet.read({"age": ["20–39", "20–39", None]})
    >>> view = Decoded(original, released, ["age", "sex"])
    >>> view["age"].expected, view.lost
    (array([29.5, 29.5,  nan]), ['sex'])
    >>> [draw] = view.draws(np.random.default_rng(1), count=1)
    >>> bool((draw["age"] >= 20).all() and (draw["age"] <= 39).all())
    True
    """

    def __init__(
        self,
        original: Microdata,
        released: Microdata,
        names: Sequence[str],
        origin: Rows | None = None,
    ) -> None:
        self.names = list(names)
        self._original, self._released, self._origin = original, released, origin
        self._order = None if origin is None else Order(origin)
        self._columns: dict[str, DecodedColumn] = {}

    def only(self, names: Sequence[str]) -> Decoded:
        """Return a view of some columns, which shares what has been decoded."""
        view = copy(self)
        view.names = list(names)
        return view

    def __getitem__(self, name: str) -> DecodedColumn:
        if name not in self._columns:
            column = _decoded(self._original, self._released, name, self._origin)
            self._columns[name] = replace(column, order=self._order)
        return self._columns[name]

    def __len__(self) -> int:
        return len(self._released)

    @property
    def lost(self) -> list[str]:
        """The columns about which the release says nothing."""
        return [name for name in self.names if self[name].lost]

    def drawn(self, name: str, generator: np.random.Generator) -> Column:
        """Return one draw of a column."""
        return self[name].drawn(generator)

    @property
    def loose(self) -> Rows:
        """The records in which one draw may differ from the next."""
        differs = np.zeros(len(self), dtype=bool)
        for column in map(self.__getitem__, self.names):
            if not column.lost:
                differs |= column.unknown if column.decoding is None else True
        return np.flatnonzero(differs)

    def draws(self, generator: np.random.Generator, count: int = DRAWS) -> Iterator[Microdata]:
        """Yield tables of the original's scales; a single one where there is nothing to draw."""
        if not any(self[name].random and not self[name].lost for name in self.names):
            count = 1
        for _ in range(count):
            yield Microdata(self.drawn(name, generator) for name in self.names)


def _decoded(
    original: Microdata, released: Microdata, name: str, origin: Rows | None
) -> DecodedColumn:
    before = original.column(name)
    if name not in released.schema:
        return _lost(before, len(released))
    after = released.column(name)
    gone = after.missing
    stays = gone & (before.missing.any() if origin is None else before.missing[origin])
    unknown = gone & ~stays
    suppressed = bool(unknown.any())
    if _same_scale(before.attribute, after.attribute):
        if suppressed and gone.all():
            return _lost(before, len(released))
        return DecodedColumn(before, after.values, unknown, suppressed=suppressed)
    labels, values = _labels(original, before, after)
    known = labels.known
    if not known.all():
        unknown = unknown | ~np.append(known, True)[values]
    if unknown.any() and (unknown | stays).all():
        return _lost(before, len(released))
    if bool((labels.lengths <= 1).all() and (labels.low == labels.high).all()):
        # Every label is one value: the column is on the original's scale, with other codes.
        single = np.full(len(labels) + 1, np.nan)
        single[:-1][known] = labels.low
        exact = single[values]
        if not before.attribute.continuous:
            exact = np.where(np.isnan(exact), MISSING_CODE, exact).astype(np.int32)
        return DecodedColumn(before, exact, unknown, suppressed=suppressed)
    return DecodedColumn(before, values, unknown, labels, _step(original, name), suppressed)


def _same_scale(before: Attribute, after: Attribute) -> bool:
    if before.continuous or after.continuous:
        return before.continuous and after.continuous
    return after.decoding is None and before.categories == after.categories


def _lost(before: Column, rows: int) -> DecodedColumn:
    dtype = before.values.dtype
    nothing = np.full(rows, np.nan if before.attribute.continuous else MISSING_CODE, dtype=dtype)
    return DecodedColumn(before, nothing, np.ones(rows, dtype=bool))


def _labels(
    original: Microdata, before: Column, after: Column
) -> tuple[Decoding, NDArray[np.integer]]:
    """Return what the released labels mean, and the label number of each record."""
    scale = before.attribute
    if after.attribute.continuous:
        numbers, values = np.unique(after.values, return_inverse=True)
        values = np.where(after.missing, MISSING_CODE, values)
        return read_labels(numbers[~np.isnan(numbers)].tolist(), scale), values
    decoding, values = after.attribute.decoding, after.values
    if decoding is None or decoding.scale.continuous != scale.continuous:
        unit = unit_of(original, before.name) if scale.continuous else None
        decoding = read_labels(after.attribute.categories, scale, unit)
    elif decoding.scale.categories != scale.categories:
        decoding = _translated(decoding, scale)
    if not scale.continuous:
        decoding = _without_silent(decoding, len(scale.categories))
    return decoding, values


def _translated(decoding: Decoding, scale: Attribute) -> Decoding:
    """Return a decoding in another attribute's categories; labels with unknown ones say nothing."""
    place = {text_of(category): i for i, category in enumerate(scale.categories)}
    codes = np.array(
        [*(place.get(text_of(c), -1) for c in decoding.scale.categories), -1], dtype=np.float64
    )
    at = np.where(decoding.missing, 0, np.nan_to_num(decoding.low)).astype(np.int64)
    values = np.where(decoding.missing, np.nan, codes[at])
    foreign = np.zeros(len(decoding), dtype=bool)
    foreign[decoding.label[values == -1]] = True
    named = Decoding(scale, decoding.starts, values, values.copy(), decoding.weight)
    return named.take(np.where(foreign, -1, np.arange(len(decoding))))


def _without_silent(decoding: Decoding, width: int) -> Decoding:
    """Remove the parts of labels that name every category equally: they say nothing."""
    if width < 2 or not (decoding.lengths >= width).any():
        return decoding
    label, present = decoding.label, ~decoding.missing
    covered = np.bincount(label[present], minlength=len(decoding)) == width
    least, most = np.full(len(decoding), np.inf), np.zeros(len(decoding))
    np.minimum.at(least, label, decoding.weight)
    np.maximum.at(most, label, decoding.weight)
    silent = covered & (most - least <= 1e-9)
    return decoding.take(np.where(silent, -1, np.arange(len(decoding))))


def _step(original: Microdata, name: str) -> float:
    column = original.column(name)
    if column.attribute.kind is not Kind.CONTINUOUS:
        return 1.0
    step = step_of(original, name)
    return step if step > 1 or holds_whole_numbers(column) else 0.0
