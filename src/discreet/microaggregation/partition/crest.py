"""CREST, the class-restricted spanning tree cut into groups."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Context, Spec, param
from discreet.microaggregation.blocks import Labels, Points
from discreet.microaggregation.class_restriction import DIVERGENCE, ClassRestricted


class CREST(ClassRestricted):
    """Groups of k records or more that are alike, with the confidential classes well mixed.

    A spanning tree is grown from the record farthest from the centroid. The next edge to join is
    the one with the least composite distance α L + (1 − α) JSD: its length, and how far the
    classes around it are from those of the file. Around it are its two ends and the first b − 2
    records met by a breadth-first search from the end in the tree; as records join, these change,
    and the distance with them. Then, among the edges with k records or more on both sides, the one
    that raises the class divergence least for its length is cut, until there is none.

    Ties in distance are broken by the order of the file, so the groups are a function of the data
    alone. The time grows with the square of the number of records; PartialCREST is faster.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 25, 30, 33, 40, 42], "ill": list("yynnyn")},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> CREST(k=2).groups(data, ["age"], Context()).labels
    array([0, 1, 0, 1, 2, 2])
    """

    spec: ClassVar[Spec] = Spec(
        name="crest",
        title="CREST: class-restricted spanning tree",
        citation="Li & Sarkar, Class-restricted clustering and microperturbation for data privacy "
        "(2013), §4, Fig. 4",
        missing=ClassRestricted.missing,
        guarantees=("k-anonymity",),
        formula=DIVERGENCE
        + "tree: the edge with the least CD_e = α·L_e + (1 − α)·JSD_{B(e)} joins next (eq. 6)\n"
        "cuts: the edge with the least r_e = (WJSD − JSD)/L_e goes first, n_g ≥ k (eq. 9)",
        cost="n² time, memory n·c",
    )

    alpha: float = param(
        default=0.5,
        help="weight of the distance when the tree is grown, the rest being that of the class "
        "divergence: 1 for the distance alone, 0 for the classes alone",
        at_least=0,
        at_most=1,
    )
    b: int | None = param(
        default=None,
        help="number of records, the two ends of an edge among them, whose classes count for its "
        "divergence; k if not given, but with k of 20 or more a b of 10 to 20 mixed the classes a "
        "little better in most files tried",
        at_least=2,
    )

    def label(
        self, points: Points, attributes: int, start: int, classes: Labels, context: Context
    ) -> Labels:
        """Return groups of k or more, numbered in the order of their first records."""
        from discreet.kernels.class_restricted_tree import class_restricted_tree
        from discreet.kernels.tree_divergence import cut_by_ratio

        with context.task("joining records", len(points)) as advance:
            edges, lengths = class_restricted_tree(
                points,
                attributes,
                classes,
                alpha=self.alpha,
                b=self.k if self.b is None else self.b,
                start=start,
                advance=advance,
            )
        with context.task("cutting edges", len(points)) as advance:
            return cut_by_ratio(edges, lengths, self.k, classes, advance)
