"""What a plan says about how values come in and go out."""

from __future__ import annotations

import pytest

from discreet import Plan, UsageError

STEPS = "steps: [rounding]\n"


def test_what_is_not_said_is_the_usual() -> None:
    plan = Plan.parse(STEPS)
    assert (plan.shuffle, plan.keep_decimals, plan.keep_codes, plan.missing) == (
        True,
        True,
        False,
        {},
    )


def test_what_is_said_is_dumped_and_read_again() -> None:
    text = STEPS + "missing: {income: -9}\nrelease: {decimals: free, missing_codes: keep}\n"
    plan = Plan.parse(Plan.parse(text).dump())
    assert (plan.keep_decimals, plan.keep_codes, plan.missing) == (False, True, {"income": [-9]})


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("release: {decimals: two}", "original or free"),
        ("release: {missing_codes: some}", "drop or keep"),
        ("release: {shuffle: 3}", "true or false"),
        ("missing: {income: [[1]]}", "list of numbers or texts"),
    ],
)
def test_mistakes_are_explained(line: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Plan.parse(f"{STEPS}{line}\n")
