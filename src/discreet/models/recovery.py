"""Recovery: how well one column can be predicted from others.

Half of the records train, the other half is predicted: from the values of one column, as a sum or a
product of several, or by a tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.threads import one_thread
from discreet.microdata import Column, Numbers
from discreet.models.many_classes import fit_classes

Codes = NDArray[np.int64]

CLOSE = 0.05
"""A number is recovered if predicted within this share of its column's standard deviation."""
TRIMMED = (1.0, 99.0)
"""Percentiles beyond which values do not widen the standard deviation."""
LEAST_MISSED = 10
"""If a blind guess misses fewer records than this, nothing can be shown."""
LEAF = 5


def within_one(values: Numbers) -> Numbers:
    """Return numbers divided by a power of two, exactly, so that none exceeds one.

    Squares and sums of the largest numbers that a file can hold are too large for any.

    >>> within_one(np.array([3.0, -4.0]))
    array([ 0.375, -0.5  ])
    """
    largest = np.abs(values[np.isfinite(values)]).max(initial=0.0)
    return np.asarray(np.ldexp(values, -np.frexp(largest)[1]))


@dataclass(frozen=True, eq=False)
class Target:
    """A column to recover: the records that have a value, the first half of them to learn from.

    Numbers are scaled to lie within one. `tolerance` is how close a predicted number must come;
    None for categories.

    >>> import discreet
    >>> age = np.random.default_rng(1).integers(18, 90, 400)
    >>> target = Target.of(discreet.read({"age": age}).column("age"))
    >>> target.gain(target.by_value(age // 2)), target.gain(target.by_value(age // 20)) < 0.2
    (1.0, True)
    """

    rows: Codes
    values: Numbers
    tolerance: float | None

    @classmethod
    def of(cls, column: Column, exactly: bool = False) -> Target | None:
        """Return the target; None if a blind guess misses too few records to show anything.

        Asked for `exactly`, a number counts as recovered only if it is met as a category is.
        """
        rows = np.flatnonzero(~column.missing)
        values = column.values[rows].astype(float)
        tolerance = None
        if column.attribute.continuous:
            rows, values = rows[np.isfinite(values)], within_one(values[np.isfinite(values)])
            if len(values) and not exactly:
                low, high = np.percentile(values, TRIMMED)
                tolerance = float(CLOSE * np.clip(values, low, high).std())
        target = cls(rows, values, tolerance)
        missed = len(rows) >= 4 * LEAST_MISSED and (~target.met(target.blind)).sum()
        return target if missed >= LEAST_MISSED else None

    @cached_property
    def taught(self) -> Numbers:
        """The values to learn from."""
        return self.values[: len(self.values) // 2]

    @property
    def categories(self) -> int:
        """The number of different values to learn."""
        return len(np.unique(self.taught))

    @cached_property
    def blind(self) -> Numbers:
        """The best guess from the distribution alone."""
        if self.tolerance is not None:
            return np.full(len(self.values), np.median(self.taught))
        kinds, counts = np.unique(self.taught, return_counts=True)
        return np.full(len(self.values), kinds[counts.argmax()])

    def met(self, predicted: Numbers) -> NDArray[np.bool_]:
        """Whether each value of the other half is recovered."""
        tested = slice(len(self.values) // 2, None)
        off = np.abs(predicted[tested] - self.values[tested])
        return np.asarray(off <= (self.tolerance or 0.0))

    def gain(self, predicted: Numbers) -> float:
        """Return the share of the values a blind guess misses that the prediction recovers."""
        blind, met = self.met(self.blind).mean(), self.met(predicted).mean()
        return float(max(0.0, met - blind) / (1 - blind))

    def by_value(self, codes: Codes) -> Numbers:
        """Predict from the records with the same value in a column, blindly if there are none."""
        half, count = len(self.taught), int(codes.max()) + 1
        known = np.bincount(codes[:half], minlength=count) > 0
        if self.tolerance is not None:
            sums = np.bincount(codes[:half], self.taught, count)
            counts = np.bincount(codes[:half], minlength=count)
            best = sums / np.maximum(counts, 1)
        else:
            kinds, numbers = np.unique(self.taught, return_inverse=True)
            pairs, counts = np.unique(codes[:half] * len(kinds) + numbers, return_counts=True)
            # The last entry of a code, in the order of its counts, is its most frequent value.
            order = np.argsort(counts, kind="stable")
            best = np.zeros(count)
            best[pairs[order] // len(kinds)] = kinds[pairs[order] % len(kinds)]
        return np.where(known, best, self.blind[0])[codes]

    def linear(self, values: Numbers) -> tuple[Numbers | None, Numbers]:
        """Predict by least squares; return how much each column moves the prediction."""
        # The deviation of equal numbers may be a rounding error.
        scale = np.where(np.ptp(values, axis=0) > 0, values.std(axis=0), 1.0)
        design = np.column_stack([np.ones(len(values)), (values - values.mean(axis=0)) / scale])
        half = len(self.taught)
        if half <= design.shape[1]:
            return None, np.zeros(values.shape[1])
        with one_thread():
            weights = np.linalg.lstsq(design[:half], self.taught, rcond=None)[0]
        return design @ weights, np.abs(weights[1:])

    def multiplied(self, values: Numbers) -> tuple[Numbers | None, Numbers]:
        """Predict as a product of powers of the positive columns: least squares of logarithms."""
        positive = (values > 0).all(axis=0)
        nothing = np.zeros(values.shape[1])
        if not positive.any() or not (self.values > 0).all():
            return None, nothing
        logs = Target(self.rows, np.log(self.values), self.tolerance)
        predicted, weights = logs.linear(np.log(values[:, positive]))
        nothing[positive] = weights
        return None if predicted is None else np.exp(np.clip(predicted, -700, 700)), nothing

    def tree(self, features: Numbers) -> tuple[Numbers, Numbers]:
        """Predict by a tree; return the importance of each column.

        The tree sees ranks: its single precision holds neither large numbers nor close ones. They
        have no gaps and are in its precision already, so that it need not look at them first.
        """
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

        # SciPy's ranks, before 1.14, are NaN where the sum of the numbers overflows.
        ranks = np.empty(features.shape, dtype=np.float32)
        for place, column in enumerate(features.T):
            ranks[:, place] = np.unique(column, return_inverse=True)[1]
        learner = DecisionTreeClassifier if self.tolerance is None else DecisionTreeRegressor
        tree = learner(min_samples_leaf=LEAF, random_state=0)
        fit_classes(tree, ranks[: len(self.taught)], self.taught, check_input=False)
        predicted = tree.predict(ranks, check_input=False).astype(float)
        return predicted, np.asarray(tree.feature_importances_)
