"""Microaggregation: a partition of the records, then a replacement within the groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Claim,
    Columns,
    Context,
    Groups,
    Masked,
    Method,
    Needs,
    Partition,
    Replacement,
    Spec,
    param,
)
from discreet.errors import DataError, UsageError, nearest
from discreet.microaggregation.dominance import magnitudes, without_dominance
from discreet.microaggregation.units import groups_of_units
from discreet.microdata import Column, Microdata
from discreet.microdata.labels import KnownLabels

PROBABILISTIC = "probabilistic-k-anonymity"


class Microaggregation(Method):
    """Puts similar records into groups and replaces their values by the group's.

    With all quasi-identifiers treated together and the same values for all records of a group,
    the release is k-anonymous, and says so; the release gate measures it. Where the replacement
    gives different values that do not tell which record of the group is which (microperturbation,
    exact-moments), the claim is probabilistic k-anonymity, provided that no other column of the
    release differs within a group.

    The columns can also be treated in groups of attributes, each with its own groups of records:
    `attributes_at_a_time=3` takes the columns in threes in their order (the last group may have
    fewer), `attribute_groups=["age+height", "income"]` takes the groups as named. That loses less
    information and protects less: k-anonymity is claimed only if one group of attributes holds
    all quasi-identifiers.

    With `dominance`, no record may contribute more than that share of its group's total in any
    treated continuous column without negative values. A group that breaks the rule takes in its
    nearest groups, one after the other, until it satisfies the rule.

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
        formula="x′ᵢ = c(g),  g the group of i, c what the replacement gives it, such as x̄_g\n"
        "partitions seek a small SSE = Σ_g Σ_{i∈g} ‖xᵢ − x̄_g‖² with n_g ≥ k",
        cost="that of the partition and of the replacement",
        needs=Needs.BLOCKS,
    )

    partition: Partition = param(default="mdav", help="how records are put into groups")
    replacement: Replacement = param(default="centroid", help="what replaces the values of a group")
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )
    attributes_at_a_time: int | None = param(
        default=None,
        help="how many columns are grouped and replaced together, in their order (the last group "
        "may have fewer); all of them if not given",
        at_least=1,
        trials=(None, 3, 4),
    )
    attribute_groups: Columns = param(
        default=None,
        treated=True,
        help="which columns are grouped and replaced together: names joined by +, such as "
        "age+height, each treated column exactly once",
    )
    dominance: float | None = param(
        default=None,
        help="the largest share of its group's total, as a fraction, that a record may contribute: "
        "0.6 is 60 %; groups are merged until this holds",
        above=0,
        at_most=1,
    )

    @property
    def needs(self) -> Needs:
        """Blocks of the step, or those of the partition if the replacement works within them."""
        unblocked = getattr(self.partition, "blocks", None) is None
        return Needs.BLOCKS if unblocked or self.replaces_in_blocks else Needs.FILE

    @property
    def whole_because(self) -> str:
        """The replacement looks at the groups of all blocks."""
        return (
            "since its replacement looks at the groups of all blocks (use in_blocks of the step "
            "instead of blocks of the partition)"
        )

    @property
    def replaces_in_blocks(self) -> bool:
        """Whether blocks of the partition can be replaced one by one, as the whole file is."""
        together = self.attributes_at_a_time is None and self.attribute_groups is None
        parts = {self.partition.needs, self.replacement.spec.needs}
        return together and self.dominance is None and parts == {Needs.BLOCKS}

    def labels(self, data: Microdata) -> dict[str, KnownLabels]:
        """Return what the labels of the replacement mean."""
        return self.replacement.labels(data, self.treated(data, self.columns))

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the treated columns replaced group by group."""
        treated = self.checked(data)
        together = self._attribute_groups(treated)
        if self.dominance is not None and not magnitudes(data, treated):
            raise DataError(
                "the dominance rule is about continuous columns without negative values, but "
                f"there is none among {', '.join(repr(name) for name in treated)}; leave out "
                "dominance, or name other columns with columns=[…]"
            )
        columns: list[Column] = []
        claims: tuple[Claim, ...] = ()
        notes: tuple[str, ...] = ()
        for number, names in enumerate(together, start=1):
            # One group of attributes draws what microaggregation as a whole draws.
            part = context if len(together) == 1 else context.within(f"attributes {number}")
            groups = self.partition.groups(data, names, part.within("partition"))
            groups, merged = groups_of_units(data, names, groups)
            notes += merged
            if self.dominance is not None and magnitudes(data, names):
                groups, note = without_dominance(data, names, groups, self.dominance)
                notes += (note,)
            masked = self._replaced(data, names, groups, part)
            if len(together) == 1:
                return replace(masked, notes=notes)
            columns += [masked.data.column(name) for name in names]
            claims += masked.claims
        notes = (note_on_attribute_groups(together, bool(claims)), *notes)
        return Masked(data.replace(columns), None, claims, notes)

    def protect_within(
        self, data: Microdata, strata: NDArray[np.int64], context: Context
    ) -> Masked | None:
        """Return the table with groups that lie within strata, where groups are all it takes."""
        if not self.replaces_in_blocks:
            return None
        names, part = self.checked(data), context.within("partition")
        groups = self.partition.groups_within(data, names, strata, part)
        if groups is None:
            return None
        groups, notes = groups_of_units(data, names, groups, strata)
        return replace(self._replaced(data, names, groups, context), notes=notes)

    def _replaced(
        self, data: Microdata, names: Sequence[str], groups: Groups, context: Context
    ) -> Masked:
        """Return the table with some columns replaced group by group, and what that promises."""
        columns = self.replacement.replace(data, names, groups, context.within("replacement"))
        claims: tuple[Claim, ...] = ()
        if _all_known(data, names):
            claims = self._claims(groups)
            groups = replace(groups, drawn=self.replacement.draws)
        if PROBABILISTIC in self.replacement.spec.guarantees:
            groups = replace(groups, drawn_columns=frozenset(names))
        return Masked(data.replace(columns), groups, claims)

    def checked(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns to treat, all of kinds that can be treated."""
        treated = self.treated(data, self.columns)
        self._require_kinds(data, treated)
        return treated

    def claims_about(self, data: Microdata, names: Sequence[str], k: int) -> tuple[Claim, ...]:
        """Return what groups of at least k in these columns guarantee about the table."""
        empty = Groups(np.zeros(0, dtype=np.int64), k)
        return self._claims(empty) if _all_known(data, names) else ()

    def _claims(self, groups: Groups) -> tuple[Claim, ...]:
        """What groups of all quasi-identifiers together guarantee, given the replacement."""
        size = float(groups.least_size)
        if self.replacement.equalises:
            proven = {"k-anonymity": size, **groups.proves}
            return tuple(Claim(measure, bound) for measure, bound in proven.items())
        if PROBABILISTIC in self.replacement.spec.guarantees:
            return (Claim(PROBABILISTIC, size),)
        return ()

    def _require_kinds(self, data: Microdata, names: tuple[str, ...]) -> None:
        """Refuse a column of a kind that the replacement cannot treat."""
        replacement = self.replacement.spec
        for name in names:
            kind = data.schema[name].kind
            if kind not in replacement.kinds:
                raise DataError(
                    f"the replacement {replacement.name} treats {' and '.join(replacement.kinds)} "
                    f"columns, but '{name}' is {kind}; name the columns to treat with columns=[…], "
                    "or use another replacement, such as centroid"
                )

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


def _all_known(data: Microdata, names: Sequence[str]) -> bool:
    """Whether these are all that an intruder may know."""
    known = set(data.quasi_identifiers)
    return bool(known) and known <= set(names)


def note_on_attribute_groups(together: Sequence[Sequence[str]], claimed: bool) -> str:
    """Return the note on columns that were treated in several groups of attributes.

    >>> note_on_attribute_groups([["age"], ["pay"]], True)[:61]
    'the columns were treated in 2 groups of attributes (age; pay)'
    """
    listed = "; ".join(", ".join(names) for names in together)
    return (
        f"the columns were treated in {len(together)} groups of attributes ({listed}), each with "
        "its own groups of records, so a record does not have a single group"
        + ("" if claimed else " and no k-anonymity of all quasi-identifiers together")
    )


def _named_groups(entries: tuple[str, ...], names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Read groups of attributes, and check that each treated column is in exactly one of them."""
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
    columns: list[str] = []
    at = 0
    while at < len(parts):
        for end in range(len(parts), at, -1):
            name = "+".join(parts[at:end])
            name = name if name in names else name.strip()
            if name in names:
                columns.append(name)
                at = end
                break
        else:
            name = parts[at].strip()
            raise UsageError(
                f"attribute_groups names '{name}', which is not a treated column"
                f"{nearest(name, names)} (treated: {', '.join(names)})"
            )
    return tuple(columns)
