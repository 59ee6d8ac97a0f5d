"""Outcomes that a user may get, and those that are faults."""

from __future__ import annotations

import time

import pytest

from bench.campaign.command import Outcome, broke, in_time, judge, run
from bench.campaign.faults import Fault, Overtime


def test_a_refusal_in_one_sentence(tmp_path: object) -> None:
    outcome = run(["describe", f"{tmp_path}/nothing.csv"])
    judge(outcome, "describe")
    assert outcome.code == 1
    assert "does not exist" in outcome.message


@pytest.mark.parametrize(
    ("outcome", "kind"),
    [
        (Outcome(9, "", ""), "exit code 9"),
        (Outcome(1, "", "discreet: this is one line\nand another\n"), "not one line"),
        (Outcome(2, "", ""), "not one line"),
        (Outcome(1, "", "Traceback (most recent call last)"), "traceback"),
        (Outcome(0, "", "", ("RuntimeWarning at x.py:1: overflow",)), "warning RuntimeWarning"),
        (Outcome(1, "", "discreet: out of memory; use fewer columns"), "out of memory"),
    ],
)
def test_outcomes_that_are_faults(outcome: Outcome, kind: str) -> None:
    with pytest.raises(Fault, match=kind):
        judge(outcome, "protect")


def test_notes_may_stand_before_a_refusal() -> None:
    judge(Outcome(1, "", "note: a remark\ndiscreet: the sentence that says why\n"), "protect")


def test_verify_tells_what_is_wrong_in_its_report() -> None:
    report = Outcome(1, "the checksum is another\n", "")
    judge(report, "manifest.json by verify")
    with pytest.raises(Fault, match="not one line"):
        judge(report, "protect")


def test_a_block_that_takes_too_long() -> None:
    with pytest.raises(Overtime), in_time(0.01):
        time.sleep(5)


def test_an_error_is_named_by_its_place() -> None:
    from discreet.errors import nearest

    with pytest.raises(TypeError) as caught:
        nearest("x", 3)  # type: ignore[arg-type]
    assert broke(caught.value, "protect").kind == "protect: TypeError at errors.py in nearest"
