"""The course of a protection: what a later step leaves of what an earlier one said."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

import discreet
from discreet.contracts import NO_ORIGIN, Claim, Context, Groups, Masked, Method, Spec
from discreet.microdata import Column, Microdata
from discreet.release.course import run_steps

QI = "quasi-identifier"
CLAIM = Claim("k-anonymity", 2)


class Scripted(Method):
    """A step whose outcome the test decides."""

    spec: ClassVar[Spec] = Spec("scripted", "Scripted", "none", "kept")

    def __init__(self, outcome: Masked) -> None:
        super().__init__()
        object.__setattr__(self, "outcome", outcome)

    def protect(self, data: Microdata, context: Context) -> Masked:
        return self.outcome  # type: ignore[attr-defined, no-any-return]


@pytest.fixture
def data() -> Microdata:
    return discreet.read(
        {"age": [21, 22, 40, 41], "height": [1.5, 1.6, 1.7, 1.8]},
        roles={"age": QI, "height": QI},
    )


def doubled(data: Microdata, name: str) -> Microdata:
    column: Column = data.column(name)
    return data.replace([column.with_values(column.values * 2)])


def run(data: Microdata, *outcomes: Masked) -> Masked:
    return run_steps(data, [Scripted(outcome) for outcome in outcomes], Context())


def test_a_step_that_changes_quasi_identifiers_ends_an_earlier_claim(data: Microdata) -> None:
    first, second = doubled(data, "age"), doubled(doubled(data, "age"), "height")
    outcome = run(data, Masked(first, claims=(CLAIM,)), Masked(second))
    assert outcome.claims == ()
    (note,) = outcome.notes
    assert note.startswith("step 2 (scripted) changed quasi-identifiers that an earlier step had")
    assert note.endswith("the earlier claim of k-anonymity is not made")


def test_a_step_that_leaves_records_out_ends_an_earlier_claim(data: Microdata) -> None:
    rows = np.array([3, 1])
    first = doubled(data, "age")
    outcome = run(data, Masked(first, claims=(CLAIM,)), Masked(first.take(rows), origin=rows))
    assert outcome.claims == ()
    assert "left out records that an earlier step" in outcome.notes[0]


def test_a_step_that_changes_nothing_leaves_the_claim(data: Microdata) -> None:
    first = doubled(doubled(data, "age"), "height")
    outcome = run(data, Masked(first, claims=(CLAIM,)), Masked(first, notes=("b",)))
    assert outcome.claims == (CLAIM,)
    assert outcome.notes == ("b",)


def test_origins_lead_back_through_all_steps(data: Microdata) -> None:
    first, second = np.array([3, 1, 0]), np.array([2, NO_ORIGIN, 0])
    table = data.take(first)
    outcome = run(
        data,
        Masked(table, origin=first),
        Masked(table.take(np.array([2, 1, 0])), origin=second),
    )
    assert outcome.origin is not None
    assert outcome.origin.tolist() == [0, NO_ORIGIN, 3]


def test_groups_are_told_in_the_order_of_the_original(data: Microdata) -> None:
    rows = np.array([3, 1, 0])
    table = data.take(rows)
    grouped = Masked(doubled(table, "age"), groups=Groups(np.array([0, 1, 1])))
    outcome = run(data, Masked(table, origin=rows), grouped)
    assert outcome.groups is not None
    assert outcome.groups.labels.tolist() == [1, 1, -1, 0]


def test_a_drawn_column_that_another_step_changed_is_as_drawn_if_all_are(data: Microdata) -> None:
    first = doubled(data, "age")
    names = data.schema.names
    for drawn, left in ((["age"], set()), (names, set(names))):
        groups = Groups(np.array([0, 0, 1, 1]), drawn_columns=frozenset(drawn))
        outcome = run(data, Masked(first, groups=groups), Masked(doubled(first, "age")))
        assert outcome.groups is not None
        assert outcome.groups.labels.tolist() == [0, 0, 1, 1]
        assert outcome.groups.drawn_columns == left


def test_groups_of_other_columns_do_not_take_the_place_of_earlier_ones(data: Microdata) -> None:
    first = doubled(data, "age")
    outcome = run(
        data,
        Masked(first, groups=Groups(np.array([0, 0, 1, 1]))),
        Masked(first, groups=Groups(np.array([0, 1, 0, 1]))),
    )
    assert outcome.groups is not None
    assert outcome.groups.labels.tolist() == [0, 0, 1, 1]
