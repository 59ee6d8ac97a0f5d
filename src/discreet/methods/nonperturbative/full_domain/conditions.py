"""The conditions on a class of records, and which of them let a search skip nodes.

A class meets the conditions if it has at least k records, at least l different values in every
confidential column, and in each of them a distance of at most t to the whole file. Classes that do
not are suppressed: they lose all treated values and become one class, which must meet the
conditions like any other. If it does not, for instance because it has fewer than k records, the
smallest of the other classes join it, one at a time, until it does.

Going up the lattice joins classes. Conditions that joining can never break:

- k-anonymity and distinct l-diversity: a class that meets them still does after any other has
  joined it. So the number of records in failing classes falls, and a node where it exceeds what may
  be suppressed is hopeless, and so is every node below it.
- t-closeness: two classes that meet it do so together, since the distance is convex in the shares;
  one that meets it and one that does not may fail together. So if nothing may be suppressed, a node
  with a class that fails is hopeless. With suppression the number of failing records can grow on
  the way up, and t-closeness makes no node hopeless. Nor does it if an ordered confidential column
  has missing values: their distance is not convex.
- The suppressed class, and what joins it, neither improves nor worsens monotonically. It can make
  a node fail, but never hopeless.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.errors import UsageError
from discreet.measures.confidential import values_of
from discreet.measures.risk.t_closeness import nominal_distance, ordered_distance
from discreet.measures.tally import Grouped, tally
from discreet.methods.nonperturbative.full_domain.combinations import Combinations, Node
from discreet.methods.nonperturbative.full_domain.lattice import Verdict
from discreet.microdata import Kind, Microdata, Role

Marks = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class _Confidential:
    """A confidential column as value numbers, the last one for missing."""

    values: NDArray[np.int64]
    count: int
    nominal: bool

    @property
    def convex(self) -> bool:
        return self.nominal or not (self.values == self.count).any()


class Conditions:
    """k, l and t, for the records of a table."""

    def __init__(
        self,
        data: Microdata,
        k: int,
        l: int | None = None,  # noqa: E741
        t: float | None = None,
        owner: str = "the search",
        times: NDArray[np.int64] | None = None,
    ) -> None:
        """`times` says how many records each row stands for, by default one."""
        self.k, self.l, self.t, self.times = k, l, t, times
        self.confidential: list[_Confidential] = []
        self.rows: NDArray[np.int64] | None = None
        if l is None and t is None:
            return
        names = data.having(Role.CONFIDENTIAL)
        if not names:
            raise UsageError(
                f"{owner} needs a column with the role confidential for l or t, but there is none"
            )
        for column in map(data.column, names):
            nominal = column.attribute.kind is Kind.NOMINAL
            self.confidential.append(_Confidential(*values_of(column), nominal))

    def of_rows(self, rows: NDArray[np.int64]) -> Conditions:
        """Return the same conditions for classes of some of the records.

        A distance is still that to the whole file.
        """
        part = copy(self)
        part.rows = rows if len(rows) < self.records else None
        return part

    def failing(self, labels: NDArray[np.integer], sizes: NDArray[np.int64]) -> tuple[Marks, Marks]:
        """Return which classes fail in k or l, and which in t; `labels` are the records'."""
        small = sizes < self.k
        far = np.zeros(len(sizes), dtype=bool)
        if not self.confidential:
            return small, far
        groups = self._grouped(labels.astype(np.int64), len(sizes))
        for column in self.confidential:
            counts = tally(column.values, column.count, groups, self.times)
            if self.l is not None:
                small |= counts.distinct[: len(sizes)] < self.l
            if self.t is not None:
                distance = nominal_distance if column.nominal else ordered_distance
                far |= distance(counts)[: len(sizes)] > self.t
        return small, far

    @property
    def records(self) -> int:
        """How many rows the table has."""
        return len(self.confidential[0].values) if self.confidential else 0

    def _grouped(self, labels: NDArray[np.int64], count: int) -> Grouped:
        """Return the classes in the whole file, the records outside of them as one more."""
        if self.rows is None:
            return Grouped(labels, count)
        every = np.full(self.records, count)
        every[self.rows] = labels
        return Grouped(every, count + 1)

    def keeps_convex(self) -> bool:
        """Whether classes that meet t-closeness do so together, in all confidential columns."""
        return all(column.convex for column in self.confidential)


class Judge:
    """Decides whether a node meets the conditions, and how much information it loses."""

    def __init__(self, people: Combinations, conditions: Conditions, allowance: int) -> None:
        self.people = people
        self.conditions = conditions
        self.allowance = allowance
        """How many records may be suppressed."""

    def __call__(self, node: Node) -> Verdict:
        """Return the verdict on a node."""
        sizes = self.people.sizes(node)
        alone = int(sizes[sizes < self.conditions.k].sum())
        if alone > self.allowance:
            return Verdict(None, hopeless=True)
        if not alone and not self.conditions.confidential:
            return Verdict(self.people.loss(node))
        labels, sizes = self.people.classes(node)
        suppressed, hopeless = self._suppressed(labels, sizes)
        if suppressed is None:
            return Verdict(None, hopeless)
        return Verdict(self.people.loss(node, suppressed[labels]))

    def suppressed(self, node: Node) -> Marks:
        """Return which records a node that meets the conditions suppresses."""
        labels, sizes = self.people.classes(node)
        classes, _ = self._suppressed(labels, sizes)
        assert classes is not None
        return np.asarray(classes[labels][self.people.of_record])

    def _suppressed(
        self, labels: NDArray[np.int32], sizes: NDArray[np.int64]
    ) -> tuple[Marks | None, bool]:
        """Return which classes are suppressed, None if too many, and whether that is hopeless."""
        of_record = labels[self.people.of_record] if self.conditions.confidential else labels
        small, far = self.conditions.failing(of_record, sizes)
        if int(sizes[small].sum()) > self.allowance:
            return None, True
        fails = small | far
        if not fails.any():
            return fails, False
        if int(sizes[fails].sum()) > self.allowance:
            return None, self.allowance == 0 and self.conditions.keeps_convex()
        return self._joined(of_record, sizes, fails), False

    def _joined(
        self, of_record: NDArray[np.int32], sizes: NDArray[np.int64], fails: Marks
    ) -> Marks | None:
        """Merge the smallest classes into the suppressed one until it meets the conditions."""
        chosen = fails.copy()
        others = iter(np.flatnonzero(~fails)[np.argsort(sizes[~fails], kind="stable")].tolist())
        while not self._meets(of_record, sizes, chosen):
            nearest = next(others, None)
            if nearest is None:
                return None
            chosen[nearest] = True
            if int(sizes[chosen].sum()) > self.allowance:
                return None
        return chosen

    def _meets(self, of_record: NDArray[np.int32], sizes: NDArray[np.int64], chosen: Marks) -> bool:
        size = int(sizes[chosen].sum())
        if size < self.conditions.k:
            return False
        if not self.conditions.confidential:
            return True
        apart = np.where(chosen[of_record], 0, 1)
        others = self.people.records - size
        small, far = self.conditions.failing(apart, np.array([size, others] if others else [size]))
        return not (small[0] or far[0])
