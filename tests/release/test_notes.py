"""Notes: what the owner should know, and no claim says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet.io.formats import FileFormat, format_for
from discreet.release.notes import (
    classes_of_one_household,
    notes_on_formulas,
    notes_on_input,
    notes_on_outcome,
    told_apart_by_design,
)

QI = "quasi-identifier"


def test_a_constant_quasi_identifier_is_noted_once() -> None:
    data = discreet.read({"sex": ["f", "f"], "age": [1, 2]}, roles={"sex": QI, "age": QI})
    assert list(notes_on_input(data)) == [
        "the quasi-identifier 'sex' has only one value and distinguishes no records"
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
    assert note.startswith(
        "an intruder who also knows w finds 25.0% of the records alone, instead of 0.0%"
    )
    same = data.replace([data.column("w").with_values(data["w"] * 0)])
    assert told_apart_by_design(same) == []


def test_of_several_weights_the_one_that_counts_is_named() -> None:
    columns = {"age": [1, 2], "w": [1.0, 2.0], "v": [1.5, 2.0]}
    two = discreet.read(columns, roles={"age": QI, "w": "weight", "v": "weight"})
    assert list(notes_on_input(two)) == [
        "of the columns with the role weight, records count by 'w'; 'v' is not used"
    ]
    assert list(notes_on_input(two.drop(["v"]))) == []


def families(sizes: list[int]) -> discreet.Microdata:
    """Return families of these sizes, all of one age and sex, which is 5-anonymous at least."""
    home = np.repeat(np.arange(len(sizes)), sizes)
    return discreet.read(
        {"age": np.full(len(home), 40.0), "home": home}, roles={"age": QI, "home": "household"}
    )


def test_a_household_of_a_rare_size_is_noted() -> None:
    (note,) = told_apart_by_design(families([3] * 30 + [9]))
    assert note.startswith(
        "an intruder who also knows the size of the household finds 9.1% of the records"
    )
    assert "alone or only with their household, instead of 0.0%" in note
    assert "leave out the household, or the households of rare sizes" in note
    assert told_apart_by_design(families([3] * 30)) == []
    assert told_apart_by_design(families([3] * 30 + [9, 9])) == []


def test_it_is_noted_of_a_release_of_groups_of_five() -> None:
    rng = np.random.default_rng(2)
    home = np.repeat(np.arange(100), [2] * 99 + [9])
    data = discreet.read(
        {"age": rng.integers(20, 60, len(home)), "home": home},
        roles={"age": QI, "home": "household"},
    )
    release = discreet.protect(data, "microaggregation")
    assert release.claims[0].measured == 5
    assert any("knows the size of the household finds" in note for note in release.notes)


def test_a_record_without_a_household_is_one_of_its_own() -> None:
    data = discreet.read(
        {"age": [40, 40, 40, 40], "home": [1, 1, None, None]},
        roles={"age": QI, "home": "household"},
    )
    (note,) = told_apart_by_design(data)
    assert "finds 50.0% of the records alone or only with their household" in note


@pytest.mark.parametrize("method", ["hybrid-micro", "additive-noise", "condensation"])
def test_weights_are_noted_where_records_are_drawn(method: str) -> None:
    rng = np.random.default_rng(4)
    weights = np.concatenate([np.repeat([1.0, 2.0], 99), [55.5, 66.6]])
    data = discreet.read(
        {"age": rng.normal(40, 9, 200), "w": weights}, roles={"age": QI, "w": "weight"}
    )
    (note,) = [n for n in discreet.protect(data, method).notes if "of the records alone" in n]
    also = "also knows w" if method != "additive-noise" else "knows w"
    assert note.startswith(f"an intruder who {also} finds ")
    if method == "additive-noise":
        assert "finds 1.0% of the records alone, instead of 0.0%" in note


def test_records_that_are_unique_by_drawn_values_are_not_found_by_them() -> None:
    data = discreet.read(
        {"age": [21.3, 22.8, 40.1, 41.7], "s": ["n", "n", "n", "s"]},
        roles={"age": QI, "s": "stratum"},
    )
    assert told_apart_by_design(data) == []
    (note,) = told_apart_by_design(data, drawn=["age"])
    assert "finds 25.0% of the records alone, instead of 0.0%" in note
    (note,) = told_apart_by_design(data, drawn=["age"], groups=np.array([0, 0, 1, 1]))
    assert note.startswith("an intruder who also knows s finds 50.0% of the records alone")


def test_formulas_are_noted_of_cells_and_names_without_quoting_them() -> None:
    data = discreet.read({"town": ["=1+1", "Ayle"], "=x": [-1.5, 2.0], "n": ["-3.5", "a=b"]})
    [note] = notes_on_formulas(data, FileFormat.default())
    assert "cells of 'town' and 1 of the names of columns" in note
    assert "=1" not in note
    safe = format_for(".csv", spreadsheet_safe=True)
    assert list(notes_on_formulas(data, safe)) == []
    assert list(notes_on_formulas(data, format_for(".parquet"))) == []


def test_shares_that_look_alike_are_told_as_counts() -> None:
    home = np.concatenate([np.repeat(np.arange(4000), 2), [4000, 4000, 4000]])
    data = discreet.read(
        {"town": ["a", "b"] * 4000 + ["a"] * 3, "home": home},
        roles={"town": QI, "home": "household"},
    )
    (note,) = told_apart_by_design(data)
    assert "finds 3 of the records alone or only with their household, instead of 0;" in note


def test_a_class_that_is_one_household_is_reported_and_amber() -> None:
    data = discreet.read(
        {"age": [30.0] * 3 + [50.0] * 4, "home": [1, 1, 1, 2, 2, 3, 3]},
        roles={"age": QI, "home": "household"},
        unit="record",
    )
    release = discreet.protect(data, {"microaggregation": {"partition": {"mdav": {"k": 3}}}})
    assert any("records that are one household: 1 (3 records)" in n for n in release.notes)
    reasons = discreet.assess(data, release, ["k-anonymity"]).verdict.reasons
    assert any("that are one household: 1 (3 records)" in reason.words for reason in reasons)


def test_classes_of_one_household_are_those_found_by_comparing_all_records() -> None:
    rng = np.random.default_rng(3)
    for _ in range(5):
        size = rng.choice([0.0, -0.0, 0.1, 7.5, np.nan], 60)
        town, home = rng.choice(list("abcde"), 60), rng.integers(0, 15, 60)
        data = discreet.read(
            {"size": size, "town": town, "home": home},
            roles={"size": "quasi-identifier", "town": "quasi-identifier", "home": "household"},
        )
        alike: dict[tuple[str, str], list[int]] = {}
        for i in range(60):
            alike.setdefault((str(size[i] + 0.0), town[i]), []).append(int(home[i]))
        single = [len(of) for of in alike.values() if len(of) > 1 and len(set(of)) == 1]
        assert classes_of_one_household(data) == (len(single), sum(single))


def test_a_column_that_brings_households_without_a_number_together_is_named() -> None:
    columns = {"hid": [1, 1, 2, 2, 3, 3, 4], "rent": [510.5, 510.5, 7, 7, 7, 7, 99]}
    options: Any = {"roles": {"hid": "household"}, "levels": {"rent": "household"}}
    data = discreet.read(columns, **options)
    without = discreet.read({**columns, "hid": [None] * 6 + [4]}, **options)
    notes = [note for note in notes_on_outcome(data, without, data) if "together again" in note]
    (note,) = notes
    assert note == (
        "'rent' is released as it is and brings the members of 1 of 3 households without a "
        "number together again: no other of them has its value; treat 'rent' in a step, round it, "
        "or leave it out"
    )
    rounded = without.replace([without.column("rent").with_values(np.full(7, 100.0))])
    assert not any("together again" in note for note in notes_on_outcome(data, rounded, data))
    assert not any("together again" in note for note in notes_on_outcome(data, data, data))


def test_a_release_without_records_is_told_apart_by_nothing() -> None:
    roles = {"age": "quasi-identifier", "area": "stratum"}
    data = discreet.read({"age": [31.0, 31.0], "area": ["n", "s"]}, roles=roles)
    assert told_apart_by_design(data)
    assert told_apart_by_design(data.take(np.array([], dtype=np.int64))) == []
