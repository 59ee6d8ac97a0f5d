"""Grouping points: what all partitions that work on distances share.

A partition of this kind only defines how points are labelled. Scaling, the choice of columns that
represent all (key attributes), cutting large files into blocks and refinement by local search are
the same for all of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Groups, Needs, Partition, param
from discreet.contracts.partition import GROUP_SIZES, require_records
from discreet.contracts.progress import Advance
from discreet.contracts.timing import timed
from discreet.microaggregation.blocks import (
    Labels,
    Points,
    cut_into_blocks,
    label_blocks,
    loss_through_cuts,
    stretches,
    within_groups,
)
from discreet.microdata import Microdata
from discreet.microdata.embedding import SCALINGS, Embedding, spread_out
from discreet.models.dependency import dependency_tree

KEY, NORMALISED_KEY = "key", "normalised-key"
LARGE = 100_000
PATIENCE = 20.0
STEP = 4
SAMPLES = (4_000, 4_000 * STEP, 4_000 * STEP**2)
MOST_RISE = 0.3
"""The most by which a power of the records is believed to rise beyond the samples."""
MANY = 10
"""A file this many times as large as the largest sample is worth the time that this one takes."""
LEAST_TIME = 1e-6
"""Seconds that a sample takes at least, even if a coarse clock shows none."""
MISSING = "a category of its own: at the centre of its column, one step from every value"


class PointPartition(Partition):
    """A partition that is a function of points and their distances."""

    missing: ClassVar[str] = MISSING

    k: int = param(
        default=5,
        help="minimum number of records in a group",
        at_least=2,
        trials=GROUP_SIZES,
        monotone=True,
    )
    scaling: str = param(
        default="standard",
        help="what a column is divided by before distances are taken: its standard deviation, "
        "its range, its interquartile range (robust), or nothing",
        choices=SCALINGS,
    )
    attributes: str = param(
        default="all",
        help="which columns enter the distance: all, or only the key attributes of their "
        "dependency tree (about half of them or fewer), which loses far more over all "
        "columns; normalised-key takes the tree's measure relative to the joint entropy, so "
        "that columns of few values are not preferred; all columns are replaced either way; "
        "for speed use blocks instead",
        choices=("all", KEY, NORMALISED_KEY),
    )
    blocks: int | None = param(
        default=None,
        help="cut a file of more records than this into blocks of at most as many, along the data, "
        "and group each separately, on all cores: faster, and the result states what the cuts "
        "cost; if not given, the whole file is grouped at once",
        at_least=2,
    )
    refine: int = param(
        default=0,
        help="steps of local search per record that lower the within-group sum of squares "
        "afterwards, keeping groups of k to 2k − 1 records; 0 for none, 500 is thorough",
        at_least=0,
    )
    refine_seconds: float | None = param(
        default=None,
        help="seconds of local search in place of steps; the outcome then depends on the speed "
        "of the machine and cannot be reproduced from its seed",
        above=0,
    )
    certificate: float = param(
        default=0.0,
        help="seconds to spend on proving how far from the best possible the groups are, for "
        "small files; 0 for none",
        at_least=0,
    )

    def label(self, points: Points, context: Context, nominal: int = 0) -> Labels:
        """Return a group label for each point; every group has at least k.

        The last `nominal` columns are codes, as `Embedding.coded` gives them.
        """
        raise TypeError(f"{type(self).__name__} does not say how to label points")

    def labelling(self, data: Microdata) -> Callable[[Points, Context, int], Labels]:
        """Return how points of these data are labelled; overridden where more than points count."""
        return self.label

    @property
    def needs(self) -> Needs:
        """Blocks; key attributes and proofs are found for the whole file only."""
        uses_more_than_points = type(self).labelling is not PointPartition.labelling
        whole = uses_more_than_points or self.attributes != "all" or bool(self.certificate)
        return Needs.FILE if whole else Needs.BLOCKS

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        """Return groups of at least k records."""
        require_records(data, self.k, type(self).__name__)
        detail: dict[str, Any] = {}
        loss = "SSE/SST"
        if self.attributes != "all":
            # Algorithm 2, steps 1 and 2, of Sun et al. 2012: project to the key attributes.
            columns = dependency_tree(data, columns, self.attributes == NORMALISED_KEY).key
            detail["key attributes"] = columns
            loss = "SSE/SST of the key attributes"
        embedding = Embedding.fit(data, columns, self.scaling)
        points, nominal = embedding.coded(data), embedding.nominal
        order: NDArray[np.int64] | None = None
        if self.blocks is not None and len(points) > self.blocks:
            blocks = cut_into_blocks(points, self.blocks, self.k, nominal, embedding.code_widths)
            order = np.concatenate(blocks)
            # From here on block by block; the table in its old order is released.
            points = points[order]
            labels = self._in_blocks(points, stretches(blocks), context, detail, nominal)
        else:
            self.announce(points, context, nominal)
            labels = self.labelling(data)(points, context, nominal)
            if self._refines:
                detail[f"{loss} before refinement"] = sse_share(points, labels, nominal)
                labels = self._refined(embedding.points(data), labels, context)
        detail[loss] = sse_share(points, labels, nominal)
        if self.certificate:
            detail["certificate"] = self._certified(spread_out(points, nominal), labels, context)
        if order is not None:
            in_blocks, labels = labels, np.empty_like(labels)
            labels[order] = in_blocks
        return Groups(labels, self.k, detail)

    def groups_within(
        self,
        data: Microdata,
        columns: Sequence[str],
        strata: NDArray[np.int64],
        context: Context,
    ) -> Groups | None:
        """Return groups of at least k records of one stratum; distances are those of the file.

        None where the partition needs more of a stratum than its points, or cuts it into blocks.
        """
        sizes = np.bincount(strata)
        if self.needs is not Needs.BLOCKS or (self.blocks or np.inf) < sizes.max(initial=0):
            return None
        require_records(range(int(sizes.min(initial=self.k))), self.k, type(self).__name__)
        embedding = Embedding.fit(data, columns, self.scaling)
        order = np.argsort(strata, kind="stable")
        labels = np.empty(len(order), dtype=np.int64)
        points = embedding.coded(data)[order]
        labels[order] = self.label_within(points, sizes, context, embedding.nominal)
        return Groups(labels, self.k)

    def label_within(
        self, points: Points, sizes: Labels, context: Context, nominal: int = 0
    ) -> Labels:
        """Return a group label for each point; the points are ordered by stratum."""
        ends = np.cumsum(sizes).tolist()
        blocks = [slice(end - n, end) for end, n in zip(ends, sizes.tolist(), strict=True)]
        return self.labelled(points, blocks, context, nominal, rise=False)[0]

    @property
    def _refines(self) -> bool:
        return bool(self.refine or self.refine_seconds)

    def _refined(
        self, points: Points, labels: Labels, context: Context, share: float = 1.0
    ) -> Labels:
        seconds = self.refine_seconds
        if seconds:
            return refined(points, labels, self.k, None, seconds * share, context)
        return refined(points, labels, self.k, self.refine * len(points), None, context)

    def _in_blocks(
        self,
        points: Points,
        blocks: list[slice],
        context: Context,
        detail: dict[str, Any],
        nominal: int,
    ) -> Labels:
        """Group block by block on all cores, and state what the cuts cost."""
        labels, rise = self.labelled(points, blocks, context, nominal)
        detail["blocks"] = len(blocks)
        detail["estimated rise of SSE through the cuts"] = rise
        return labels

    def labelled(
        self,
        points: Points,
        blocks: list[slice],
        context: Context,
        nominal: int = 0,
        rise: bool = True,
    ) -> tuple[Labels, float]:
        """Return the labels of points that are ordered block by block, and what the cuts cost.

        The latter is the estimated share by which the sum of squares is larger than without them;
        it takes time, and is 0 where it is not asked for.
        """
        quiet = Context(context.randomness, path=context.path)

        def label(part: Points) -> Labels:
            if len(part) < 2 * self.k:
                return np.zeros(len(part), dtype=np.int64)
            labels = self.label(part, quiet, nominal)
            if not self._refines:
                return labels
            # As many blocks are refined at a time as there are cores.
            share = min(1.0, (os.cpu_count() or 1) / len(blocks))
            return self._refined(spread_out(part, nominal), labels, quiet, share)

        with context.task("grouping records in blocks", len(points)) as advance:
            labels = label_blocks(points, blocks, label, advance)
        return labels, loss_through_cuts(points, blocks, label, nominal) if rise else 0.0

    def announce(self, points: Points, context: Context, nominal: int = 0) -> None:
        """Say how long an exact run on a large file will take, before it starts."""
        if len(points) < LARGE:
            return
        from discreet.kernels.mdav import none_scanned

        with none_scanned():
            seconds = expected_seconds(points, lambda part: self.label(part, Context(), nominal))
        faster = "" if seconds < PATIENCE else f"; blocks={len(points) // 8} would be faster"
        context.progress.say(
            f"grouping {len(points):,} records exactly will take about {max(seconds, 1):.0f} s"
            f"{faster}"
        )

    def _certified(self, points: Points, labels: Labels, context: Context) -> str:
        from discreet.microaggregation.certificate import certify

        with context.task("proving how good the groups are", 1.0) as advance:
            certificate = certify(
                points,
                labels,
                self.k,
                seconds=self.certificate,
                rng=context.generator("certificate"),
                advance=_from_fractions(advance),
            )
        return certificate.statement


def refined(
    points: Points,
    labels: Labels,
    k: int,
    steps: int | None,
    seconds: float | None,
    context: Context,
) -> Labels:
    """Return groups of k to 2k − 1 with no larger sum of squares, by local search."""
    from discreet.kernels.refine import refine_labels

    with context.task("refining groups", 1.0) as advance:
        return refine_labels(
            points,
            labels,
            k,
            steps=steps,
            seconds=seconds,
            rng=context.generator("refinement"),
            advance=_from_fractions(advance),
        )


def _from_fractions(advance: Advance) -> Callable[[float], None]:
    """Return a function that receives the share done so far and passes on the increase."""
    done = 0.0

    def reached(fraction: float) -> None:
        nonlocal done
        advance(fraction - done)
        done = fraction

    return reached


def expected_seconds(points: Points, label: Callable[[Points], Labels]) -> float:
    """Estimate how long labelling will take, from its growth on small samples.

    The time grows with a power of the records. This power rises as they outgrow the caches, and is
    taken to rise on as it does between the samples.
    """
    samples = SAMPLES if len(points) >= MANY * SAMPLES[-1] else SAMPLES[:-1]
    times = []
    for size in samples:
        part = points[np.linspace(0, len(points) - 1, size).astype(np.int64)]
        # Compiling and loading at first use do not count, and small files do not need all of it.
        seconds = min(timed(partial(label, part)), timed(partial(label, part)))
        times.append(max(seconds, LEAST_TIME))
    powers = np.diff(np.log(times)) / np.log(STEP)
    steps = np.log(len(points) / samples[-1]) / np.log(STEP)
    # A power below 1 is one of costs that do not grow, and says nothing of the rest.
    rise = (powers[-1] - max(powers[0], 1.0)) * (steps + 1) / 2
    power = np.clip(powers[-1] + np.clip(rise, 0, MOST_RISE), 1, 2)
    return float(times[-1] * STEP ** (steps * power))


def sse_share(points: Points, labels: Labels, nominal: int = 0) -> float:
    """Return the within-group over the total sum of squares; 0 if all points are equal.

    The last `nominal` columns are codes.

    >>> sse_share(np.array([[0.0], [2.0], [20.0], [22.0]]), np.array([0, 0, 1, 1]))
    0.0099009...
    """
    total = within_groups(points, np.zeros(len(points), dtype=np.int64), nominal)
    return within_groups(points, labels, nominal) / total if total else 0.0
