"""CREST, the class-restricted spanning tree cut into groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from discreet.contracts import Context, Groups, Spec, param
from discreet.microaggregation.blocks import Labels, Points
from discreet.microaggregation.class_restriction import DIVERGENCE, X2, ClassRestricted
from discreet.microdata import Microdata

PRINTED, SCALED = "printed", "scaled"
FEW = 10
"""The most records around an edge in the first of the two trees that an automatic b grows."""


class CREST(ClassRestricted):
    """Groups of k records or more that are alike, with the confidential classes well mixed.

    A spanning tree is grown from the record farthest from the centroid. The next edge to join is
    the one with the least composite distance α L + (1 − α) JSD: its length, and how far the
    classes around it are from those of the file. Around it are its two ends and the first b − 2
    records met by a breadth-first search from the end in the tree; as records join, these change,
    and the distance with them. Then, among the edges with k records or more on both sides, the one
    that raises the class divergence least for its length is cut, until there is none.

    The paper leaves b open. Among many records one more hardly changes the classes, among few it
    changes them by chance; neither is better on every file. So where k is above 10 two trees are
    grown, with b = 10 and with b = k, and the groups with the lower X² are kept; `detail` has their
    b.

    Ties in distance are broken by the order of the file, so the groups are a function of the data
    alone. Records are searched for in a tree of boxes, which saves the less the more columns there
    are; PartialCREST is faster on large files.

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
        cost="n·log n steps in few columns, n² comparisons at worst; memory n·c",
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
        "divergence; if not given, 10 and k are both tried where k is above 10, and the groups "
        "whose classes are mixed better (lower X²) are kept",
        at_least=2,
    )
    distance: str = param(
        default=PRINTED,
        help="printed divides the root of the summed squares by the number of columns, as the "
        "paper does, so that with many columns the classes weigh more; scaled divides it by the "
        "root of that number, which gives alpha the same meaning for any number of columns",
        choices=(PRINTED, SCALED),
    )

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        """Return groups of at least k records, by the b that mixes the classes best."""
        if self.b is None:
            widths = sorted({min(self.k, FEW), self.k})
            tried = [
                type(self)(**{**self.values(), "b": b}).groups(data, columns, context)
                for b in widths
            ]
            return min(tried, key=lambda groups: float(groups.detail[X2]))
        groups = super().groups(data, columns, context)
        return replace(groups, detail={**groups.detail, "b": self.b})

    def label(
        self, points: Points, attributes: int, start: int, classes: Labels, context: Context
    ) -> Labels:
        """Return groups of k or more, numbered in the order of their first records."""
        from discreet.kernels.class_restricted_tree import class_restricted_tree
        from discreet.kernels.tree_divergence import cut_by_ratio

        with context.task("joining records", len(points)) as advance:
            edges, lengths = class_restricted_tree(
                points,
                attributes**2 if self.distance == PRINTED else attributes,
                classes,
                alpha=self.alpha,
                b=self.k if self.b is None else self.b,
                start=start,
                advance=advance,
            )
        with context.task("cutting edges", len(points)) as advance:
            return cut_by_ratio(edges, lengths, self.k, classes, advance)
