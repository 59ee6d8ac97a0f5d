"""Groups of at least k persons, where a person has several records."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Groups
from discreet.errors import DataError
from discreet.microaggregation.units import groups_of_units


def test_groups_with_too_few_persons_are_merged_and_the_others_left() -> None:
    rng = np.random.default_rng(3)
    who, place = rng.integers(0, 25, 200), rng.normal(size=200)
    data = discreet.read({"who": who, "x": place}, roles={"who": "person"})
    labels = np.argsort(np.argsort(place)) // 4
    merged, (note,) = groups_of_units(data, ["x"], Groups(labels, 4))
    persons = [len(set(who[merged.labels == g].tolist())) for g in range(merged.count)]
    assert min(persons) >= 4
    for group in range(50):
        assert len(set(merged.labels[labels == group].tolist())) == 1
    before = sum(len(set(who[labels == g].tolist())) < 4 for g in range(50))
    assert 50 - merged.count >= before / 2
    assert "at least 4 persons" in note


def test_nothing_changes_where_every_record_is_somebody_else() -> None:
    data = discreet.read({"who": [1, 2, 3, 4], "x": [1, 2, 3, 4]}, roles={"who": "person"})
    groups = Groups(np.array([0, 0, 1, 1]), 2)
    assert groups_of_units(data, ["x"], groups) == (groups, ())


def test_too_few_persons_are_refused() -> None:
    data = discreet.read({"who": [1, 1, 1, 1], "x": [1, 2, 3, 4]}, roles={"who": "person"})
    with pytest.raises(DataError, match="need at least 2 persons, but the data have 1"):
        groups_of_units(data, ["x"], Groups(np.array([0, 0, 1, 1]), 2))


def test_records_left_out_stay_left_out() -> None:
    data = discreet.read({"who": [1, 1, 2, 3, 9], "x": [1, 2, 3, 4, 5]}, roles={"who": "person"})
    merged, _ = groups_of_units(data, ["x"], Groups(np.array([0, 0, 1, 1, -1]), 2))
    assert merged.labels.tolist() == [0, 0, 0, 0, -1]


def test_groups_within_strata_are_merged_there() -> None:
    rng = np.random.default_rng(8)
    strata = np.repeat(np.arange(40), 15)
    home, place = rng.integers(0, 6, 600) + 6 * strata, rng.normal(size=600)
    data = discreet.read({"hid": home, "x": place}, roles={"hid": "household"})
    labels = np.arange(600) // 3
    merged, (note,) = groups_of_units(data, ["x"], Groups(labels, 3), strata)
    assert "at least 3 households" in note
    for group in range(merged.count):
        inside = merged.labels == group
        assert len(set(home[inside].tolist())) >= 3
        assert len(set(strata[inside].tolist())) == 1


def test_a_stratum_of_too_few_households_is_refused() -> None:
    data = discreet.read({"hid": [1, 1, 2, 3], "x": [1, 2, 3, 4]}, roles={"hid": "household"})
    groups, strata = Groups(np.array([0, 0, 1, 1]), 2), np.array([0, 0, 1, 1])
    with pytest.raises(DataError, match="need at least 2 households, but the data have 1 in a str"):
        groups_of_units(data, ["x"], groups, strata)
