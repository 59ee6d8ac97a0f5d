"""Refinement of any partition: the same local search, whatever formed the groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from discreet.contracts import Context, Groups, Partition, Spec, param
from discreet.microaggregation.grouping import PointPartition, refined, sse_share
from discreet.microdata import Microdata
from discreet.microdata.embedding import SCALINGS, Embedding


class Refined(Partition):
    """Another partition's groups, improved by moves, swaps, splits and merges of records.

    The within-group sum of squares never rises, and groups have k to 2k − 1 records afterwards,
    with the k that the other partition guarantees. Its other guarantees (t-closeness, boxes that
    do not overlap) no longer hold. Partitions of points have the same search as an option.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 21, 50, 51, 80, 81]}, roles={"age": "quasi-identifier"})
    >>> partition = Refined(discreet.partition.Mondrian(k=2), steps=100)
    >>> partition.groups(data, ["age"], Context()).labels
    array([0, 0, 1, 1, 2, 2])
    """

    spec: ClassVar[Spec] = Spec(
        name="refined",
        title="Refinement of another partition",
        citation="the optimal k-partition of Domingo-Ferrer, A survey of inference control "
        "methods, §2, sought by local search",
        missing=PointPartition.missing,
        random=True,
        guarantees=("k-anonymity",),
        formula="small SSE = Σ_g Σ_{i∈g} ‖xᵢ − x̄_g‖²,  k ≤ n_g ≤ 2k − 1",
        cost="that of the other partition, and n·steps moves; memory n·c",
    )

    partition: Partition = param(default="mdav", help="how the groups are formed first")
    steps: int = param(
        default=500, help="steps of local search per record; 500 is thorough", at_least=1
    )
    seconds: float | None = param(
        default=None,
        help="seconds of local search in place of steps; cannot be reproduced from its seed",
        above=0,
    )
    scaling: str = param(
        default="standard",
        help="what a column is divided by before distances are taken: its standard deviation, "
        "its range, its interquartile range (robust), or nothing",
        choices=SCALINGS,
    )

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        """Return groups of k to 2k − 1 records with no larger sum of squares."""
        start = self.partition.groups(data, columns, context.within("partition"))
        points = Embedding.fit(data, columns, self.scaling).points(data)
        steps = None if self.seconds else self.steps * len(points)
        labels = refined(points, start.labels, start.least_size, steps, self.seconds, context)
        detail = {
            "SSE/SST before refinement": sse_share(points, start.labels),
            "SSE/SST": sse_share(points, labels),
        }
        return Groups(labels, start.least_size, detail)
