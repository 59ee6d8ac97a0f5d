"""The leaves of a multivariate regression tree, pruned by error and digression."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from discreet.contracts import Context, Groups, Partition, Spec, param
from discreet.contracts.partition import require_records
from discreet.errors import UsageError
from discreet.microdata import Microdata
from discreet.models.regression_tree.digression import NodeMeasures, measure
from discreet.models.regression_tree.growing import grow
from discreet.models.regression_tree.level import USUAL, chosen_level
from discreet.models.regression_tree.options import TreeOptions
from discreet.models.regression_tree.permutation import DRAWS, Lots
from discreet.models.regression_tree.pruning import prune
from discreet.models.regression_tree.responses import confidential_responses, heavy_tails
from discreet.models.regression_tree.tree import Tree

MOST_PRUNED = 0.1
"""If pruning leaves less than this share of the groups grown, the result says so."""
COLLAPSED = "pruned to few groups by a test that assumes normality of"
LOWERED = "alpha lowered for the heavy tails of"


class RegressionTree(TreeOptions, Partition):
    """Groups that predict the confidential columns well, but do not reveal too much about them.

    A tree is grown that predicts the confidential columns, its responses, from the columns of the
    groups. Each node is cut in two where the error within both parts falls most, for as long as
    both have k records. Then error-digression pruning makes a leaf of every node whose responses
    vary differently from the file, by a likelihood ratio test at level alpha; it begins where the
    least error is added for the most digression removed. The leaves are the groups.

    The test assumes normal responses. Where they have heavy tails it calls nearly every node
    different, and at a usual level few groups are left, which the result reports. So alpha, if not
    given, is then low enough for groups of at most ten times k records on average; `test` =
    permutation instead compares a node with random groups of its size.

    Numeric responses are scaled to [0, 1]. A categorical response enters by its Gini index, and
    the divergence of its class counts stands in for the digression. Responses that are constant or
    depend linearly on others are left out of the digression, and named.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41, 60, 61], "pay": [10, 11, 12, 13, 60, 66]},
    ...                      roles={"age": "quasi-identifier", "pay": "confidential"})
    >>> RegressionTree(k=2).groups(data, ["age"], Context()).labels
    array([0, 0, 0, 0, 1, 1])
    """

    spec: ClassVar[Spec] = Spec(
        name="regression-tree",
        title="Regression tree with error-digression pruning",
        citation="Li & Sarkar, Protecting privacy against regression attacks in predictive data "
        "mining, eq. 1 to 9 and Figure 3",
        missing="in numeric and ordinal columns below the lowest value, in nominal ones a category "
        "of its own; a missing response is set to its mean, or is a class of its own",
        guarantees=("k-anonymity",),
        formula="e(t) = Σᵢ ‖yᵢ − ȳ(t)‖², responses y scaled to [0, 1] (eq. 2)\n"
        "a node is cut where e(t) − Σ e(children) is largest, each child of k records or more\n"
        "Δ(t) = |S − S(t)|, S the scatter matrix of the responses (eq. 3)\n"
        "q_t = (e(t) − e(B_t)) / (Δ(B_t) − Δ(t)), sums over the leaves of branch B_t (eq. 8)\n"
        "L_t = (n_t − 1)·(log|Σ| − log|Σ_t| + trace(Σ_t Σ⁻¹) − r) ~ χ²_{r(r+1)/2} (eq. 9)\n"
        "of the nodes with p(L_t) < α, that of least q_t becomes a leaf, until there is none",
        cost="n·log n time to sort each column once, n·c for each level of the tree; memory n·c; "
        "999 passes over the file more with test=permutation",
    )

    prune: bool = param(default=True, help="prune the tree after growing it")

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        """Return the leaves of the pruned tree."""
        if not columns:
            raise UsageError("RegressionTree needs at least one column to cut, but none was given")
        require_records(data, self.k, "RegressionTree")
        responses = confidential_responses(data, self.responses, "RegressionTree")
        with context.task("growing the tree", len(data)) as advance:
            tree = grow(
                data, columns, responses, self.k, digression=self.digression, advance=advance
            )
        grown = len(tree.leaves)
        measures = self._measures(tree, context)
        detail: dict[str, Any] = {"leaves grown": grown}
        if self.prune:
            alpha = chosen_level(tree, measures) if self.alpha is None else self.alpha
            detail["alpha"] = alpha
            if self.alpha is None and alpha < USUAL:
                detail[LOWERED] = heavy_tails(tree.responses)
            tree = prune(tree, self.k, alpha, measures).tree
        detail |= tree_details(tree, measures.dropped)
        tails = heavy_tails(tree.responses) if self.test == "chi-squared" else ()
        if tails and MOST_PRUNED * grown > len(tree.leaves):
            detail[COLLAPSED] = tails
        return Groups(tree.labels, self.k, detail)

    def _measures(self, tree: Tree, context: Context) -> NodeMeasures:
        if not self.prune or self.test == "chi-squared":
            return measure(tree, self.adjusted)
        with context.task("drawing random groups", DRAWS) as advance:
            return measure(tree, by_lot=Lots(context.generator("permutation"), advance))


def tree_details(tree: Tree, dropped: Sequence[str] = ()) -> dict[str, Any]:
    """Return the details that a partition reports about its tree.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 23, 40, 46], "pay": [10, 11, 30, 32]})
    >>> tree_details(grow(data, ["age"], ["pay"], k=2))
    {'leaves': 2, 'average group size': '2.0', 'columns cut': ('age',), 'columns not cut': ()}
    """
    detail: dict[str, Any] = {
        "leaves": len(tree.leaves),
        "average group size": f"{len(tree.rows) / len(tree.leaves):.1f}",
        "columns cut": tree.used,
        "columns not cut": tree.unused,
    }
    if dropped:
        detail["left out of the digression as constant or dependent"] = tuple(dropped)
    return detail
