"""Microaggregation: a partition of the records, then a replacement within the groups."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Claim, Context, Masked, Method, Partition, Replacement
from discreet.microdata import Microdata
from discreet.parameters import Columns, param
from discreet.spec import Spec


class Microaggregation(Method):
    """Puts like records into groups and replaces their values by the group's.

    With all quasi-identifiers treated together and the same values for all records of a group,
    the release is k-anonymous, and says so; the release gate measures it.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41]}, roles={"age": "quasi-identifier"})
    >>> method = Microaggregation(discreet.partition.MDAV(k=2), discreet.replacement.Centroid())
    >>> method.protect(data, Context()).data["age"]
    array([21.5, 21.5, 40.5, 40.5])
    """

    spec: ClassVar[Spec] = Spec(
        name="microaggregation",
        title="Microaggregation",
        citation="Domingo-Ferrer, A survey of inference control methods, §2",
        missing="as the partition and the replacement say",
        guarantees=("k-anonymity",),
    )

    partition: Partition = param(default="mdav", help="how records are put into groups")
    replacement: Replacement = param(default="centroid", help="what replaces the values of a group")
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the treated columns replaced group by group."""
        names = self.treated(data, self.columns)
        groups = self.partition.groups(data, names, context.within("partition"))
        columns = self.replacement.replace(data, names, groups, context.within("replacement"))
        quasi_identifiers = set(data.quasi_identifiers)
        alike = self.replacement.equalises and quasi_identifiers <= set(names)
        claims = (Claim("k-anonymity", groups.least_size),) if alike and quasi_identifiers else ()
        return Masked(data.replace(columns), groups, claims)
