"""Errors: their exit codes, and the hint at the nearest name."""

from __future__ import annotations

import pytest

import discreet
from discreet.errors import ClaimError, DataError, DiscreetError, NotApplicable, UsageError, nearest


def test_a_wrong_instruction_leaves_with_2_and_unusable_data_with_1() -> None:
    codes = {error: error.exit_code for error in (UsageError, DataError, ClaimError, DiscreetError)}
    assert codes == {UsageError: 2, DataError: 1, ClaimError: 1, DiscreetError: 1}


def test_a_measure_that_does_not_apply_is_no_error_of_the_user() -> None:
    assert not issubclass(NotApplicable, DiscreetError)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("MDVA", "; did you mean 'mdav'?"),
        ("age", "; did you mean 'Age'?"),
        ("", ""),
        ("zzz", ""),
    ],
)
def test_the_hint_is_spelt_as_the_known_name_is(name: str, hint: str) -> None:
    assert nearest(name, ["mdav", "mst", "Age"]) == hint


def test_nothing_is_known_nothing_is_hinted_at() -> None:
    assert nearest("mdav", []) == ""


def test_a_message_is_one_line_whatever_it_quotes() -> None:
    people = {"area": ["x\ny", "z"] * 6, "pay": ["low", "high"] * 6}
    roles = {"area": "quasi-identifier", "pay": "confidential"}
    step = {"partially-synthetic": {"cells": "area >= x\ny"}}
    with pytest.raises(DiscreetError, match="area >= x") as caught:
        discreet.protect(people, step, 1, roles=roles)
    assert len(str(caught.value).splitlines()) == 1
