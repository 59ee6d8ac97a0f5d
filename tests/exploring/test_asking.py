"""What a search is asked for: by name, as an object or as in a plan; wrong words are told."""

from __future__ import annotations

from typing import Any

import pytest

import discreet
from discreet import UsageError
from discreet.contracts.registry import find
from discreet.exploring.asking import limits_of, measure_of, seconds_of


def test_a_measure_is_named_given_or_written_as_in_a_plan() -> None:
    abico: Any = find("measure", "abico")()
    assert measure_of("abico") == measure_of(abico) == measure_of({"abico": {}}) == abico
    assert measure_of(abico) is abico
    [limit] = limits_of({find("measure", "k-anonymity")(): 3})
    assert (limit.spec.name, limit.bound) == ("k-anonymity", 3)


def test_a_word_of_one_usual_measure_is_enough() -> None:
    assert measure_of("sst").spec.name == "sse-sst"
    with pytest.raises(UsageError, match="several measures are called 'anonymity'"):
        measure_of("anonymity")
    with pytest.raises(UsageError, match="there is no measure 'abicoo'; did you mean 'abico'"):
        measure_of("abicoo")


@pytest.mark.parametrize("wrong", ["soon", "", "-3s", "1.2.3m", 0])
def test_a_time_that_is_none_is_told(wrong: float | str) -> None:
    with pytest.raises(UsageError, match="a time such as 90s, 10m or 2h"):
        seconds_of(wrong)


@pytest.mark.usefixtures("trials_in_process")
def test_explore_takes_measures_as_objects() -> None:
    data = discreet.read({"age": [20, 21, 40, 41, 60, 61]}, roles={"age": "quasi-identifier"})
    sse: Any = find("measure", "sse-sst")()
    found = discreet.explore(
        data, {"k-anonymity": 2}, [sse], candidates=[discreet.Rounding(base=50)], repeats=1
    )
    assert [goal.spec.name for goal in found.goals] == ["sse-sst"]
