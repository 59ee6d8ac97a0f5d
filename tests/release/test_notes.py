"""Notes: what the owner should know, and no claim says."""

from __future__ import annotations

import discreet
from discreet.release.notes import notes_on_input, notes_on_outcome, told_apart_by_design

QI = "quasi-identifier"


def test_a_constant_quasi_identifier_is_noted_once() -> None:
    data = discreet.read({"sex": ["f", "f"], "age": [1, 2]}, roles={"sex": QI, "age": QI})
    assert list(notes_on_input(data)) == [
        "the quasi-identifier 'sex' has one value only and tells no records apart"
    ]
    assert list(notes_on_outcome(data, data, data)) == [
        "quasi-identifiers that no step changed: age"
    ]


def test_columns_without_a_role_that_stay_as_they_are_are_named() -> None:
    data = discreet.read({"age": [1, 2], "a": [3, 4], "b": [5, 6]}, roles={"age": QI})
    b = data.column("b")
    table = data.replace([b.with_values(b.values + 1)])
    notes = list(notes_on_outcome(data, table, data))
    assert notes[0] == "released as they are, without a role: a"


def test_records_that_came_from_no_one_original_need_no_such_notes() -> None:
    data = discreet.read({"age": [1, 2], "a": [3, 4]}, roles={"age": QI})
    assert list(notes_on_outcome(data, data, None)) == []


def test_weights_that_tell_records_apart_are_noted() -> None:
    data = discreet.read(
        {"age": [1, 1, 1, 1], "w": [1.0, 2.0, 2.0, 2.0]}, roles={"age": QI, "w": "weight"}
    )
    (note,) = told_apart_by_design(data)
    assert note.startswith("who also knows w finds 25.0% of the records alone, instead of 0.0%")
    same = data.replace([data.column("w").with_values(data["w"] * 0)])
    assert told_apart_by_design(same) == []
