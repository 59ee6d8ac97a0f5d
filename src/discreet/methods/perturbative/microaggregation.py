"""Microaggregation: a partition of the records, then a replacement within the groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Claim, Context, Groups, Masked, Method, Partition, Replacement
from discreet.embedding import Embedding
from discreet.errors import DataError, UsageError, nearest
from discreet.grouping import sse_share
from discreet.microdata import Column, Microdata
from discreet.parameters import Columns, param
from discreet.spec import Spec

# A record of k equal ones contributes 1/k, whatever the last digit of their sum says.
_ROUNDING = 1 + 1e-12


class Microaggregation(Method):
    """Puts like records into groups and replaces their values by the group's.

    With all quasi-identifiers treated together and the same values for all records of a group,
    the release is k-anonymous, and says so; the release gate measures it.

    The columns can also be treated in groups of attributes, each with groups of records of its
    own: `attributes_at_a_time=3` takes the columns by threes in their order (the last group may
    have fewer), `attribute_groups=["age+height", "income"]` as it says. That loses less
    information and protects less: k-anonymity is claimed only if one group of attributes holds
    all quasi-identifiers.

    With `dominance`, no record may contribute more than that share of its group's total in any
    treated continuous column without negative values. A group that breaks the rule takes in its
    nearest groups, one after the other, until it keeps it.

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
    attributes_at_a_time: int | None = param(
        default=None,
        help="how many columns are grouped and replaced together, in their order, the last time "
        "perhaps fewer; all of them if not given",
        at_least=1,
    )
    attribute_groups: Columns = param(
        default=None,
        help="which columns are grouped and replaced together: names joined by +, such as "
        "age+height, each treated column exactly once",
    )
    dominance: float | None = param(
        default=None,
        help="the largest share of its group's total that a record may contribute; groups are "
        "merged until this holds",
        above=0,
        at_most=1,
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the treated columns replaced group by group."""
        treated = self.treated(data, self.columns)
        together = self._attribute_groups(treated)
        if self.dominance is not None and not _magnitudes(data, treated):
            raise DataError(
                "the dominance rule is about continuous columns without negative values, but "
                f"there is none among {', '.join(repr(name) for name in treated)}; leave out "
                "dominance, or name other columns with columns=[…]"
            )
        columns: list[Column] = []
        claims: tuple[Claim, ...] = ()
        notes: tuple[str, ...] = ()
        quasi_identifiers = set(data.quasi_identifiers)
        for number, names in enumerate(together, start=1):
            # One group of attributes draws what microaggregation as a whole draws.
            part = context if len(together) == 1 else context.within(f"attributes {number}")
            groups = self.partition.groups(data, names, part.within("partition"))
            if self.dominance is not None and _magnitudes(data, names):
                groups, said = without_dominance(data, names, groups, self.dominance)
                notes += (said,)
            columns += self.replacement.replace(data, names, groups, part.within("replacement"))
            alike = self.replacement.equalises and quasi_identifiers <= set(names)
            if alike and quasi_identifiers:
                claims = (Claim("k-anonymity", groups.least_size),)
        if len(together) == 1:
            return Masked(data.replace(columns), groups, claims, notes)
        listed = "; ".join(", ".join(names) for names in together)
        notes = (
            f"the columns were treated in {len(together)} groups of attributes ({listed}), each "
            "with its own groups of records, so there is no one group of a record"
            + ("" if claims else " and no k-anonymity of all quasi-identifiers together"),
            *notes,
        )
        return Masked(data.replace(columns), None, claims, notes)

    def _attribute_groups(self, names: tuple[str, ...]) -> list[tuple[str, ...]]:
        """The treated columns in groups of attributes (survey, Example 1.4: three at a time)."""
        if self.attribute_groups is not None:
            if self.attributes_at_a_time is not None:
                raise UsageError(
                    "Microaggregation takes either attributes_at_a_time or attribute_groups, but "
                    "both were given; leave one out"
                )
            return _named_groups(self.attribute_groups, names)
        step = self.attributes_at_a_time or len(names)
        return [names[at : at + step] for at in range(0, len(names), step)]


def _named_groups(entries: tuple[str, ...], names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Read groups of attributes, and see that each treated column is in exactly one of them."""
    together = [_columns_of(entry, names) for entry in entries]
    given = [name for group in together for name in group]
    wrong = [name for name in names if given.count(name) != 1]
    if wrong:
        times = given.count(wrong[0])
        raise UsageError(
            "each treated column must be in exactly one of the attribute_groups, but "
            f"'{wrong[0]}' is in {times or 'none'}; "
            + ("name it once" if times else "add it to one, or a group of its own")
        )
    return together


def _columns_of(entry: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Split "age+height" into columns; a name that has a + itself is recognised as a whole."""
    parts = entry.split("+")
    found: list[str] = []
    at = 0
    while at < len(parts):
        for end in range(len(parts), at, -1):
            name = "+".join(parts[at:end])
            name = name if name in names else name.strip()
            if name in names:
                found.append(name)
                at = end
                break
        else:
            name = parts[at].strip()
            raise UsageError(
                f"attribute_groups names '{name}', which is not a treated column"
                f"{nearest(name, names)} (treated: {', '.join(names)})"
            )
    return tuple(found)


def without_dominance(
    data: Microdata, names: Sequence[str], groups: Groups, share: float
) -> tuple[Groups, str]:
    """Merge groups until no record contributes more than `share` of its group's total.

    The rule is about magnitudes: it looks at the continuous columns among `names` that have no
    negative value. A group that breaks it takes in the groups nearest to its centroid, one after
    the other, until it keeps it in every such column. Returns the groups and a sentence for the
    notes.

    >>> import discreet
    >>> data = discreet.read({"turnover": [1, 1, 98, 2, 60, 50, 70]})
    >>> groups = Groups(np.array([0, 0, 1, 1, 2, 2, 2]), least_size=2)
    >>> merged, said = without_dominance(data, ["turnover"], groups, 0.6)
    >>> merged.labels
    array([0, 0, 1, 1, 1, 1, 1])
    >>> said
    'dominance rule of 60 % in turnover: 1 of 3 groups broke it, and 2 groups are left'
    """
    checked = _magnitudes(data, names)
    values = np.nan_to_num(data.matrix(checked))
    totals = _sums(groups.labels, values)
    largest = np.zeros_like(totals)
    np.maximum.at(largest, groups.labels, values)
    points = Embedding.fit(data, names).points(data)
    sums, sizes = _sums(groups.labels, points), groups.sizes.astype(np.float64)
    into = np.arange(groups.count)
    guilty = np.flatnonzero(_broken(largest, totals, share).any(axis=1))
    for group in guilty:
        if into[group] != group:
            continue  # another one has taken it in
        others = np.flatnonzero((into == np.arange(len(into))) & (sizes > 0))
        others = others[others != group]
        gaps = sums[others] / sizes[others, None] - sums[group] / sizes[group]
        taken = np.append(group, others[np.argsort((gaps**2).sum(axis=1), kind="stable")])
        reached = np.maximum.accumulate(largest[taken], axis=0)
        still = _broken(reached, totals[taken].cumsum(axis=0), share)
        if still.any(axis=1).all():
            column = checked[int(np.flatnonzero(still[-1])[0])]
            raise DataError(
                f"the dominance rule of {share:.4g} cannot be kept: {len(guilty)} of "
                f"{groups.count} groups break it, and in column '{column}' one record contributes "
                "more than that share of all groups together; allow a larger share, or top-code "
                "the column first"
            )
        taken = taken[: int(np.argmin(still.any(axis=1))) + 1]
        largest[group], totals[group] = largest[taken].max(axis=0), totals[taken].sum(axis=0)
        sums[group], sizes[group] = sums[taken].sum(axis=0), sizes[taken].sum()
        into[np.isin(into, taken)] = group
    _, labels = np.unique(into[groups.labels], return_inverse=True)
    detail: dict[str, Any] = {**groups.detail, "groups that broke the dominance rule": len(guilty)}
    if len(guilty):  # what the partition said of its loss is no longer so
        detail = {key: value for key, value in detail.items() if not key.startswith("SSE/SST")}
        detail["SSE/SST"] = sse_share(points, labels)
    merged = Groups(labels, groups.least_size, detail)
    return merged, (
        f"dominance rule of {100 * share:.4g} % in {', '.join(checked)}: {len(guilty)} of "
        f"{groups.count} groups broke it, and {merged.count} groups are left"
    )


def _magnitudes(data: Microdata, names: Sequence[str]) -> list[str]:
    """The columns in which a record can be said to contribute a share of a total."""
    continuous = (name for name in names if data.schema[name].continuous)
    return [name for name in continuous if not (data[name] < 0).any()]


def _sums(labels: NDArray[np.int64], table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums of each column by group."""
    sums = [np.bincount(labels, weights=column) for column in table.T]
    return np.asarray(np.stack(sums, axis=1), dtype=np.float64)


def _broken(
    largest: NDArray[np.float64], totals: NDArray[np.float64], share: float
) -> NDArray[np.bool_]:
    """Whether the largest contribution to a group exceeds its share, column by column."""
    return np.asarray(largest > share * totals * _ROUNDING)
