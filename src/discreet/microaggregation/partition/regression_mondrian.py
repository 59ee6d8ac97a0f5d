"""Regression Mondrian: k-anonymous groups for regression, with cuts by hierarchy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from discreet.contracts import Columns, Context, Groups, Partition, Spec, param
from discreet.contracts.partition import GROUP_SIZES, require_records
from discreet.errors import UsageError
from discreet.microaggregation.partition.regression_tree import tree_details
from discreet.microdata import Microdata
from discreet.microdata.hierarchy import hierarchies_of
from discreet.models.regression_tree.growing import grow
from discreet.models.regression_tree.responses import confidential_responses


class RegressionMondrian(Partition):
    """Cuts the records where the confidential columns are predicted best, while k are left.

    The tree is that of the partition regression-tree, without pruning, except for categories: a
    column with a hierarchy is cut into all children of its label at once, each of which must have
    k records, and a nominal column without one into all its categories at once. The groups predict
    well and hold k records, but nothing keeps the confidential values in them diverse.

    >>> import discreet
    >>> data = discreet.read({"town": ["a", "b", "c", "a", "b", "c"], "pay": [1, 5, 9, 2, 6, 8]},
    ...                      roles={"town": "quasi-identifier", "pay": "confidential"})
    >>> RegressionMondrian(k=2).groups(data, ["town"], Context()).labels
    array([0, 1, 2, 0, 1, 2])
    """

    spec: ClassVar[Spec] = Spec(
        name="regression-mondrian",
        title="Regression Mondrian: cuts by prediction error and hierarchy",
        citation="LeFevre, DeWitt & Ramakrishnan (2008), Workload-aware anonymization techniques "
        "for large-scale datasets",
        missing="in numeric and ordinal columns below the lowest value; in others a child of its "
        "own where k are missing, otherwise with the first child",
        guarantees=("k-anonymity",),
        formula="e(t) = Σᵢ ‖yᵢ − ȳ(t)‖², responses y scaled to [0, 1]\n"
        "a node is cut where e(t) − Σ e(children) is largest, each child of k records or more",
        cost="n·log n time to sort each column once, n·c for each level of the tree; memory n·c",
    )

    k: int = param(
        default=5,
        help="least number of records in a group",
        at_least=2,
        trials=GROUP_SIZES,
        monotone=True,
    )
    hierarchies: Columns = param(
        path=True,
        default=None,
        help="hierarchy files by which columns are cut, each written as column=path",
    )
    responses: Columns = param(
        default=None,
        help="the columns that the groups are to predict; all confidential ones if not given",
    )

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        """Return the leaves of the tree."""
        if not columns:
            raise UsageError(
                "RegressionMondrian needs at least one column to cut, but none was given"
            )
        require_records(data, self.k, "RegressionMondrian")
        responses = confidential_responses(data, self.responses, "RegressionMondrian")
        given = hierarchies_of(self.hierarchies, data.schema, "RegressionMondrian")
        with context.task("growing the tree", len(data)) as advance:
            tree = grow(
                data, columns, responses, self.k,
                hierarchies=given, multiway=True, advance=advance,
            )  # fmt: skip
        return Groups(tree.labels, self.k, tree_details(tree))
