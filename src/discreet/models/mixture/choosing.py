"""How many clusters, and of which family: the Bayesian information criterion (eq. 6)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.threads import one_thread
from discreet.errors import DataError
from discreet.microdata import Numbers
from discreet.models.mixture.em import Mixture, fit
from discreet.models.mixture.families import FAMILIES, distinct
from discreet.models.mixture.starting import Tree, agglomerate, by_quantiles, kmeans

SUBSET = 2_000
"""Records used for the agglomerative start, whose cost grows with their square."""
LARGEST = 1e100
"""Beyond this, squares in the columns' own units would overflow: the points stay as they are."""
PROMISING = 0.25
"""Share of the mixtures, by the BIC that the first start leads to, that are started again."""
STARTS = ("agglomerative", "k-means", "both", "every")


@dataclass(frozen=True, eq=False)
class Choice:
    """The chosen mixture, and the criterion of all that were tried.

    `bic` is by family and number of clusters; a mixture that depends on the regularisation is named
    in `held` and is chosen only if there is no other.
    """

    best: Mixture
    bic: dict[tuple[str, int], float]
    held: frozenset[tuple[str, int]]


class Start(NamedTuple):
    """A first partition: the rows that were partitioned, their labels, and in which units."""

    rows: NDArray[np.int64]
    labels: NDArray[np.int64]
    log_units: tuple[float, ...]


class Starts:
    """First partitions into any number of clusters, made once for all families.

    The agglomerative ones are two, on the points' principal axes and of the records in the
    columns' own units (`unscaled`): either may lead EM to the better optimum. With "every" both are
    made once more, by the whole scatter of the clusters. A single column is cut at quantiles, as
    in mclust, and is agglomerated only for "every" or where ties leave too few clusters. Each
    start has the units that it was made in, of which `log_unit` are the columns' own.
    """

    def __init__(
        self,
        points: Numbers,
        kind: str,
        rng: np.random.Generator,
        unscaled: Numbers | None = None,
        log_unit: float = 0.0,
    ) -> None:
        self._points = points
        self._rng = rng
        self._kind = kind
        self._made: dict[int, list[Start]] = {}
        self._rows = np.arange(len(points))
        if len(points) > SUBSET:
            self._rows = np.sort(rng.choice(len(points), SUBSET, replace=False))
        usable = unscaled is not None and float(np.abs(unscaled).max(initial=0.0)) < LARGEST
        self._records = unscaled if unscaled is not None and usable else points
        self._units = 0.0, log_unit

    @cached_property
    def _trees(self) -> list[tuple[Tree, float]]:
        """The agglomerations, each with its unit."""
        on_axes, in_own_units = self._units
        return [
            (agglomerate(table[self._rows], rotated, whole), unit)
            for whole in ((False, True) if self._kind == "every" else (False,))
            for table, rotated, unit in (
                (self._points, True, on_axes),
                (self._records, False, in_own_units),
            )
        ]

    def _at_quantiles(self, clusters: int) -> list[Start]:
        """Return the start of a single column, which is the same in any units, if there is one."""
        if self._points.shape[1] > 1:
            return []
        labels = by_quantiles(self._points[self._rows, 0], clusters)
        return [Start(self._rows, labels, self._units)] if labels.max() + 1 == clusters else []

    def of(self, clusters: int) -> list[Start]:
        """Return the starts; one that is made in several units has all of them."""
        if clusters not in self._made:
            made = self._at_quantiles(clusters) if self._kind != "k-means" else []
            enough = self._kind == "k-means" or (made and self._kind != "every")
            for tree, unit in () if enough else self._trees:
                # labels are numbered by their first point, so that equal partitions are equal
                labels, units = tree.cut(clusters), (unit,)
                same = [i for i, start in enumerate(made) if np.array_equal(labels, start.labels)]
                for i in same:
                    made[i] = made[i]._replace(log_units=made[i].log_units + units)
                if not same:
                    made.append(Start(self._rows, labels, units))
            if self._kind != "agglomerative":
                every = np.arange(len(self._points))
                labels = kmeans(self._points, clusters, self._rng)
                made.append(Start(every, labels, (0.0,)))
            # Ties may leave fewer clusters than were asked for, which is then a different count.
            self._made[clusters] = [s for s in made if int(s.labels.max()) + 1 == clusters]
        return self._made[clusters]


@one_thread()
def choose(
    points: Numbers,
    clusters: Sequence[int],
    families: tuple[str, ...] = tuple(FAMILIES),
    least_weight: float = 0.0,
    student: bool = False,
    start: str = "agglomerative",
    rng: np.random.Generator | None = None,
    advance: Callable[[float], None] = lambda _: None,
    unscaled: Numbers | None = None,
    log_unit: float = 0.0,
) -> Choice:
    """Return the mixture with the largest BIC over numbers of clusters and families.

    All are fitted from the first start, and the most promising from the others; from every start,
    if that is asked for. `unscaled` are the records in the columns' own units, for one of the
    agglomerative starts, where the points are standardised or turned, and `log_unit` the logarithm
    of the volume of a point's unit in them. Each start is followed until EM settles in the units
    that it was made in, as mclust follows it there.

    >>> rng = np.random.default_rng(3)
    >>> points = np.concatenate([rng.normal(0, 1, (60, 2)), rng.normal(8, 1, (40, 2))])
    >>> best = choose(points, range(1, 4)).best
    >>> best.family, best.clusters, best.weights.round(3)
    ('EII', 2, array([0.6, 0.4]))
    """
    rng = rng if rng is not None else np.random.default_rng(0)
    starts = Starts(points, start, rng, unscaled, log_unit)
    fit_to = partial(fit, least_weight=least_weight, student=student)
    reached: dict[tuple[str, int], Mixture] = {}

    def go_on(family: str, count: int, some: Sequence[Start]) -> None:
        for rows, labels, units in some:
            mixture = fit_to(points[rows], labels, family, log_units=units)
            if len(rows) < len(points):
                # Starting from the sample's result, all records need few more steps.
                mixture = fit_to(points, mixture, family, log_units=units)
            other = reached.get((family, count), mixture)
            reached[family, count] = min(mixture, other, key=_rank)

    at_once = None if start == "every" else 1
    for count in clusters:
        for family in distinct(families, points.shape[1], count):
            go_on(family, count, starts.of(count)[:at_once])
        advance(1)
    if at_once:
        ranked = sorted(reached, key=lambda key: _rank(reached[key]))
        for family, count in ranked[: math.ceil(PROMISING * len(ranked))]:
            go_on(family, count, starts.of(count)[at_once:])
    if not reached:
        raise DataError(
            "no mixture could be started: the records have too few different values for "
            f"{min(clusters)} clusters; ask for fewer clusters"
        )
    return Choice(
        min(reached.values(), key=_rank),
        {key: mixture.bic for key, mixture in reached.items()},
        frozenset(key for key, mixture in reached.items() if mixture.held),
    )


def _rank(mixture: Mixture) -> tuple[bool, float]:
    """The key that the choice minimises: not held up first, then a large BIC."""
    return mixture.held, -mixture.bic
