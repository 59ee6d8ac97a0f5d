"""Linkability, worked by hand."""

from __future__ import annotations

import pytest

import discreet
from discreet.contracts import Context, Randomness, Target
from discreet.errors import NotApplicable, UsageError
from discreet.measures.attack.linkability import Linkability

ROLES = {"age": "quasi-identifier", "sex": "quasi-identifier"}


def test_ties_share_the_chance() -> None:
    """By age 30 and 50 are found; by sex one of two each: half of the joins are right."""
    data = discreet.read({"age": [30, 40, 50, 60], "sex": ["f", "f", "m", "m"]}, roles=ROLES)
    outcome = Linkability().attempt(Target(data, data), Context(Randomness(1)))
    assert outcome.success == 0.5
    assert outcome.blind == 0.25
    assert outcome.detail["first file"] == ["age"]


def test_it_takes_a_column_in_each_file() -> None:
    one = discreet.read({"age": [30, 40]}, roles={"age": "quasi-identifier"})
    with pytest.raises(NotApplicable, match="two known columns"):
        Linkability().attempt(Target(one, one), Context())
    two = discreet.read({"age": [30, 40], "sex": ["f", "m"]}, roles=ROLES)
    with pytest.raises(UsageError, match="first file"):
        Linkability(first=("age", "sex")).attempt(Target(two, two), Context())
    with pytest.raises(NotApplicable, match="one of the two files"):
        Linkability().attempt(Target(two, two.drop(["sex"])), Context())
