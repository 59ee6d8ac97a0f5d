"""Trees as models of a column: values are drawn from the records that share a leaf.

Reiter, Using CART to generate partially synthetic public use microdata (2003). A tree is grown on
the original records; a synthetic record falls into one of its leaves, and gets a value of the
records there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Column, Kind, Microdata, Numbers
from discreet.models.design_matrix import MOST_CATEGORIES, TreeMatrix
from discreet.models.many_classes import fit_classes
from discreet.models.sequential.leaves import Leaves
from discreet.models.sequential.margin import Margin

Codes = NDArray[np.int64]

SCORES = 3
"""Nominal predictors of a nominal column are ordered by this many of its categories, and very many
categories are distinguished by this many numbers."""
SHARED = 5
"""A number that this many records share is released as it is, such as 0 or a round income."""
MOVED = 5
"""A smoothed number moves past at most this many of the column's other numbers."""
SOME = 0.5
"""The share of the predictors that a tree of a forest considers for each cut."""
BLOCK = 65_536
"""Rows whose leaves are looked up at a time, so that a large file needs little memory."""
LEAST_GAIN = 1e-8
"""The least gain of a split, as a share of the total variation."""


@dataclass(frozen=True, eq=False)
class Smoothing:
    """Moves a number among its neighbours in the column; numbers that records share stay.

    The move is by ranks: short where numbers are dense and long where they are sparse. So the
    distribution stays as it is, no number passes its column's ends or changes its sign, and what
    comes out lies among at least as many originals as it may pass.
    """

    shared: Numbers
    margin: Margin

    @classmethod
    def of(cls, values: Numbers) -> Smoothing:
        """Take the shared numbers and the distribution of the others.

        >>> Smoothing.of(np.r_[np.zeros(5), np.arange(1.0, 20)]).shared
        array([0.])
        """
        distinct, counts = np.unique(values, return_counts=True)
        shared = distinct[counts >= SHARED]
        return cls(shared, Margin.of(values[~np.isin(values, shared)], share=np.inf))

    def smoothed(self, values: Numbers, generator: np.random.Generator) -> Numbers:
        """Return the numbers, each moved past up to MOVED others."""
        free = ~np.isin(values, self.shared)
        ranks = self.margin.ranks(values)
        reach = MOVED / max(len(self.margin.ordered), 1)
        moved = ranks + reach * generator.uniform(-1.0, 1.0, len(values))
        # Moves beyond the ends of the scale are reflected.
        moved = np.where(moved < 0, -moved, np.where(moved > 1, 2 - moved, moved))
        made = self.margin.at(np.clip(moved, 0.0, 1.0))
        return np.where(free, made, values)


@dataclass(frozen=True, eq=False)
class Cuts:
    """The cuts of a grown tree: a row goes left where its number is at most the threshold.

    `left` and `right` are the nodes below a node, −1 below a leaf.

    >>> cuts = Cuts(np.array([1, -1, -1]), np.array([2, -1, -1]), np.zeros(3, int), np.full(3, 0.5))
    >>> cuts.apply(np.array([[0.4], [0.6]]))
    array([1, 2])
    """

    left: Codes
    right: Codes
    column: Codes
    threshold: Numbers

    @classmethod
    def of(cls, tree: Any) -> Cuts:
        """Take the cuts of a tree of scikit-learn."""
        grown = tree.tree_
        return cls(grown.children_left, grown.children_right, grown.feature, grown.threshold)

    def apply(self, x: NDArray[Any]) -> Codes:
        """Return the leaf of each row."""
        node = np.zeros(len(x), dtype=np.int64)
        rows = np.flatnonzero(self.left[node] >= 0)
        while len(rows):
            at = node[rows]
            low = x[rows, self.column[at]] <= self.threshold[at]
            node[rows] = np.where(low, self.left[at], self.right[at])
            rows = rows[self.left[node[rows]] >= 0]
        return node


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
    smoothing: Smoothing | None

    @classmethod
    def fit(
        cls,
        data: Microdata,
        column: Column,
        predictors: Sequence[str],
        generator: np.random.Generator,
        leaf: int = 5,
        bootstrap: bool = False,
        smooth: bool = True,
        proper: bool = False,
        out_of_bag: bool = False,
        even: bool = True,
    ) -> Tree:
        """Grow a tree with at least `leaf` records in each leaf.

        With `bootstrap` the records of a leaf have random weights, as under a Bayesian bootstrap:
        what is drawn then carries the uncertainty about the leaf's distribution. With `proper` the
        tree is grown on a bootstrap sample of the records, and carries the uncertainty about the
        tree as well; a leaf still has `leaf` different records. With `out_of_bag` it is one of a
        forest: grown on such a sample, looking at some predictors for each cut, while values are
        drawn from the records that the tree has not seen, if a leaf has any. With `even` draws are
        spread evenly where neither `bootstrap` nor `proper` asks for independent ones.
        """
        weights = None
        every, everyone = column.values, data
        seen = np.ones(len(every), dtype=bool)
        if (proper or out_of_bag) and len(every):
            count = len(every)
            drawn = np.bincount(generator.integers(0, count, count), minlength=count)
            seen = drawn > 0
            rows = np.flatnonzero(seen)
            data, column = data.take(rows), column.with_values(every[rows])
            weights = drawn[rows].astype(np.float64)
        values = column.values
        continuous = column.attribute.continuous
        # In units of the largest number, so that no square overflows.
        unit = float(np.abs(values).max(initial=0.0)) or 1.0 if continuous else 1.0
        scaled = values / unit if continuous else values
        matrix, tree = None, None
        donors, donor_weights = values, weights
        if out_of_bag:
            donors, donor_weights = every, np.ones(len(every))
        leaf_of_record, count = np.zeros(len(donors), dtype=np.int64), 1
        numbers = np.zeros(1, dtype=np.int64)
        if predictors and len(values) >= 2 * leaf and (scaled != scaled[0]).any():
            matrix = TreeMatrix.fit([data], predictors, _targets(column, scaled), prior=1.0)
            x = matrix.matrix(data, narrow=True)
            tree = _grown(column, scaled, x, leaf, generator, weights, some=out_of_bag)
            if out_of_bag:
                x = matrix.matrix(everyone, narrow=True)
            at = tree.apply(x)
            ends = np.flatnonzero(tree.tree_.children_left < 0)
            numbers = np.zeros(tree.tree_.node_count, dtype=np.int64)
            numbers[ends] = np.arange(len(ends))
            leaf_of_record, count = numbers[at], len(ends)
        if out_of_bag:
            unseen = np.bincount(leaf_of_record[~seen], minlength=count) > 0
            donor_weights = np.where(seen & unseen[leaf_of_record], 0.0, 1.0)
        return cls(
            matrix,
            tree,
            numbers,
            Leaves.of(
                donors,
                leaf_of_record,
                count,
                generator if bootstrap else None,
                donor_weights,
                even=even and not proper,
            ),
            Smoothing.of(every) if smooth and continuous else None,
        )

    def kept(self) -> Tree:
        """Return the same tree without anything of the library that grew it."""
        return self if self.tree is None else replace(self, tree=Cuts.of(self.tree))

    def draw(
        self, table: Microdata, generator: np.random.Generator, *, whole: bool = False
    ) -> NDArray[Any]:
        """Return a value for every row of a table of the predictors."""
        leaf = np.zeros(len(table), dtype=np.int64)
        if self.matrix is not None:
            for start in range(0, len(table), BLOCK):
                rows = np.arange(start, min(start + BLOCK, len(table)))
                x = self.matrix.matrix(table.take(rows), narrow=True)
                leaf[rows] = self.numbers[self.tree.apply(x)]
        values = self.leaves.draw(leaf, generator, whole=whole)
        return values if self.smoothing is None else self.smoothing.smoothed(values, generator)


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
    *,
    some: bool,
) -> Any:
    """Grow a tree; with `some` each cut is the best of some predictors, chosen at random."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    options: dict[str, Any] = {
        "min_samples_leaf": leaf,
        "random_state": int(generator.integers(0, 2**31)),
        "max_features": max(1, round(SOME * x.shape[1])) if some else None,
    }
    nominal = column.attribute.kind is Kind.NOMINAL
    if nominal and len(np.unique(scaled)) <= MOST_CATEGORIES:
        gini = 1 - float(((np.bincount(scaled) / len(scaled)) ** 2).sum())
        tree = DecisionTreeClassifier(min_impurity_decrease=LEAST_GAIN * gini, **options)
        return fit_classes(tree, x, scaled, weights)
    response = _profiles(scaled, x) if nominal else np.asarray(scaled, dtype=np.float64)
    gain = LEAST_GAIN * float(response.var(axis=0).mean())
    tree = DecisionTreeRegressor(min_impurity_decrease=gain, **options)
    return tree.fit(x, response, sample_weight=weights)


def _profiles(codes: Codes, x: NDArray[Any]) -> Numbers:
    """Return a few numbers in place of each of very many categories.

    Categories whose records have similar predictors get similar numbers: the main directions of the
    mean predictors of the categories. So the time to grow a tree does not depend on how many
    categories there are, nor its shape on their names.
    """
    counts = np.bincount(codes)
    present = np.flatnonzero(counts)
    spread = x.std(axis=0)
    unit = (x - x.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    sums = np.column_stack([np.bincount(codes, column) for column in unit.T])
    means = sums[present] / counts[present, None]
    left, sizes, _ = np.linalg.svd(means * np.sqrt(counts[present, None]), full_matrices=False)
    scores = left[:, :SCORES] * sizes[:SCORES] / np.sqrt(counts[present, None])
    return np.asarray(scores[np.searchsorted(present, codes)])
