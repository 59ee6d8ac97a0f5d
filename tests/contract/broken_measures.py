"""Measures and attacks that each break one promise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Attack,
    Better,
    Context,
    Exposed,
    Findings,
    Measure,
    MeasureSpec,
    Narrowed,
    NotApplicable,
    Outcome,
    Pairing,
    Score,
    Side,
    Spec,
    Target,
)
from discreet.microdata import Kind, Microdata
from discreet.testing import attacks, measures
from tests.contract.witness import breaks, spec_of, write_into


class HonestMeasure(Measure):
    """The share of the first column's values that changed.

    >>> 1 + 1
    2
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="x", title="X", citation="C", missing="M", side=Side.UTILITY, better=Better.LOWER,
        low=0, high=1, at_identity=0,
    )  # fmt: skip

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        if not len(released) or pairing is None:
            raise NotApplicable("no record is paired")
        name = original.quasi_identifiers[0]
        return self.of_values(original[name][pairing.origin], released[name])

    def of_values(self, original: NDArray[Any], released: NDArray[Any]) -> Score:
        same = (original == released) | (np.isnan(original) & np.isnan(released))
        return Score(float(1 - same.mean()))


@breaks(measures.check_identity_gives_the_declared_value, "0.5 is not 0")
class HalfAtIdentity(HonestMeasure):
    def of_values(self, original: NDArray[Any], released: NDArray[Any]) -> Score:
        return Score(0.5)


@breaks(measures.check_parts_are_of_the_table, "a part belongs to no column")
class PartOfNothing(HonestMeasure):
    def of_values(self, original: NDArray[Any], released: NDArray[Any]) -> Score:
        return Score(0.5, parts={("no such column",): 0.5})


@breaks(measures.check_parts_are_of_the_table, "the named column has another value")
class NamesAnotherColumn(HonestMeasure):
    def of_values(self, original: NDArray[Any], released: NDArray[Any]) -> Score:
        return Score(0.5, parts={("height",): 0.25}, column="height")


@breaks(measures.check_parts_are_of_the_table, "the guess is out of range")
class GuessesTooWell(HonestMeasure):
    def of_values(self, original: NDArray[Any], released: NDArray[Any]) -> Score:
        return Score(0.5, blind=1.5)


@breaks(measures.check_value_lies_in_its_range, "is out of range")
class OutOfRange(HonestMeasure):
    def of_values(self, original: NDArray[Any], released: NDArray[Any]) -> Score:
        return Score(1.5)


@breaks(measures.check_value_lies_in_its_range, "the value is outside its own interval")
class BesideItsInterval(HonestMeasure):
    def of_values(self, original: NDArray[Any], released: NDArray[Any]) -> Score:
        return replace(super().of_values(original, released), interval=(0.0, 1e-6))


@breaks(measures.check_value_lies_in_its_range, "per_record does not fit the records")
class OneRecordTooMany(HonestMeasure):
    def of_values(self, original: NDArray[Any], released: NDArray[Any]) -> Score:
        return Score(0.5, per_record=np.zeros(len(released) + 1))


@breaks(measures.check_row_order_changes_nothing, "became")
class OfTheFirstRecord(HonestMeasure):
    def of_values(self, original: NDArray[Any], released: NDArray[Any]) -> Score:
        return Score(float(released[0]))


@breaks(measures.check_names_of_categories_change_nothing, "became")
class OfTheCodes(HonestMeasure):
    spec: ClassVar[MeasureSpec] = replace(HonestMeasure.spec, kinds=(Kind.NOMINAL,))

    def of_values(self, original: NDArray[Any], released: NDArray[Any]) -> Score:
        return Score(float(released.mean()))


@breaks(measures.check_input_is_untouched, "column height was changed")
class MeasureThatWrites(HonestMeasure):
    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        write_into(original)
        return super().score(original, released, context, pairing)


@breaks(measures.check_input_is_untouched, "column height was changed")
class MeasureThatWritesIntoTheRelease(HonestMeasure):
    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        write_into(released)
        return super().score(original, released, context, pairing)


@breaks(measures.check_edge_tables, "all missing: the value is not a number")
class NotANumber(HonestMeasure):
    def of_values(self, original: NDArray[Any], released: NDArray[Any]) -> Score:
        present = ~np.isnan(released)
        return Score(float(released[present].mean()) if present.any() else np.nan)


@breaks(measures.check_edge_tables, "has to say why")
class GivesNoReason(HonestMeasure):
    def of_values(self, original: NDArray[Any], released: NDArray[Any]) -> Score:
        raise NotApplicable


class HonestAttack(Attack):
    """>>> pass"""

    spec: ClassVar[Spec] = spec_of()
    changes: ClassVar[Mapping[str, Any]] = {}

    def attack(self, data: Microdata, context: Context) -> Findings:
        return replace(self.honest(len(data)), **self.changes)

    def honest(self, records: int) -> Findings:
        places = (place(0.9, records), place(0.4, records)) if records else ()
        return Findings({"pay": 0.5}, np.full(records, 0.5), {"a": 0.7, "b": 0.3}, places)


def place(exposure: float, records: int, rule: tuple[str, ...] = ("a is 1",)) -> Exposed:
    narrowed = Narrowed("pay", known=1, spread=1 - exposure)
    return Exposed(rule, np.arange(records), (narrowed,))


@breaks(attacks.check_input_is_untouched, "column height was changed")
class AttackThatWrites(HonestAttack):
    def attack(self, data: Microdata, context: Context) -> Findings:
        write_into(data)
        return super().attack(data, context)


@breaks(attacks.check_repeatable, "the gains differ")
class AttackThatCounts(HonestAttack):
    calls: ClassVar[Any] = count()

    def attack(self, data: Microdata, context: Context) -> Findings:
        return replace(super().attack(data, context), gains={"pay": next(self.calls) / 100})


@breaks(attacks.check_findings_are_sound, "there is not one exposure for each record")
class ExposesThreeRecords(HonestAttack):
    changes: ClassVar[Mapping[str, Any]] = {"exposure": np.zeros(3)}


@breaks(attacks.check_findings_are_sound, "a share is out of range")
class GainsMoreThanThereIs(HonestAttack):
    changes: ClassVar[Mapping[str, Any]] = {"gains": {"pay": 1.5}}


@breaks(attacks.check_findings_are_sound, "the attributes are not in descending order")
class LeastAttributeFirst(HonestAttack):
    changes: ClassVar[Mapping[str, Any]] = {"attributes": {"a": 0.3, "b": 0.7}}


@breaks(attacks.check_findings_are_sound, "a rule is not put in words")
class WordlessRule(HonestAttack):
    changes: ClassVar[Mapping[str, Any]] = {"places": (place(0.9, 5, rule=()),)}


@breaks(attacks.check_findings_are_sound, "a set of records is empty")
class PlaceOfNobody(HonestAttack):
    changes: ClassVar[Mapping[str, Any]] = {"places": (place(0.9, 0),)}


@breaks(attacks.check_findings_are_sound, "a row is not in the table")
class RowsBeyondTheTable(HonestAttack):
    changes: ClassVar[Mapping[str, Any]] = {"places": (place(0.9, 1000),)}


@breaks(attacks.check_findings_are_sound, "the worst is not first")
class WorstPlaceLast(HonestAttack):
    changes: ClassVar[Mapping[str, Any]] = {"places": (place(0.4, 5), place(0.9, 5))}


@breaks(attacks.check_edge_tables, "there is not one exposure for each record")
class ExposesThoseOfAnEmptyTable(HonestAttack):
    def honest(self, records: int) -> Findings:
        return super().honest(max(1, records))


@breaks(attacks.check_outcome_is_sound, "a share is out of range")
class SucceedsTwice(HonestAttack):
    def attempt(self, target: Target, context: Context) -> Outcome:
        return Outcome(2.0, 0.1)


@breaks(attacks.check_nothing_protected_is_found_again, "a blind guess does better")
class WorseThanBlind(HonestAttack):
    def attempt(self, target: Target, context: Context) -> Outcome:
        return Outcome(0.1, 0.2)


HONEST = (HonestMeasure, HonestAttack)
