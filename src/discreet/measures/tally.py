"""How often each value occurs in each group of records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.microdata.clusters import first_of_each, recurring

AT_ONCE = 1 << 18
"""Figures of groups are computed for this many values at once."""


@dataclass(frozen=True, eq=False)
class Grouped:
    """A group number for each released record, and how many groups there are.

    `by_method` says whether a method made the groups, rather than equivalence classes of the
    release. Where `units` says whose each record is, a value counts once for each unit that has it;
    `known_together` has what `together` returns, where it is known.
    """

    labels: NDArray[np.int64]
    count: int
    by_method: bool = False
    units: NDArray[np.int64] | None = None
    known_together: NDArray[np.int64] | None = None

    @property
    def words(self) -> str:
        """What the groups are, for a note."""
        if self.by_method:
            return "in the groups that the method made"
        return "in classes of records that agree in all quasi-identifiers"

    @cached_property
    def together(self) -> NDArray[np.int64]:
        """The records whose unit has others in the same group, in their order.

        Only these may have a value that counts once for several of them, and in a large file they
        are few.
        """
        if self.units is None:
            return np.zeros(0, dtype=np.int64)
        if self.known_together is not None:
            return self.known_together
        return recurring(self.labels, self.units)

    def counted(self, values: NDArray[np.int64]) -> slice | NDArray[np.bool_]:
        """Return the records that count: the first of each value among a unit's records in a group.

        >>> home = np.array([7, 7, 8, 7])
        >>> Grouped(np.zeros(4, dtype=np.int64), 1, units=home).counted(np.array([0, 1, 0, 0]))
        array([ True,  True,  True, False])
        """
        rows = self.together
        if self.units is None or not len(rows):
            return slice(None)
        counts = np.ones(len(self.labels), dtype=bool)
        counts[rows] = False
        first = first_of_each(self.labels[rows], self.units[rows], values[rows])
        counts[rows[first]] = True
        return counts


@dataclass(frozen=True, eq=False)
class Tally:
    """How often each value of a column occurs in each group, without what does not occur.

    `group`, `value` and `count` run side by side, by group and then by value. `sizes` has the
    records of each group, `totals` those of each value; the last value is "missing".
    """

    group: NDArray[np.int64]
    value: NDArray[np.int64]
    count: NDArray[np.int64]
    sizes: NDArray[np.int64]
    totals: NDArray[np.int64]

    @property
    def distinct(self) -> NDArray[np.int64]:
        """The number of different values in each group."""
        return np.bincount(self.group, minlength=len(self.sizes))

    def for_groups(self, figure: Callable[[Tally], NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return a figure of each group, computed for some groups at a time.

        For all at once it would take several times the memory of the tally.
        """
        # The first entry of the first group of each part.
        cuts = np.unique(self.group[::AT_ONCE])[1:]
        starts = np.r_[0, np.searchsorted(self.group, cuts), len(self.group)]
        cuts = np.r_[0, cuts, len(self.sizes)]
        return np.concatenate(
            [
                figure(
                    Tally(
                        self.group[start:end] - first,
                        self.value[start:end],
                        self.count[start:end],
                        self.sizes[first:last],
                        self.totals,
                    )
                )
                for start, end, first, last in zip(
                    starts[:-1], starts[1:], cuts[:-1], cuts[1:], strict=True
                )
            ]
        )


def tally(
    values: NDArray[np.int64],
    count: int,
    groups: Grouped,
    times: NDArray[np.int64] | None = None,
) -> Tally:
    """Count the values 0 … `count` (the last is "missing") in each group.

    `times` says how many records each row stands for, by default one.

    >>> counts = tally(np.array([0, 1, 1, 2]), 2, Grouped(np.array([0, 0, 1, 1]), 2))
    >>> counts.group, counts.value, counts.count
    (array([0, 0, 1, 1]), array([0, 1, 1, 2]), array([1, 1, 1, 1]))
    """
    once = groups.counted(values)
    labels, values = groups.labels[once], values[once]
    width = count + 1
    keys = labels * width
    keys += values
    if times is not None:
        occurring, first = np.unique(keys, return_inverse=True)
        group, value = np.divmod(occurring, width)
        return Tally(
            group,
            value,
            _summed(first, times, len(occurring)),
            _summed(labels, times, groups.count),
            _summed(values, times, width),
        )
    if groups.count * width <= max(4 * len(keys), 1024):
        counts = np.bincount(keys, minlength=groups.count * width)
        occurring = np.flatnonzero(counts)
        counts = counts[occurring]
    else:
        keys.sort()
        is_first = np.ones(len(keys), dtype=bool)
        np.not_equal(keys[1:], keys[:-1], out=is_first[1:])
        starts = np.flatnonzero(is_first)
        counts = np.diff(starts, append=len(keys))
        occurring = keys[starts]
    # Of a large file there is no room for what is no longer needed.
    del keys
    group, value = np.divmod(occurring, width)
    return Tally(
        group,
        value,
        counts,
        np.bincount(labels, minlength=groups.count),
        np.bincount(values, minlength=width),
    )


def _summed(labels: NDArray[np.int64], times: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return the records of each label; sums of this many are exact in floating point."""
    return np.bincount(labels, times, count).astype(np.int64)
