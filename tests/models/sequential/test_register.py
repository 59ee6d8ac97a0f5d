"""A register of the population, matched to the file."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet import DataError
from discreet.models.sequential.register import Register


def test_categories_are_matched_by_what_they_are_called() -> None:
    """A CSV file has numbers where a frame has text, and another order of the categories."""
    data = discreet.read(
        {"region": ["1", "2"] * 20, "grade": ["low", "high"] * 20, "pay": np.arange(40.0)},
        roles={"pay": "confidential"},
        kinds={"grade": ["low", "mid", "high"]},
    )
    found = Register.of({"grade": ["high", "mid", None], "region": [2, 1, 2]}, data)
    by_name = {column.name: column for column in found.columns}
    assert list(by_name["grade"].values) == [2, 1, -1]
    assert list(by_name["region"].values) == [1, 0, 1]
    with pytest.raises(DataError, match=r"has 1 categories \(2 persons\) that no record") as caught:
        Register.of({"region": ["1", "north", "north"]}, data)
    assert "'north'" not in str(caught.value)


def test_identifiers_that_are_numbers_link_as_well() -> None:
    data = discreet.read(
        {"no": [7, 8], "age": [30, 40]}, roles={"no": "identifier", "age": "quasi-identifier"}
    )
    found = Register.of({"no": [9, 8, None], "age": [1, 2, 3]}, data)
    assert list(found.records) == [-1, 1, -1]
    assert list(found.strangers) == [0, 2]
    large = discreet.read({"no": [2**60, 1], "age": [30, 40]}, roles={"no": "identifier"})
    with pytest.raises(DataError, match="read it as nominal"):
        Register.of({"no": [2**60 + 1], "age": [1]}, large)
