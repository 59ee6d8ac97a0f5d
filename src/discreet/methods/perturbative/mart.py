"""MART, multivariate anonymisation with regression trees."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from discreet.contracts import Columns, Context, Groups, Masked, Method, Spec, param
from discreet.methods.perturbative.microaggregation import Microaggregation
from discreet.microaggregation.partition.regression_tree import COLLAPSED, LOWERED, RegressionTree
from discreet.microaggregation.replacement.value_concatenation import ValueConcatenation
from discreet.microdata import Microdata
from discreet.models.regression_tree.level import USUAL
from discreet.models.regression_tree.options import TreeOptions


class MART(TreeOptions, Method):
    """Groups by a pruned regression tree, then means of numbers and joined categories.

    An intruder can grow a regression tree that predicts the confidential columns from the
    quasi-identifiers: a regression attack. MART grows that tree first, and prunes it where a node's
    confidential values vary less than, or differently from, those of the file. The records of a
    leaf get the same quasi-identifiers: the mean of numbers (or median, or range), and all
    categories of the leaf joined, such as `unskilled+technical`. Confidential columns are released
    as they are.

    The paper's test of a node assumes that the confidential columns are normal. Where they have
    heavy tails it leaves few groups at a usual level, and a note says so. If alpha is not given it
    is then lowered until groups have at most ten times k records on average. The higher alpha is,
    the less an intruder can predict, and the less an analyst can too.

    It is microaggregation with the partition regression-tree and the replacement
    value-concatenation. The conclusion of the paper names two extensions: `digression` in growing,
    and stricter masking of quasi-identifiers that the tree has no use for, with `unused`.

    >>> import discreet
    >>> data = discreet.read(
    ...     {"age": [21, 22, 40, 41, 60, 61], "job": ["a", "b", "a", "b", "c", "c"],
    ...      "pay": [10, 11, 12, 13, 60, 66]},
    ...     roles={"age": "quasi-identifier", "job": "quasi-identifier", "pay": "confidential"})
    >>> released = MART(k=2).protect(data, Context()).data
    >>> released["age"]
    array([31. , 31. , 31. , 31. , 60.5, 60.5])
    >>> released.schema["job"].categories
    ('a+b', 'c')
    """

    spec: ClassVar[Spec] = Spec(
        name="mart",
        title="MART: anonymisation against regression attacks",
        citation="Li & Sarkar, Protecting privacy against regression attacks in predictive data "
        "mining",
        missing="in the tree as the partition 'regression-tree' says, in the released values as "
        "the replacement 'value-concatenation' says",
        guarantees=("k-anonymity",),
        formula=f"{RegressionTree.spec.formula}\n"
        "x′ᵢ = x̄_leaf for numbers, the categories of the leaf joined for the others",
        cost="as the partition regression-tree",
    )

    continuous: str = param(
        default="mean",
        help="what represents a group in a continuous column; range also writes ordinal columns "
        "as ranges, otherwise they get their median",
        choices=("mean", "median", "range"),
    )
    weighted: bool = param(
        default=False,
        help="write after each joined category how many records of the group have it",
    )
    unused: str = param(
        default="group",
        help="how to mask quasi-identifiers that the tree does not split on: within the group "
        "like the others, or with one value for the whole file",
        choices=("group", "file"),
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the quasi-identifiers of each leaf made the same."""
        options = {name: getattr(self, name) for name in TreeOptions.params()}
        partition = RegressionTree(**options)
        replacement = ValueConcatenation(weighted=self.weighted, continuous=self.continuous)
        masked = Microaggregation(partition, replacement, self.columns).protect(data, context)
        detail = masked.groups.detail if masked.groups else {}
        left_out = detail.get("left out of the digression as constant or dependent", ())
        notes = masked.notes
        if left_out:
            listed = ", ".join(left_out)
            notes += (f"left out of the digression as constant or dependent: {listed}",)
        if COLLAPSED in detail:
            note = (
                f"pruning left {detail['leaves']} of {detail['leaves grown']} groups: the test "
                "assumes normal columns, but these have heavy tails "
                f"({', '.join(detail[COLLAPSED])}); leave alpha out, or use test = permutation"
            )
            notes += (note,)
        if LOWERED in detail:
            note = (
                f"alpha = {detail['alpha']:.2g} instead of {USUAL}, which would leave few groups, "
                f"since heavy tails are not normal ({', '.join(detail[LOWERED])})"
            )
            notes += (note,)
        unused = detail.get("columns not cut", ())
        if self.unused == "group" or not unused:
            return replace(masked, notes=notes)
        whole = Groups(np.zeros(len(data), dtype=np.int64))
        columns = replacement.replace(data, unused, whole, context.within("replacement"))
        notes += (f"the tree has no use for {', '.join(unused)}: one value for the whole file",)
        return replace(masked, data=masked.data.replace(columns), notes=notes)
