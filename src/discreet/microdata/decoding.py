"""Decoding: which values of the original each label of a recoded column denotes.

The method that writes the labels knows, and states it here; nobody has to guess it from the text of
a label. A label denotes numbers from one end to the other, categories, or several of either with
their weights. A label without any part says nothing about the value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.microdata.arrays import Numbers
from discreet.microdata.schema import Attribute

Codes = NDArray[np.int64]
Part = tuple[float, float]
"""From one end to the other, both included; NaN twice is a missing value."""
MISSING_PART: Part = (np.nan, np.nan)


@dataclass(frozen=True, eq=False)
class Decoding:
    """The parts of each label, one after another.

    Label i has the parts from `starts[i]` to before `starts[i + 1]`: numbers from `low` to `high`,
    an open end being infinite, or codes of the categories of `scale`, both ends alike; NaN is a
    missing value. The weights of a label's parts sum to 1.

    >>> age = Attribute("age")
    >>> decoding = Decoding.of(age, [[(20, 39)], [(40, 59), (70, 70)], []])
    >>> decoding.middles
    array([29.5 , 59.75,   nan])
    >>> decoding.known
    array([ True,  True, False])
    """

    scale: Attribute
    starts: Codes
    low: Numbers
    high: Numbers
    weight: Numbers

    def __post_init__(self) -> None:
        for array in (self.starts, self.low, self.high, self.weight):
            array.flags.writeable = False

    @classmethod
    def of(
        cls,
        scale: Attribute,
        labels: Iterable[Sequence[Part]],
        weights: Iterable[Sequence[float]] | None = None,
    ) -> Decoding:
        """Return the decoding of labels that are given by their parts, of equal weight by default.

        >>> job = Attribute("job", categories=("unskilled", "technical"))
        >>> Decoding.of(job, [[(0, 0), (1, 1)]], [[4, 1]]).weight
        array([0.8, 0.2])
        """
        parts = [list(label) for label in labels]
        starts = np.append(0, np.cumsum([len(label) for label in parts])).astype(np.int64)
        low, high = (
            np.array([part[end] for label in parts for part in label], dtype=np.float64)
            for end in (0, 1)
        )
        given = None
        if weights is not None:
            given = np.array([w for label in weights for w in label], dtype=np.float64)
        return cls.joined(scale, starts, low, high, given)

    @classmethod
    def spans(cls, scale: Attribute, low: Numbers, high: Numbers) -> Decoding:
        """Return the decoding of labels that are one span each.

        >>> Decoding.spans(Attribute("age"), np.array([20.0]), np.array([np.inf])).middles
        array([20.])
        """
        return cls.joined(scale, np.arange(len(low) + 1), low.copy(), high.copy())

    @classmethod
    def sets(cls, scale: Attribute, starts: Codes, codes: NDArray[np.number]) -> Decoding:
        """Return the decoding of labels that are sets of categories, or of single numbers."""
        values = codes.astype(np.float64)
        return cls.joined(scale, starts.astype(np.int64), values, values.copy())

    @classmethod
    def together(cls, scale: Attribute, decodings: Sequence[Decoding]) -> Decoding:
        """Return the labels of several decodings one after another.

        >>> parts = [Decoding.of(Attribute("age"), [[(20, 39)]]) for _ in range(2)]
        >>> Decoding.together(Attribute("age"), parts).low
        array([20., 20.])
        """
        lengths = [decoding.lengths for decoding in decodings]
        starts = np.append(0, np.cumsum(np.concatenate([np.empty(0), *lengths])))
        low, high, weight = (
            np.concatenate([np.empty(0), *(getattr(d, field) for d in decodings)])
            for field in ("low", "high", "weight")
        )
        return cls(scale, starts.astype(np.int64), low, high, weight)

    @classmethod
    def joined(
        cls,
        scale: Attribute,
        starts: Codes,
        low: Numbers,
        high: Numbers,
        weight: Numbers | None = None,
    ) -> Decoding:
        """Return the decoding of consecutive parts, whose weights need not sum to 1."""
        lengths = np.diff(starts)
        label = np.repeat(np.arange(len(lengths)), lengths)
        weight = np.ones(len(low)) if weight is None else weight
        total = np.bincount(label, weight, len(lengths))
        return cls(scale, starts, low, high, weight / total[label])

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Codes:
        """How many parts each label has."""
        return np.diff(self.starts)

    @property
    def label(self) -> Codes:
        """The label of each part."""
        return np.repeat(np.arange(len(self)), self.lengths)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which parts are missing values."""
        return np.isnan(self.low)

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which labels say something about the value."""
        return np.asarray(self.lengths > 0)

    @property
    def missing_share(self) -> Numbers:
        """The share of missing values in each label."""
        gone = self.missing
        return np.bincount(self.label[gone], self.weight[gone], len(self)).astype(np.float64)

    @property
    def ends(self) -> tuple[Numbers, Numbers]:
        """Both ends of each part, an open one closed at the part's other end."""
        low = np.where(np.isinf(self.low), self.high, self.low)
        high = np.where(np.isinf(self.high), self.low, self.high)
        return low, high

    @property
    def middles(self) -> Numbers:
        """The expected value of each label; NaN where it says nothing."""
        low, high = self.ends
        present = ~self.missing
        label, weight = self.label[present], self.weight[present]
        total = np.bincount(label, weight, len(self))
        sums = np.bincount(label, weight * (low / 2 + high / 2)[present], len(self))
        middles = np.full(len(self), np.nan)
        np.divide(sums, total, out=middles, where=total > 0)
        return middles

    @property
    def hulls(self) -> tuple[Numbers, Numbers]:
        """The least and the greatest value that each label allows; any where it says nothing."""
        low, high = np.full(len(self), np.inf), np.full(len(self), -np.inf)
        present = ~self.missing
        np.minimum.at(low, self.label[present], self.low[present])
        np.maximum.at(high, self.label[present], self.high[present])
        silent = ~self.known
        low[silent], high[silent] = -np.inf, np.inf
        return low, high

    def take(self, labels: Codes) -> Decoding:
        """Return the decoding of these labels in this order; −1 is a label that says nothing.

        >>> Decoding.of(Attribute("age"), [[(1, 2)], [(3, 4), (5, 5)]]).take(np.array([1, -1])).low
        array([3., 5.])
        """
        lengths = np.where(labels < 0, 0, np.append(self.lengths, 0)[labels])
        starts = np.append(0, np.cumsum(lengths)).astype(np.int64)
        within = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)
        at = np.repeat(self.starts[labels], lengths) + within
        return Decoding(self.scale, starts, self.low[at], self.high[at], self.weight[at])

    def renamed(self, old: Sequence[Any], new: Sequence[Any]) -> Decoding:
        """Return the decoding of other labels; those among the old ones keep their meaning.

        >>> Decoding.of(Attribute("age"), [[(1, 2)], [(3, 4)]]).renamed("ab", "xb").known
        array([False,  True])
        """
        place = {label: i for i, label in enumerate(old)}
        return self.take(np.array([place.get(label, -1) for label in new], dtype=np.int64))

    def with_missing(self, some: NDArray[np.bool_]) -> Decoding:
        """Return the decoding with a missing value as a further part of some labels.

        A label that says nothing says no more if it may also mean a missing value.

        >>> age = Decoding.of(Attribute("age"), [[(20, 39)], [(40, 59)]])
        >>> age.with_missing(np.array([False, True])).weight
        array([1. , 0.5, 0.5])
        """
        some = some & self.known
        ends = self.starts[1:][some]
        starts = self.starts + np.append(0, np.cumsum(some))
        low, high = (np.insert(a, ends, np.nan) for a in (self.low, self.high))
        share = np.repeat(1 / np.maximum(self.lengths, 1), self.lengths)
        weight = np.insert(self.weight / share, ends, 1.0)
        return Decoding.joined(self.scale, starts, low, high, weight)

    def after(self, first: Decoding) -> Decoding:
        """Return what labels of labels mean: `first` decodes the labels that these cover.

        A label that covers one that says nothing says nothing.

        >>> ages = Decoding.of(Attribute("age"), [[(20, 39)], [(40, 59)]])
        >>> groups = Attribute("age", categories=("20–39", "40–59"))
        >>> Decoding.of(groups, [[(0, 0), (1, 1)]]).after(ages).middles
        array([39.5])
        """
        silent = len(first)
        lengths = np.append(first.lengths, 1)
        at = np.where(self.missing, silent, np.nan_to_num(self.low)).astype(np.int64)
        without_parts = np.zeros(len(self), dtype=bool)
        without_parts[self.label[lengths[at] == 0]] = True
        kept = ~without_parts[self.label]
        at, label, weight = at[kept], self.label[kept], self.weight[kept]
        times = lengths[at]
        within = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        place = np.repeat(first.starts[np.minimum(at, silent)], times) + within
        low, high, shares = (
            np.append(a, last)[place]
            for a, last in ((first.low, np.nan), (first.high, np.nan), (first.weight, 1.0))
        )
        counts = np.bincount(np.repeat(label, times), minlength=len(self))
        starts = np.append(0, np.cumsum(counts)).astype(np.int64)
        return Decoding(first.scale, starts, low, high, np.repeat(weight, times) * shares)
