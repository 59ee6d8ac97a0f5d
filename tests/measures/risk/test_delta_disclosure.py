"""δ-disclosure privacy by hand, and beside the definition written out."""

from __future__ import annotations

import math

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.measures.risk.delta_disclosure import DeltaDisclosure

ROLES = {"age": "quasi-identifier", "ill": "confidential"}


def measured(age: list[int], ill: list[str | None]) -> float:
    data = discreet.read({"age": age, "ill": ill}, roles=ROLES)
    return DeltaDisclosure().score(data, data, Context()).value


def test_a_class_with_twice_the_share() -> None:
    """Half of the first class has b, a quarter of all: ln 2."""
    assert measured([1, 1, 2, 2, 2, 2, 2, 2], list("abaaaaab")) == pytest.approx(math.log(2))


def test_a_value_that_a_class_lacks_is_ruled_out() -> None:
    assert measured([1, 1, 2, 2], list("abaa")) == math.inf
    assert measured([1, 1, 2, 2], ["a", None, "a", "a"]) == math.inf


@pytest.mark.parametrize("seed", range(4))
def test_beside_the_definition(seed: int) -> None:
    draw = np.random.default_rng(seed)
    age, ill = draw.integers(0, 2, 60).tolist(), draw.choice(list("abc"), 60).tolist()
    worst = 0.0
    for a in set(age):
        mine = [i for i, other in zip(ill, age, strict=True) if other == a]
        for value in set(ill):
            p, q = mine.count(value) / len(mine), ill.count(value) / len(ill)
            worst = max(worst, abs(math.log(p / q)) if p else math.inf)
    assert measured(age, ill) == pytest.approx(worst)
