"""Trees as models of a column: values are drawn from the records that share a leaf.

Reiter, Using CART to generate partially synthetic public use microdata (2003). A tree is grown on
the original records; a synthetic record falls into one of its leaves, and gets a value of the
records there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Column, Kind, Microdata, Numbers
from discreet.models.design_matrix import MOST_CATEGORIES, TreeMatrix

Codes = NDArray[np.int64]

SCORES = 3
"""Nominal predictors of a nominal column are ordered by this many of its categories."""
HEAPED, MANY = 0.05, 50
"""A number shared by this share of the records, or this many, is released as it is, such as 0 or a
round income: it identifies nobody."""
LEAST_GAIN = 1e-8
"""Of a split, as a share of the variation of the whole."""


@dataclass(frozen=True, eq=False)
class Leaves:
    """The values of the original records, leaf after leaf.

    `starts` is where each leaf starts, with the end of the last; `cumulated` are the running sums
    of the records' weights, from 0.
    """

    values: NDArray[Any]
    starts: Codes
    cumulated: Numbers

    @classmethod
    def of(
        cls,
        values: NDArray[Any],
        leaf: Codes,
        count: int,
        generator: np.random.Generator | None,
        weights: Numbers | None = None,
    ) -> Leaves:
        """Sort values by leaf; with a generator their weights are those of a Bayesian bootstrap.

        `weights` says how often each record counts; once if not given.

        >>> leaves = Leaves.of(np.array([5.0, 1.0, 6.0]), np.array([1, 0, 1]), 2, None)
        >>> leaves.values, leaves.starts
        (array([1., 5., 6.]), array([0, 1, 3]))
        """
        order = np.argsort(leaf, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(leaf, minlength=count))])
        record_weights = np.ones(len(values)) if weights is None else weights[order]
        if generator is not None:
            # A record that counts n times gets the sum of n exponential weights.
            record_weights = generator.standard_gamma(record_weights)
        return cls(values[order], starts, np.concatenate([[0.0], np.cumsum(record_weights)]))

    def draw(self, leaf: Codes, generator: np.random.Generator) -> NDArray[Any]:
        """Return a value of each of these leaves."""
        low, high = self.cumulated[self.starts[leaf]], self.cumulated[self.starts[leaf + 1]]
        level = low + generator.random(len(leaf)) * (high - low)
        at = np.searchsorted(self.cumulated, level, side="right") - 1
        return self.values[np.clip(at, self.starts[leaf], self.starts[leaf + 1] - 1)]


@dataclass(frozen=True, eq=False)
class Kernels:
    """How the numbers of each leaf are smoothed; heaps are the numbers that stay as they are.

    `spreads` and `widths` are the standard deviation s and the bandwidth h of the other numbers.
    """

    heaps: Numbers
    means: Numbers
    spreads: Numbers
    widths: Numbers

    @classmethod
    def of(cls, values: Numbers, leaf: Codes, count: int) -> Kernels:
        """Take Silverman's h = 0.9·min(s, interquartile range/1.349)·m^(−1/5) for m records.

        The range keeps a single outlier from blurring the leaf. A leaf of equal numbers has the
        bandwidth of the whole column, since it would disclose them otherwise.

        >>> Kernels.of(np.array([1.0, 2, 3, 4, 900]), np.zeros(5, dtype=int), 1).widths.round(2)
        array([0.97])
        """
        heaps = _heaps(values)
        free = ~np.isin(values, heaps)
        means, spreads, widths = _silverman(values[free], leaf[free], count)
        overall = _silverman(values[free], np.zeros(int(free.sum()), dtype=np.int64), 1)[2]
        return cls(heaps, means, spreads, np.where(widths > 0, widths, overall))

    def smoothed(self, values: Numbers, leaf: Codes, generator: np.random.Generator) -> Numbers:
        """Return the values moved by a normal kernel and drawn together by √(1 + h²/s²).

        The mean and the variance of the leaf stay as they are.
        """
        ratio = np.where(self.spreads > 0, self.widths / np.maximum(self.spreads, 1e-300), 0.0)
        noise = self.widths[leaf] * generator.standard_normal(len(values))
        centre = self.means[leaf]
        return np.asarray(centre + (values - centre + noise) / np.sqrt(1 + ratio[leaf] ** 2))


def _silverman(values: Numbers, leaf: Codes, count: int) -> tuple[Numbers, Numbers, Numbers]:
    sizes = np.bincount(leaf, minlength=count)
    if not len(values):
        return np.zeros(count), np.zeros(count), np.zeros(count)
    counts = np.maximum(sizes, 1).astype(np.float64)
    means = np.bincount(leaf, values, count) / counts
    spreads = np.sqrt(np.bincount(leaf, (values - means[leaf]) ** 2, count) / counts)
    # The mean of equal numbers is rounded, so their deviation may be a little above 0.
    spreads = np.where(spreads > 1e-12 * np.abs(means), spreads, 0.0)
    ordered = values[np.lexsort((values, leaf))]
    ends = np.cumsum(sizes)
    quarter = np.maximum(sizes - 1, 0) // 4
    low = np.minimum(ends - sizes + quarter, len(values) - 1)
    high = np.maximum(ends - 1 - quarter, 0)
    inner = np.maximum(ordered[high] - ordered[low], 0.0) / 1.349
    narrow = np.where(inner > 0, np.minimum(spreads, inner), spreads)
    return means, spreads, np.where(sizes > 1, 0.9 * narrow * counts**-0.2, 0.0)


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree of one column on others, from whose leaves values are drawn.

    >>> import discreet
    >>> pay = [1.0, 2.0] * 10 + [8.0, 9.0] * 10
    >>> data = discreet.read({"age": [20.0] * 20 + [60.0] * 20, "pay": pay})
    >>> generator = np.random.default_rng(1)
    >>> tree = Tree.fit(data, data.column("pay"), ["age"], generator, smooth=False)
    >>> sorted(set(tree.draw(data, generator)[:20].tolist()))
    [1.0, 2.0]
    """

    matrix: TreeMatrix | None
    tree: Any
    numbers: Codes
    leaves: Leaves
    unit: float
    kernels: Kernels | None

    @classmethod
    def fit(
        cls,
        data: Microdata,
        column: Column,
        predictors: Sequence[str],
        generator: np.random.Generator,
        leaf: int = 5,
        bootstrap: bool = True,
        smooth: bool = True,
        proper: bool = False,
    ) -> Tree:
        """Grow a tree with at least `leaf` records in each leaf.

        With `bootstrap` the records of a leaf have random weights, as under a Bayesian bootstrap:
        what is drawn then carries the uncertainty about the leaf's distribution. With `proper` the
        tree is grown on a bootstrap sample of the records, and carries the uncertainty about the
        tree as well; a leaf still has `leaf` different records.
        """
        weights = None
        if proper and len(column.values):
            count = len(column.values)
            drawn = np.bincount(generator.integers(0, count, count), minlength=count)
            rows = np.flatnonzero(drawn)
            data, column = data.take(rows), column.with_values(column.values[rows])
            weights = drawn[rows].astype(np.float64)
        values = column.values
        continuous = column.attribute.continuous
        # In units of the largest number, so that no square overflows.
        unit = float(np.abs(values).max(initial=0.0)) or 1.0 if continuous else 1.0
        scaled = values / unit if continuous else values
        matrix, tree = None, None
        leaf_of_record, count = np.zeros(len(values), dtype=np.int64), 1
        numbers = np.zeros(1, dtype=np.int64)
        if predictors and len(values) >= 2 * leaf and (scaled != scaled[0]).any():
            targets = _targets(column, scaled)
            matrix = TreeMatrix.fit([data], predictors, targets, prior=1.0)
            x = matrix.matrix(data).astype(np.float32)
            tree = _grown(column, scaled, x, leaf, generator, weights)
            at = tree.apply(x)
            ends = np.flatnonzero(tree.tree_.children_left < 0)
            numbers = np.zeros(tree.tree_.node_count, dtype=np.int64)
            numbers[ends] = np.arange(len(ends))
            leaf_of_record, count = numbers[at], len(ends)
        leaves = Leaves.of(values, leaf_of_record, count, generator if bootstrap else None, weights)
        return cls(
            matrix,
            tree,
            numbers,
            leaves,
            unit,
            Kernels.of(scaled, leaf_of_record, count) if smooth and continuous else None,
        )

    def draw(self, table: Microdata, generator: np.random.Generator) -> NDArray[Any]:
        """Return a value for every row of a table of the predictors."""
        leaf = np.zeros(len(table), dtype=np.int64)
        if self.matrix is not None:
            leaf = self.numbers[self.tree.apply(self.matrix.matrix(table).astype(np.float32))]
        values = self.leaves.draw(leaf, generator)
        if self.kernels is None:
            return values
        scaled = values / self.unit
        smooth = self.kernels.smoothed(scaled, leaf, generator) * self.unit
        return np.where(np.isin(scaled, self.kernels.heaps), values, smooth)


def _targets(column: Column, scaled: NDArray[Any]) -> Numbers:
    """Return the numbers by whose means the categories of nominal predictors are put in order."""
    if column.attribute.kind is not Kind.NOMINAL:
        return np.asarray(scaled, dtype=np.float64)[:, None]
    common = np.argsort(-np.bincount(scaled), kind="stable")[:SCORES]
    return np.asarray(scaled[:, None] == common, dtype=np.float64)


def _grown(
    column: Column,
    scaled: NDArray[Any],
    x: NDArray[Any],
    leaf: int,
    generator: np.random.Generator,
    weights: Numbers | None,
) -> Any:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    options = {"min_samples_leaf": leaf, "random_state": int(generator.integers(0, 2**31))}
    nominal = column.attribute.kind is Kind.NOMINAL
    if nominal and len(np.unique(scaled)) <= MOST_CATEGORIES:
        gini = 1 - float(((np.bincount(scaled) / len(scaled)) ** 2).sum())
        tree = DecisionTreeClassifier(min_impurity_decrease=LEAST_GAIN * gini, **options)
        return tree.fit(x, scaled, sample_weight=weights)
    response = np.asarray(scaled, dtype=np.float64)
    gain = LEAST_GAIN * float(response.var())
    tree = DecisionTreeRegressor(min_impurity_decrease=gain, **options)
    return tree.fit(x, response, sample_weight=weights)


def _heaps(values: Numbers) -> Numbers:
    distinct, counts = np.unique(values, return_counts=True)
    return np.asarray(distinct[counts >= max(2.0, min(HEAPED * len(values), MANY))])
