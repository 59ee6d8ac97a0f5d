"""Methods, partitions and replacements that each break one promise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Claim,
    Context,
    Grain,
    Groups,
    Masked,
    Method,
    Partition,
    Replacement,
    Spec,
    param,
)
from discreet.microaggregation.partition.mdav import MDAV
from discreet.microdata import Column, Microdata
from discreet.testing import every, methods, partitions, replacements
from tests.contract.witness import breaks, spec_of, write_into

# Methods


class HonestMethod(Method):
    """Adds one.

    >>> 1 + 1
    2
    """

    spec: ClassVar[Spec] = spec_of()

    def protect(self, data: Microdata, context: Context) -> Masked:
        names = self.treated(data, None)
        return Masked(data.replace(data.column(n).with_values(data[n] + 1) for n in names))


@breaks(every.check_spec_is_complete, "not in kebab case")
class NamedInCapitals(HonestMethod):
    spec: ClassVar[Spec] = spec_of(name="Two Words")


@breaks(methods.check_households_stay_whole, "members of a household differ in rent")
class SaidToGoByValue(HonestMethod):
    @property
    def grain(self) -> Grain:
        return Grain.VALUE

    def protect(self, data: Microdata, context: Context) -> Masked:
        names = self.treated(data, None)
        rows = np.arange(len(data))
        return Masked(data.replace(data.column(n).with_values(data[n] + rows) for n in names))


@breaks(methods.check_strata_are_treated_by_themselves, "height depends on another stratum")
class RemembersWhatItSaw(HonestMethod):
    seen: ClassVar[list[float]] = []

    def protect(self, data: Microdata, context: Context) -> Masked:
        names = self.treated(data, None)
        self.seen.append(float(np.nanmean(data[names[0]])))
        added = np.mean(self.seen)
        return Masked(data.replace(data.column(n).with_values(data[n] + added) for n in names))


@breaks(methods.check_what_was_chosen_is_chosen_again, "is stated as")
class Drifting(HonestMethod):
    """States another amount than it used.

    >>> Drifting().amount
    1.0
    """

    amount: float = param(default=1.0, help="what is added")

    def protect(self, data: Microdata, context: Context) -> Masked:
        return replace(super().protect(data, context), chosen=(Drifting(amount=self.amount + 1),))


@breaks(
    methods.check_what_is_not_found_anew_follows_from_parameters,
    "height depends on the other records",
)
class SaidToLearnNothing(HonestMethod):
    spec: ClassVar[Spec] = spec_of(anew="")

    def protect(self, data: Microdata, context: Context) -> Masked:
        names = self.treated(data, None)
        centred = [data.column(n).with_values(data[n] - np.nanmean(data[n])) for n in names]
        return Masked(data.replace(centred))


@breaks(every.check_parameters_cannot_be_changed, "by can be changed")
class Changeable(HonestMethod):
    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)


@breaks(every.check_bad_parameters_are_explained, "was accepted")
class TakesAnyLevel(HonestMethod):
    level: float = param(default=1.0, help="h", at_least=0)

    def __init__(self, **values: Any) -> None:
        object.__setattr__(self, "level", values.get("level", 1.0))


@breaks(methods.check_input_is_untouched, "column height was changed")
class WritesIntoItsInput(HonestMethod):
    def protect(self, data: Microdata, context: Context) -> Masked:
        write_into(data)
        return super().protect(data, context)


@breaks(methods.check_other_columns_are_identical, "column weight was changed")
class TouchesOthers(HonestMethod):
    def protect(self, data: Microdata, context: Context) -> Masked:
        column = data.column("weight")
        return Masked(data.replace([column.with_values(column.values + 1)]))


@breaks(methods.check_other_columns_are_identical, "would be originals")
class HalfSynthetic(HonestMethod):
    def protect(self, data: Microdata, context: Context) -> Masked:
        return Masked(data, origin=np.full(len(data), -1))


@breaks(methods.check_repeatable, "the spec says random=False")
class SecretlyRandom(HonestMethod):
    def protect(self, data: Microdata, context: Context) -> Masked:
        names = self.treated(data, None)
        noise = context.generator("noise").normal(size=len(data))
        return Masked(data.replace(data.column(n).with_values(data[n] + noise) for n in names))


@breaks(methods.check_repeatable, "the spec says random=True")
class RandomInNameOnly(HonestMethod):
    spec: ClassVar[Spec] = spec_of(random=True)


@breaks(methods.check_repeatable, "its noise has no seed, but a seed repeats it")
class SeededInSecret(SecretlyRandom):
    spec: ClassVar[Spec] = spec_of(random=True, unseeded="its noise is drawn elsewhere")


@breaks(methods.check_global_random_state_is_left_alone, "the global random state was used")
class GlobalState(HonestMethod):
    def protect(self, data: Microdata, context: Context) -> Masked:
        np.random.normal()  # noqa: NPY002
        return super().protect(data, context)


@breaks(methods.check_edge_tables, "huge values: infinite values came out")
class Overflows(HonestMethod):
    def protect(self, data: Microdata, context: Context) -> Masked:
        names = self.treated(data, None)
        with np.errstate(over="ignore"):
            cubes = [data.column(n).with_values(data[n] ** 3) for n in names]
        return Masked(data.replace(cubes))


class Grouping(HonestMethod):
    """>>> pass"""

    def protect(self, data: Microdata, context: Context) -> Masked:
        return Masked(super().protect(data, context).data, self.grouped(len(data)))

    def grouped(self, rows: int) -> Groups:
        return Groups(np.arange(rows) // 5, least_size=5)


@breaks(methods.check_groups_fit_the_records, "not every record has a group")
class GroupsOfHalfTheRecords(Grouping):
    def grouped(self, rows: int) -> Groups:
        return Groups(np.arange(rows // 2) // 5, least_size=5)


@breaks(methods.check_groups_fit_the_records, "a group is smaller than promised")
class GroupsTooSmall(Grouping):
    def grouped(self, rows: int) -> Groups:
        return Groups(np.arange(rows) // 4, least_size=5)


@breaks(methods.check_guarantees_hold, "a guarantee is neither claimed nor explained")
class EmptyPromise(HonestMethod):
    spec: ClassVar[Spec] = spec_of(guarantees=("k-anonymity",))


@breaks(methods.check_guarantees_hold, "k-anonymity")
class FalsePromise(HonestMethod):
    def protect(self, data: Microdata, context: Context) -> Masked:
        return Masked(super().protect(data, context).data, claims=(Claim("k-anonymity", 7),))


@breaks(methods.check_refuses_other_kinds, "columns are treated, but the spec does not list them")
class TakesAnything(HonestMethod):
    def protect(self, data: Microdata, context: Context) -> Masked:
        return Masked(data)


# Partitions


class HonestPartition(Partition):
    """>>> pass"""

    spec: ClassVar[Spec] = spec_of()

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        return Groups(np.zeros(len(data), dtype=np.int64))


@breaks(every.check_recipe_makes_it_again, "its recipe makes MDAV")
class UnderTheNameOfAnother(MDAV):
    pass


@breaks(partitions.check_every_record_has_a_group, "a group is smaller than promised")
class SmallGroups(HonestPartition):
    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        return Groups(np.arange(len(data)), least_size=2)


@breaks(partitions.check_every_record_has_a_group, "labels do not start at 0")
class LabelsFromOne(HonestPartition):
    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        return Groups(np.ones(len(data), dtype=np.int64))


@breaks(partitions.check_input_is_untouched, "column height was changed")
class PartitionThatWrites(HonestPartition):
    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        write_into(data)
        return super().groups(data, columns, context)


@breaks(partitions.check_repeatable, "the spec says that no random numbers are drawn")
class PartitionThatDraws(HonestPartition):
    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        return Groups(context.generator("order").permutation(len(data)))


@breaks(partitions.check_repeatable, "the same seed gives other groups")
class PartitionThatCounts(HonestPartition):
    calls: ClassVar[Any] = count()

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        return Groups(np.full(len(data), next(self.calls)))


@breaks(partitions.check_edge_tables, "empty: not every record has a group")
class GroupsOutOfNothing(HonestPartition):
    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        return Groups(np.zeros(max(1, len(data)), dtype=np.int64))


# Replacements


class HonestReplacement(Replacement):
    """>>> pass"""

    spec: ClassVar[Spec] = spec_of()

    def replace(
        self, data: Microdata, columns: Sequence[str], groups: Groups, context: Context
    ) -> list[Column]:
        return [data.column(n).with_values(self.new(data[n], data, context)) for n in columns]

    def new(self, values: NDArray[Any], data: Microdata, context: Context) -> NDArray[np.float64]:
        return np.zeros(len(values))


@breaks(replacements.check_only_the_columns_asked_for, "other columns came back")
class ReplacesEveryColumn(HonestReplacement):
    def replace(
        self, data: Microdata, columns: Sequence[str], groups: Groups, context: Context
    ) -> list[Column]:
        return super().replace(data, data.quasi_identifiers, groups, context)


@breaks(replacements.check_only_the_columns_asked_for, "not every record has a value")
class OneValuePerGroup(HonestReplacement):
    def new(self, values: NDArray[Any], data: Microdata, context: Context) -> NDArray[np.float64]:
        return np.zeros(len(values) // 5)


@breaks(replacements.check_only_the_columns_asked_for, "column height was changed")
class ReplacementThatWrites(HonestReplacement):
    def new(self, values: NDArray[Any], data: Microdata, context: Context) -> NDArray[np.float64]:
        write_into(data)
        return super().new(values, data, context)


@breaks(replacements.check_repeatable, "the same seed gives other values")
class ReplacementThatCounts(HonestReplacement):
    calls: ClassVar[Any] = count()

    def new(self, values: NDArray[Any], data: Microdata, context: Context) -> NDArray[np.float64]:
        return np.full(len(values), float(next(self.calls)))


@breaks(replacements.check_equal_within_groups_if_it_says_so, "differs within a group")
class SaysThatItEqualises(HonestReplacement):
    equalises: ClassVar[bool] = True

    def new(self, values: NDArray[Any], data: Microdata, context: Context) -> NDArray[np.float64]:
        return values


@breaks(replacements.check_edge_tables, "infinite values came out")
class ReplacementThatOverflows(HonestReplacement):
    def new(self, values: NDArray[Any], data: Microdata, context: Context) -> NDArray[np.float64]:
        return np.full(len(values), np.inf)


HONEST = (HonestMethod, Grouping, HonestPartition, HonestReplacement)
