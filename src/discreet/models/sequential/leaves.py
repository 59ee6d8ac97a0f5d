"""The leaves of a tree: which original values they hold, and how values are drawn from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers
from discreet.models.sequential.even import evenly

Codes = NDArray[np.int64]

FEWEST = 1_000
"""A file with this many records has about the shares of the one that it is modelled on."""
ROUNDS = 5
"""Rounds of adjusting the weights; the remaining difference is then below sampling error."""
FARTHEST = 2.0
"""A weight is at most multiplied or divided by this."""
STRETCHES = 50
"""Stretches of infrequent values; a frequent value has a larger share than one in this many."""


@dataclass(frozen=True, eq=False)
class Leaves:
    """The values of the original records, leaf after leaf.

    `starts` is where each leaf starts, with the end of the last; `cumulated` are the running sums
    of the records' weights, from 0. With `even` the draws of neighbouring leaves together have the
    shares and means that the leaves have; otherwise they are independent, as combining rules for
    several releases assume.
    """

    values: NDArray[Any]
    starts: Codes
    cumulated: Numbers
    even: bool

    @classmethod
    def of(
        cls,
        values: NDArray[Any],
        leaf: Codes,
        count: int,
        generator: np.random.Generator | None,
        weights: Numbers | None = None,
        *,
        even: bool = True,
    ) -> Leaves:
        """Sort values by leaf; with a generator their weights are those of a Bayesian bootstrap.

        `weights` says how often each record counts; once if not given.

        >>> leaves = Leaves.of(np.array([5.0, 1.0, 6.0]), np.array([1, 0, 1]), 2, None)
        >>> leaves.values, leaves.starts
        (array([1., 5., 6.]), array([0, 1, 3]))
        """
        order = np.lexsort((values, leaf))
        starts = np.concatenate([[0], np.cumsum(np.bincount(leaf, minlength=count))])
        record_weights = np.ones(len(values)) if weights is None else weights[order]
        if generator is not None:
            # A record that counts n times gets the sum of n exponential weights.
            record_weights = generator.standard_gamma(record_weights)
        cumulated = np.concatenate([[0.0], np.cumsum(record_weights)])
        return cls(values[order], starts, cumulated, even and generator is None)

    def draw(
        self, leaf: Codes, generator: np.random.Generator, *, whole: bool = False
    ) -> NDArray[Any]:
        """Return a value for each of these leaves; `whole` says that they are those of a file.

        A tree that was grown on the records themselves cuts rare values off closely, and more
        records of a new file than of the original one fall into these leaves. So the weights are
        adjusted until the whole file is expected to have the original shares.
        """
        cumulated = self.cumulated
        if whole and self.even and len(leaf) >= FEWEST:
            counts = np.bincount(leaf, minlength=len(self.starts) - 1)
            cumulated = np.concatenate([[0.0], np.cumsum(self._adjusted(counts))])
        chance = generator.random(len(leaf))
        if self.even:
            chance[np.argsort(self._places()[leaf] + chance)] = evenly(len(leaf), generator)
        # In place, since each of these is as long as the file.
        low, level = cumulated[self.starts[leaf]], cumulated[self.starts[leaf + 1]]
        level -= low
        level *= chance
        level += low
        del low, chance
        at = np.searchsorted(cumulated, level, side="right")
        at -= 1
        return self.values[np.clip(at, self.starts[leaf], self.starts[leaf + 1] - 1, out=at)]

    def _places(self) -> Codes:
        """Return the place of each leaf in the order of their means: like leaves are neighbours."""
        sums = np.add.reduceat(self.values.astype(np.float64), self.starts[:-1])
        return np.argsort(np.argsort(sums / np.diff(self.starts), kind="stable"))

    def _adjusted(self, counts: Codes) -> Numbers:
        """Return weights by which a file with this many records in each leaf keeps its shares.

        Iterative proportional fitting: the odds of values within a leaf change alike everywhere.
        """
        weights = np.diff(self.cumulated)
        classes = _classes(self.values)
        shares = np.bincount(classes, weights)
        shares *= counts.sum() / shares.sum()
        factors = np.ones(len(shares))
        sizes = np.diff(self.starts)
        for _ in range(ROUNDS):
            adjusted = weights * factors[classes]
            totals = np.add.reduceat(adjusted, self.starts[:-1])
            expected = np.bincount(classes, adjusted * np.repeat(counts / totals, sizes))
            factors *= shares / np.maximum(expected, 1e-9)
            factors = np.clip(factors, 1 / FARTHEST, FARTHEST)
        return np.asarray(weights * factors[classes])


def _classes(values: NDArray[Any]) -> Codes:
    """Return the class of each value: a frequent value is one, the others are cut into stretches.

    >>> _classes(np.array([0.0, 0.0, 0.0, *range(1, 101)]))[:6]
    array([50, 50, 50,  0,  0,  1])
    """
    distinct, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    frequent = counts * STRETCHES > len(values)
    rest = np.where(frequent, 0, counts)
    stretch = (np.cumsum(rest) - rest) * STRETCHES // max(1, int(rest.sum()))
    class_of_frequent = STRETCHES + np.arange(len(distinct))
    return np.asarray(
        np.unique(np.where(frequent, class_of_frequent, stretch), return_inverse=True)[1][places]
    )
