"""Inference, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Randomness, Target
from discreet.errors import NotApplicable
from discreet.measures.attack.inference import Inference

ROLES = {"age": "quasi-identifier", "ill": "confidential", "pay": "confidential"}


def test_the_most_frequent_class_of_those_alike_is_guessed() -> None:
    """Of the three aged 30 two have flu; of the two aged 40 each guess is right once in two."""
    data = discreet.read(
        {"age": [30, 30, 30, 40, 40], "ill": ["flu", "flu", "gout", "flu", "gout"]},
        roles={"age": "quasi-identifier", "ill": "confidential"},
    )
    outcome = Inference().attempt(Target(data, data), Context(Randomness(1)))
    assert outcome.success == pytest.approx((2 + 0.5 + 0.5) / 5)
    assert outcome.blind == 0.6


def test_a_number_is_right_within_the_tolerance() -> None:
    roles = {"age": "quasi-identifier", "pay": "confidential"}
    data = discreet.read({"age": [30, 40, 50], "pay": [100, 200, 0]}, roles=roles)
    released = discreet.read({"age": [30, 40, 50], "pay": [104, 220, 0]}, roles=roles)
    outcome = Inference().attempt(Target(data, released), Context(Randomness(1)))
    assert outcome.success == pytest.approx(2 / 3)
    wide = Inference(tolerance=0.1).attempt(Target(data, released), Context(Randomness(1)))
    assert wide.success == 1.0


def test_the_column_that_the_release_gives_away_counts() -> None:
    """Pay follows from age for everybody; the illness is known of those in the file only."""
    draw = np.random.default_rng(1)
    age = draw.integers(20, 80, 400).astype(float)
    everybody = discreet.read(
        {"age": age + draw.normal(0, 0.01, 400), "pay": 1000 + 10 * age,
         "ill": draw.choice(list("abcdefgh"), 400)},
        roles=ROLES,
    )  # fmt: skip
    used, control = everybody.take(np.arange(200)), everybody.take(np.arange(200, 400))
    outcome = Inference().attempt(Target(used, used, None, control), Context(Randomness(1)))
    assert outcome.detail["column"] == "ill"
    assert outcome.detail["columns"]["pay"]["control"] > 0.95
    assert outcome.success == 1.0
    assert outcome.control is not None
    assert outcome.control < 0.3


def test_it_needs_something_to_guess() -> None:
    data = discreet.read({"age": [30, 40]}, roles={"age": "quasi-identifier"})
    with pytest.raises(NotApplicable, match="confidential"):
        Inference().attempt(Target(data, data), Context())
