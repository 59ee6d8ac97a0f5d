"""V-MDAV, the variable-size partition of classic microaggregation."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Context, Spec, param
from discreet.microaggregation.blocks import Labels, Points
from discreet.microaggregation.grouping import PointPartition


class VMDAV(PointPartition):
    """Groups of k records or more, as many as lie close together.

    The record farthest from the average of all records, with its k − 1 nearest, makes a group. Of
    the records that are left, the one closest to the group joins it if it is closer to the group
    than γ times its distance to the nearest other record left, until the group has 2k − 1; then
    the next group is formed. The last records, fewer than k, join the group with the nearest
    average; such a group may have more than 2k − 1 (at most 3k − 2), none has fewer than k.
    Records at equal distance are taken in the order of the file.

    γ = 0 keeps groups at k. A small γ suits evenly spread records, a γ near 1 suits records in
    clumps.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 23, 40, 41, 80, 81]},
    ...                      roles={"age": "quasi-identifier"})
    >>> VMDAV(k=2, gamma=1.1).groups(data, ["age"], Context()).labels
    array([1, 1, 1, 2, 2, 0, 0])
    """

    spec: ClassVar[Spec] = Spec(
        name="vmdav",
        title="V-MDAV: MDAV with groups of variable size",
        citation="Solanas and Martínez-Ballesté (2006), V-MDAV: a multivariate microaggregation "
        "with variable group size; Sun et al. (2012), §2.2",
        missing=PointPartition.missing,
        guarantees=("k-anonymity",),
        formula="x joins group g if d(x, g) < γ · d(x, nearest record left), n_g ≤ 2k − 1",
        cost="at most n² comparisons, most of them saved by a tree of boxes in few columns",
    )

    gamma: float = param(
        default=0.2,
        help="the gain factor γ: how readily a group takes in further records; 0 for never",
        at_least=0,
    )

    def label(self, points: Points, context: Context, nominal: int = 0) -> Labels:
        """Return groups of k or more."""
        from discreet.kernels.vmdav import vmdav_labels

        with context.task("grouping records", len(points)) as advance:
            return vmdav_labels(points, self.k, self.gamma, advance, nominal)
