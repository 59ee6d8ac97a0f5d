"""A minimum spanning tree cut into groups that satisfy k-anonymity and t-closeness."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Groups, Spec, param
from discreet.errors import UsageError
from discreet.microaggregation.blocks import Labels, Points
from discreet.microaggregation.grouping import PointPartition
from discreet.microdata import Column, Kind, Microdata, Role


class TClosenessMST(PointPartition):
    """Groups of k records or more, whose confidential values are distributed as in the file.

    The records are joined by the edges of least total length. Of the edges that leave on both
    sides at least k records and a distribution of the confidential column within t of the file's,
    the longest is cut first, then the longest of the rest, until there is none.

    The distance of a group's shares p to the file's shares q is the earth mover's distance:
    ½ Σ |pᵢ − qᵢ| for a nominal column, and Σᵢ |Σⱼ≤ᵢ (pⱼ − qⱼ)| / (C − 1) for an ordinal one with
    C categories. A missing value is a category of its own, one whole step from every other: with
    p₀ and q₀ the missing shares, an ordinal column has |p₀ − q₀| + min(1 − p₀, 1 − q₀) times the
    distance of the values present.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41], "ill": ["y", "n", "n", "y"]},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> TClosenessMST(k=2, t=0.1).groups(data, ["age"], Context()).labels
    array([0, 0, 1, 1])
    """

    spec: ClassVar[Spec] = Spec(
        name="t-closeness-mst",
        title="MST with t-closeness",
        citation="Li & Sarkar, Class-restricted clustering and microperturbation for data privacy "
        "(2013), §6.1, the benchmark; t-closeness: Li, Li & Venkatasubramanian (2007)",
        missing=PointPartition.missing,
        guarantees=("k-anonymity",),
        formula="tree: minimal Σ L_e over its edges, L_e the distance\n"
        "cuts: the longest edge goes first, of those that leave n_g ≥ k and E(p_g, q) ≤ t on both "
        "sides",
        cost="about n^1.5 time in few columns, for the cuts, n² comparisons at worst; memory n·c",
    )

    t: float = param(
        default=0.2,
        help="largest distance of a group's confidential values to the file's: 0 for the same "
        "shares, 1 for nothing in common",
        above=0,
        at_most=1,
    )
    confidential: str | None = param(
        default=None,
        public=True,
        help="the nominal or ordinal column whose distribution is kept; the only confidential "
        "column if not given",
    )

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        """Return groups of at least k records, each within t of the file."""
        from discreet.kernels.closeness import distances

        for name in ("refine", "refine_seconds", "blocks"):
            if getattr(self, name):
                raise UsageError(
                    f"TClosenessMST takes no '{name}', which would form groups without regard to "
                    "t; leave it out, or take the partition mst"
                )
        column = self._column(data)
        base = super().groups(data, columns, context)
        detail = {
            **base.detail,
            "edges cut": base.count - 1,
            "largest distance to the file": float(distances(base.labels, *_coded(column)).max()),
        }
        # The measure covers every confidential column, so t is guaranteed only where there is one.
        only = data.having(Role.CONFIDENTIAL) == (column.name,)
        proves = {"t-closeness": self.t} if only else {}
        return Groups(base.labels, base.least_size, detail, proves)

    def labelling(self, data: Microdata) -> Callable[[Points, Context, int], Labels]:
        """Return the cutting that keeps the classes of these data close."""
        from discreet.kernels.mst import minimum_spanning_tree
        from discreet.kernels.tree_closeness import cut_by_closeness

        classes, count, ordered = _coded(self._column(data))

        def label(points: Points, context: Context, nominal: int) -> Labels:
            with context.task("joining records", len(points)) as advance:
                edges, lengths = minimum_spanning_tree(points, advance, nominal)
            with context.task("cutting edges", len(points)) as advance:
                return cut_by_closeness(
                    edges, lengths, self.k, classes, count, self.t, ordered=ordered, advance=advance
                )

        return label

    def announce(self, points: Points, context: Context, nominal: int = 0) -> None:
        """Announce no time: samples of the points have no classes to be cut by."""

    def _column(self, data: Microdata) -> Column:
        """Return the column whose distribution counts; raise a usage error if it is not clear."""
        name = self.confidential
        if name is None:
            names = data.having(Role.CONFIDENTIAL)
            if len(names) != 1:
                candidates = ", ".join(f"'{n}'" for n in names) or "none"
                raise UsageError(
                    "TClosenessMST needs one confidential column, but the data have "
                    f"{candidates}; name the one to keep with the parameter 'confidential'"
                    + ("" if names else ", or give a column the role confidential")
                )
            name = names[0]
        column = data.column(name)
        if column.attribute.continuous:
            raise UsageError(
                f"TClosenessMST needs classes, but the confidential column '{name}' is "
                "continuous; declare its kind as ordinal or nominal, or recode it to a few "
                "classes first"
            )
        return column


def _coded(column: Column) -> tuple[NDArray[np.int64], int, bool]:
    """Return the class of each record, the number of classes, and whether they have an order.

    Only classes that occur count, as in the measure: a reader of the release sees no others.
    """
    present = ~column.missing
    occurring, ranks = np.unique(column.values[present], return_inverse=True)
    codes = np.full(len(present), -1, dtype=np.int64)
    codes[present] = ranks
    return codes, len(occurring), column.attribute.kind is Kind.ORDINAL
