"""k-anonymity for regression: Regression Mondrian with generalisation."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Claim, Columns, Context, Masked, Method, Spec, param
from discreet.contracts.partition import GROUP_SIZES
from discreet.microaggregation.partition.regression_mondrian import RegressionMondrian
from discreet.microaggregation.replacement.centroid import Centroid
from discreet.microaggregation.replacement.generalisation import Generalisation
from discreet.microaggregation.replacement.range import Range
from discreet.microaggregation.units import groups_of_units
from discreet.microdata import Kind, Microdata
from discreet.microdata.labels import KnownLabels


class RegressionKAnonymity(Method):
    """Groups by Regression Mondrian, then means of numbers and generalised categories.

    The records are grouped so that the quasi-identifiers predict the confidential columns as well
    as groups of k allow. A column with a hierarchy gets the lowest label that covers the group;
    without one, numbers get the group's mean (or median, or range) and nominal columns the set of
    its categories. Confidential columns are released as they are, and groups may hold values that
    lie close together: MART guards against that.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 23, 40, 46], "pay": [10, 11, 30, 32]},
    ...                      roles={"age": "quasi-identifier", "pay": "confidential"})
    >>> RegressionKAnonymity(k=2).protect(data, Context()).data["age"]
    array([22., 22., 43., 43.])
    """

    spec: ClassVar[Spec] = Spec(
        name="regression-k-anonymity",
        title="Regression Mondrian: k-anonymity for regression",
        citation="LeFevre, DeWitt & Ramakrishnan (2008), Workload-aware anonymization techniques "
        "for large-scale datasets",
        missing="in the groups as the partition 'regression-mondrian' says; in numbers replaced by "
        "the mean or median of the group, in labels named as missing",
        guarantees=("k-anonymity",),
        formula=f"{RegressionMondrian.spec.formula}\n"
        "x′ᵢ = x̄_leaf, or the lowest label that covers the leaf",
        cost="as the partition regression-mondrian",
    )

    k: int = param(
        default=5,
        help="minimum number of records in a group",
        at_least=2,
        trials=GROUP_SIZES,
        monotone=True,
    )
    continuous: str = param(
        default="mean",
        help="what represents a group in a continuous column without a hierarchy; range also "
        "writes ordinal columns as ranges, otherwise they get their median",
        choices=("mean", "median", "range"),
    )
    hierarchies: Columns = param(
        path=True,
        default=None,
        help="hierarchy files by which columns are cut and generalised, each written as "
        "column=path",
    )
    responses: Columns = param(
        default=None,
        help="the columns that the groups are to predict; all confidential ones if not given",
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def labels(self, data: Microdata) -> dict[str, KnownLabels]:
        """Return what the labels of the hierarchies mean."""
        names = self.treated(data, self.columns)
        return Generalisation(hierarchies=self.hierarchies).labels(data, names)

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the quasi-identifiers of each group made the same."""
        names = self.treated(data, self.columns)
        partition = RegressionMondrian(
            k=self.k, hierarchies=self.hierarchies, responses=self.responses
        )
        groups = partition.groups(data, names, context.within("partition"))
        groups, notes = groups_of_units(data, names, groups)
        given = [entry.partition("=")[0].strip() for entry in self.hierarchies or ()]
        labelled = [n for n in names if n in given or data.schema[n].kind is Kind.NOMINAL]
        numbers = [name for name in names if name not in labelled]
        inside = context.within("replacement")
        generalisation = Generalisation(hierarchies=self.hierarchies)
        columns = generalisation.replace(data, labelled, groups, inside)
        ranged = self.continuous == "range"
        centre = Range() if ranged else Centroid(continuous=self.continuous)
        columns += centre.replace(data, numbers, groups, inside)
        quasi_identifiers = set(data.quasi_identifiers)
        alike = bool(quasi_identifiers) and quasi_identifiers <= set(names)
        claims = (Claim("k-anonymity", groups.least_size),) if alike else ()
        return Masked(data.replace(columns), groups, claims, notes)
