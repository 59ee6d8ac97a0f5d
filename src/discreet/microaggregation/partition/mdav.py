"""MDAV, the fixed-size partition of classic microaggregation."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Context, Spec
from discreet.microaggregation.blocks import Labels, Points
from discreet.microaggregation.grouping import PointPartition

SMALL = 200
"""A stratum of up to this many records is scanned faster than put into a tree."""


class MDAV(PointPartition):
    """Groups of k records, formed from the outside in.

    The record farthest from the average forms a group with its k − 1 nearest; so does the record
    farthest from that one; and so on with the remaining records. Records at equal distance are
    taken in the order of the file, so the groups are a function of the data alone.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41, 80, 81]}, roles={"age": "quasi-identifier"})
    >>> MDAV(k=2).groups(data, ["age"], Context()).labels
    array([1, 1, 2, 2, 0, 0])
    """

    spec: ClassVar[Spec] = Spec(
        name="mdav",
        title="MDAV: maximum distance to average vector",
        citation="Domingo-Ferrer, A survey of inference control methods, Algorithm 1.1",
        missing=PointPartition.missing,
        guarantees=("k-anonymity",),
        formula="small SSE = Σ_g Σ_{i∈g} ‖xᵢ − x̄_g‖²,  n_g ≥ k",
        cost="at most n²/k comparisons, most of them saved by a tree of boxes in few columns",
    )

    def label(self, points: Points, context: Context, nominal: int = 0) -> Labels:
        """Return groups of k, and one or two of up to 2k − 1 at the end."""
        from discreet.kernels.mdav import mdav_labels

        with context.task("grouping records", len(points)) as advance:
            return mdav_labels(points, self.k, advance, nominal)

    def label_within(
        self, points: Points, sizes: Labels, context: Context, nominal: int = 0
    ) -> Labels:
        """Return groups of k of each stratum; many small ones are grouped at once."""
        if self._refines or not len(points) or sizes.max() > SMALL:
            return super().label_within(points, sizes, context, nominal)
        from discreet.kernels.mdav_within import mdav_labels_within

        return mdav_labels_within(points, np.cumsum(sizes), self.k, nominal)
