"""β-likeness by hand, and beside the definition written out."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.measures.risk.beta_likeness import BetaLikeness

ROLES = {"age": "quasi-identifier", "ill": "confidential"}


def measured(age: list[int], ill: list[str]) -> float:
    data = discreet.read({"age": age, "ill": ill}, roles=ROLES)
    return BetaLikeness().score(data, data, Context()).value


def test_a_class_with_twice_the_share() -> None:
    """Half of the first class has b, a quarter of all: once more than that."""
    assert measured([1, 1, 2, 2, 2, 2, 2, 2], list("abaaaaab")) == pytest.approx(1.0)


def test_a_value_that_becomes_less_likely_does_not_count() -> None:
    """The second class lacks b; its a has 2/2 instead of 3/4, b of the first 1/2 instead of 1/4."""
    assert measured([1, 1, 2, 2], list("abaa")) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(4))
def test_beside_the_definition(seed: int) -> None:
    draw = np.random.default_rng(seed)
    age, ill = draw.integers(0, 3, 60).tolist(), draw.choice(list("abc"), 60).tolist()
    worst = 0.0
    for a in set(age):
        mine = [i for i, other in zip(ill, age, strict=True) if other == a]
        for value in set(mine):
            p, q = mine.count(value) / len(mine), ill.count(value) / len(ill)
            worst = max(worst, (p - q) / q)
    assert measured(age, ill) == pytest.approx(worst)
