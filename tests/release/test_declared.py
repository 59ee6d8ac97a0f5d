"""Analyses that a plan declares reach the measures that ask for them."""

from __future__ import annotations

from typing import Any

import pytest

from discreet.contracts.registry import build
from discreet.errors import UsageError
from discreet.release.declared import analyses_of, declared

MEAN = {"mean": {"of": ["pay"]}}


def test_analyses_may_be_recipes_or_made_already() -> None:
    made = analyses_of([MEAN])
    assert analyses_of([*made]) == made
    assert analyses_of(None) == analyses_of([]) == ()


@pytest.mark.parametrize("wrong", [5, ["mean"], None])
def test_what_is_no_analysis_is_refused_by_its_type(wrong: Any) -> None:
    with pytest.raises(UsageError, match=f"but a {type(wrong).__name__} was given"):
        analyses_of([wrong])


def test_only_measures_that_ask_and_were_given_none_get_them() -> None:
    analyses: Any = build("measure", "analyses")
    own: Any = build("measure", {"analyses": {"of": [{"mean": {"of": ["age"]}}]}})
    other: Any = build("measure", "k-anonymity")
    made = analyses_of([MEAN])
    assert declared(analyses, made) == build("measure", {"analyses": {"of": [MEAN]}})
    assert declared(own, made) is own
    assert declared(other, made) is other
    assert declared(analyses, ()) is analyses
