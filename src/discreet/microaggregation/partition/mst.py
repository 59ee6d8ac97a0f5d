"""MST, the partition by a minimum spanning tree."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Context, Spec, param
from discreet.microaggregation.blocks import Labels, Points
from discreet.microaggregation.grouping import PointPartition


class MST(PointPartition):
    """Groups of k records or more, left when the longest edges of a spanning tree are cut.

    The records are joined by the edges of least total length. The longest edge with at least k
    records on both sides is cut, then the longest of the rest, until there is none. Groups follow
    the density of the data: well-separated clusters are found whatever their size, but records
    close together stay in groups of 2k and more. Those are split by MDAV unless `split` is off: a
    variant of Laszlo and Mukherjee's M-d, which hands them to an older fixed-size method that
    starts from the two records farthest apart.

    Edges of equal length are taken in the order of the file, so the groups are a function of the
    data alone.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41, 43, 80, 81]},
    ...                      roles={"age": "quasi-identifier"})
    >>> MST(k=2).groups(data, ["age"], Context()).labels
    array([0, 0, 1, 1, 1, 2, 2])
    """

    spec: ClassVar[Spec] = Spec(
        name="mst",
        title="MST: cutting a minimum spanning tree",
        citation="Laszlo & Mukherjee, Minimum spanning tree partitioning algorithm for "
        "microaggregation (2005); Li & Sarkar, Class-restricted clustering and microperturbation "
        "for data privacy (2013), §4",
        missing=PointPartition.missing,
        guarantees=("k-anonymity",),
        formula="tree: minimal Σ L_e over its edges, L_e the distance\n"
        "cuts: the longest edge goes first, of those that leave n_g ≥ k on both sides",
        cost="n·log n steps in few columns, n² comparisons at worst; memory n·c",
    )

    split: bool = param(
        default=True,
        help="split groups of 2k records and more, which have no edge to cut, by MDAV; without "
        "it they stay as they are, and can be large",
    )

    def label(self, points: Points, context: Context, nominal: int = 0) -> Labels:
        """Return groups of k or more, numbered in the order of their first records."""
        from discreet.kernels.mst import minimum_spanning_tree
        from discreet.kernels.tree_cutting import cut_by_size

        with context.task("joining records", len(points)) as advance:
            edges, lengths = minimum_spanning_tree(points, advance, nominal)
        with context.task("cutting edges", len(points)) as advance:
            labels = cut_by_size(edges, lengths, self.k, advance)
        return self._split(points, labels, context, nominal) if self.split else labels

    def _split(self, points: Points, labels: Labels, context: Context, nominal: int) -> Labels:
        from discreet.kernels.mdav import mdav_labels

        sizes = np.bincount(labels)
        members = np.split(np.argsort(labels, kind="stable"), np.cumsum(sizes)[:-1])
        labels, count = labels.copy(), len(sizes)
        with context.task("splitting large groups", len(points)) as advance:
            for group in members:
                if len(group) < 2 * self.k:
                    continue
                parts = mdav_labels(points[group], self.k, advance, nominal)
                labels[group] = count + parts
                count += int(parts.max()) + 1
        _, firsts, groups = np.unique(labels, return_index=True, return_inverse=True)
        return np.asarray(np.argsort(np.argsort(firsts))[groups])
