"""Grouping points: what all partitions that work on distances share.

A partition of this kind only says how points are labelled. Scaling, the choice of columns that
stand for all (key attributes), cutting large files into blocks and refinement by local search come
with it, the same for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Groups, Partition
from discreet.contracts.partition import require_records
from discreet.embedding import SCALINGS, Embedding
from discreet.microdata import Microdata
from discreet.parameters import param

MISSING = "a category of its own: at the centre of its column, one step from every value"


class PointPartition(Partition):
    """A partition that is a function of points and their distances."""

    missing: ClassVar[str] = MISSING

    k: int = param(default=5, help="least number of records in a group", at_least=2)
    scaling: str = param(
        default="standard",
        help="what a column is divided by before distances are taken: its standard deviation, "
        "its range, its interquartile range (robust), or nothing",
        choices=SCALINGS,
    )
    refine: int = param(
        default=0,
        help="steps of local search per record that lower the within-group sum of squares "
        "afterwards, keeping groups of k to 2k − 1 records; 0 for none, 500 is thorough",
        at_least=0,
    )
    refine_seconds: float | None = param(
        default=None,
        help="seconds of local search in place of steps; the outcome then depends on the speed of "
        "the machine and is not repeatable by its seed",
        above=0,
    )

    def label(self, points: NDArray[np.float64], context: Context) -> NDArray[np.int64]:
        """Return a group label for each point; every group has at least k."""
        raise TypeError(f"{type(self).__name__} does not say how to label points")

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        """Return groups of at least k records."""
        require_records(data, self.k, type(self).__name__)
        points = Embedding.fit(data, columns, self.scaling).points(data)
        labels = self.label(points, context)
        detail: dict[str, Any] = {"SSE/SST": sse_share(points, labels)}
        if self.refine or self.refine_seconds:
            labels = self._refined(points, labels, context)
            detail["SSE/SST before refinement"] = detail["SSE/SST"]
            detail["SSE/SST"] = sse_share(points, labels)
        return Groups(labels, self.k, detail)

    def _refined(
        self, points: NDArray[np.float64], labels: NDArray[np.int64], context: Context
    ) -> NDArray[np.int64]:
        from discreet.kernels.refine import refine_labels

        seconds = self.refine_seconds
        with context.task("refining groups", 1.0) as advance:
            done = 0.0

            def reached(fraction: float) -> None:
                nonlocal done
                advance(fraction - done)
                done = fraction

            return refine_labels(
                points,
                labels,
                self.k,
                steps=None if seconds else self.refine * len(points),
                seconds=seconds,
                rng=context.generator("refinement"),
                advance=reached,
            )


def sse_share(points: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """Return the within-group over the total sum of squares; 0 if all points are equal.

    >>> sse_share(np.array([[0.0], [2.0], [20.0], [22.0]]), np.array([0, 0, 1, 1]))
    0.0099009...
    """
    points = points - points.mean(axis=0)
    total = float((points**2).sum())
    if total == 0:
        return 0.0
    sizes = np.bincount(labels)
    within = 0.0
    for column in points.T:
        means = np.bincount(labels, weights=column) / np.maximum(sizes, 1)
        within += float(((column - means[labels]) ** 2).sum())
    return within / total
