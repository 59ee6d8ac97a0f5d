"""MDAV that takes confidential classes into account."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Context, Spec, param
from discreet.microaggregation.blocks import Labels, Points
from discreet.microaggregation.class_restriction import DIVERGENCE, ClassRestricted


class ClassRestrictedMDAV(ClassRestricted):
    """Groups of k records, formed from the outside in, with the confidential classes mixed.

    As in MDAV, the record farthest from the average starts a group, and then the record farthest
    from that one. Records join it one by one, each time the one with the least α L + (1 − α) JSD:
    its distance to the first, and how far the classes of the group would be from those of the file.
    Unlike in CREST, all groups but one or two have k records.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 25, 30, 33, 40, 42], "ill": list("yynnyn")},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> ClassRestrictedMDAV(k=2).groups(data, ["age"], Context()).labels
    array([0, 2, 0, 2, 1, 1])
    """

    spec: ClassVar[Spec] = Spec(
        name="class-restricted-mdav",
        title="MDAV with regard to confidential classes",
        citation="Li & Sarkar, Class-restricted clustering and microperturbation for data privacy "
        "(2013), §8; MDAV: Domingo-Ferrer, A survey of inference control methods, Algorithm 1.1",
        missing=ClassRestricted.missing,
        guarantees=("k-anonymity",),
        formula=DIVERGENCE
        + "the v with the least α·L(s, v) + (1 − α)·JSD_{g∪v} joins group g of seed s,  n_g ≥ k",
        cost="n²/k time, memory n·c",
    )

    alpha: float = param(
        default=0.5,
        help="weight of the distance when records join a group, the rest being that of the class "
        "divergence: 1 for MDAV, 0 for the classes alone",
        at_least=0,
        at_most=1,
    )

    def label(
        self, points: Points, attributes: int, start: int, classes: Labels, context: Context
    ) -> Labels:
        """Return groups of k, and one or two of up to 2k − 1 at the end."""
        from discreet.kernels.class_restricted_mdav import class_restricted_mdav_labels

        with context.task("grouping records", len(points)) as advance:
            return class_restricted_mdav_labels(
                points, attributes, classes, self.k, self.alpha, advance
            )
