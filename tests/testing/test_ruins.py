"""Ruined copies are ruined in the way that their name says, and in no other."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.contracts import Ruin
from discreet.errors import NotApplicable
from discreet.microdata import Microdata
from discreet.models.association import associations
from discreet.testing.ruins import ruined
from discreet.testing.surveys import binary, mixed


@pytest.fixture(scope="module")
def data() -> Microdata:
    return mixed()


def strength(data: Microdata) -> float:
    found = np.array(list(associations(data, data.schema.names).values()))
    return float(np.nanmean(np.abs(found)))


def test_permuted_columns_have_their_values_and_no_company(data: Microdata) -> None:
    copy = ruined(data, Ruin.PERMUTED)
    for name in data.schema.names:
        assert (np.sort(copy[name]) == np.sort(data[name])).all()
        assert (copy[name] != data[name]).any()
    assert strength(copy) < 0.1 * strength(data)


def test_constant_columns_have_one_value(data: Microdata) -> None:
    copy = ruined(data, Ruin.CONSTANT)
    assert all(len(np.unique(copy[name])) == 1 for name in data.schema.names)
    assert copy["amount0"][0] == pytest.approx(data["amount0"].mean())


def test_starred_columns_say_nothing(data: Microdata) -> None:
    copy = ruined(data, Ruin.STARRED)
    assert {copy.schema[name].categories for name in data.schema.names} == {("*",)}


def test_broken_pairs_keep_columns_and_company_with_one_column(data: Microdata) -> None:
    copy = ruined(data, Ruin.UNPAIRED)
    last = data.schema.names[-1]
    before, after = (associations(table, data.schema.names) for table in (data, copy))
    with_last = [pair for pair in before if last in pair]
    kept = sum(abs(after[p]) for p in with_last) / sum(abs(before[p]) for p in with_last)
    assert kept > 0.9
    assert strength(copy) < 0.5 * strength(data)


def test_a_dropped_column_is_a_quasi_identifier_of_its_kind(data: Microdata) -> None:
    for ruin, continuous in ((Ruin.NUMBER_DROPPED, True), (Ruin.CATEGORY_DROPPED, False)):
        [gone] = set(data.schema.names) - set(ruined(data, ruin).schema.names)
        assert gone in data.quasi_identifiers
        assert data.schema[gone].continuous is continuous
    with pytest.raises(NotApplicable, match="no quasi-identifier is continuous"):
        ruined(binary(50), Ruin.NUMBER_DROPPED)
