"""Partial CREST, an ordinary spanning tree whose cuts take classes into account."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Context, Spec
from discreet.microaggregation.blocks import Labels, Points
from discreet.microaggregation.class_restriction import DIVERGENCE, ClassRestricted


class PartialCREST(ClassRestricted):
    """Groups of k records or more, cut from a minimum spanning tree where classes stay mixed.

    The records are joined by the edges of least total length, whatever their classes. Then, among
    the edges with k records or more on both sides, the one that raises the class divergence least
    for its length is cut, until there is none. This is CREST with α = 1, where no two lengths are
    equal, and much faster for large files; the classes are mixed less well.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 25, 29, 60, 61], "ill": list("ynnyny")},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> PartialCREST(k=2).groups(data, ["age"], Context()).labels
    array([0, 0, 1, 1, 2, 2])
    """

    spec: ClassVar[Spec] = Spec(
        name="partial-crest",
        title="Partial CREST: a spanning tree cut with regard to classes",
        citation="Li & Sarkar, Class-restricted clustering and microperturbation for data privacy "
        "(2013), §6.1",
        missing=ClassRestricted.missing,
        guarantees=("k-anonymity",),
        formula=DIVERGENCE + "tree: minimal Σ L_e over its edges, L_e the distance\n"
        "cuts: the edge with the least r_e = (WJSD − JSD)/L_e goes first, n_g ≥ k (eq. 9)",
        cost="about n^1.5 time in few columns, for the cuts, n² comparisons at worst; memory n·c",
    )

    def label(
        self, points: Points, attributes: int, start: int, classes: Labels, context: Context
    ) -> Labels:
        """Return groups of k or more, numbered in the order of their first records."""
        from discreet.kernels.mst import minimum_spanning_tree
        from discreet.kernels.tree_divergence import cut_by_ratio

        with context.task("joining records", len(points)) as advance:
            edges, lengths = minimum_spanning_tree(points, advance)
        with context.task("cutting edges", len(points)) as advance:
            return cut_by_ratio(edges, lengths / np.sqrt(attributes), self.k, classes, advance)
