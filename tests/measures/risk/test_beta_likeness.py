"""β-likeness by hand, and beside the definition written out."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.measures.risk.beta_likeness import BetaLikeness

ROLES = {"age": "quasi-identifier", "ill": "confidential"}


def measured(age: list[int], ill: list[str], variant: str = "basic") -> float:
    data = discreet.read({"age": age, "ill": ill}, roles=ROLES)
    return BetaLikeness(variant=variant).score(data, data, Context()).value


def test_a_class_with_twice_the_share() -> None:
    """Half of the first class has b, a quarter of all: once more than that."""
    assert measured([1, 1, 2, 2, 2, 2, 2, 2], list("abaaaaab")) == pytest.approx(1.0)


def test_a_value_that_becomes_less_likely_does_not_count() -> None:
    """The second class lacks b; its a has 2/2 instead of 3/4, b of the first 1/2 instead of 1/4."""
    assert measured([1, 1, 2, 2], list("abaa")) == pytest.approx(1.0)


def test_a_frequent_value_may_gain_little_in_the_enhanced_variant() -> None:
    """a has 3/4 of all and the whole second class: a gain of 1/3, and −ln 3/4 is 0.29."""
    assert measured([1, 1, 2, 2], list("abaa"), "enhanced") == np.inf
    # Each value has half of all: a gain of 1/2 is less than ln 2.
    age, ill = [1] * 4 + [2] * 4, list("aaabbbba")
    assert measured(age, ill, "enhanced") == measured(age, ill) == pytest.approx(0.5)


def test_a_value_that_everybody_has_gains_nothing() -> None:
    assert measured([1, 1, 1, 2, 2], list("aaaaa"), "enhanced") == 0


def test_the_enhanced_variant_as_a_claim() -> None:
    rows = {"age": [1] * 4 + [2] * 4, "ill": list("aaabbbba"), "note": list("xyxyxyxy")}
    data = discreet.read(rows, roles=ROLES)
    measures = [BetaLikeness(variant="enhanced")]
    step = {"pram": {"stay": 0.9, "columns": ["note"]}}
    release = discreet.protect(data, [step], 1, claims={"beta-likeness": 0.5}, measures=measures)
    [claim] = release.claims
    assert claim.measured == pytest.approx(0.5)
    worse = discreet.read({**rows, "ill": list("aaaabaaa")}, roles=ROLES)
    with pytest.raises(discreet.ClaimError, match="beta-likeness is claimed to be at most 9"):
        discreet.protect(worse, [step], 1, claims={"beta-likeness": 9}, measures=measures)
    discreet.protect(worse, [step], 1, claims={"beta-likeness": 9})


@pytest.mark.parametrize("variant", ["basic", "enhanced"])
@pytest.mark.parametrize("seed", range(6))
def test_beside_the_definition(seed: int, variant: str) -> None:
    """The least β with (p − q)/q ≤ β, or ≤ min(β, −ln q), everywhere; infinite if there is none."""
    draw = np.random.default_rng(seed)
    age, ill = draw.integers(0, 3, 60).tolist(), draw.choice(list("aabc"), 60).tolist()
    worst, holds = 0.0, True
    for a in set(age):
        mine = [i for i, other in zip(ill, age, strict=True) if other == a]
        for value in set(mine):
            p, q = mine.count(value) / len(mine), ill.count(value) / len(ill)
            worst = max(worst, (p - q) / q)
            holds = holds and (p - q) / q <= -np.log(q)
    expected = worst if holds or variant == "basic" else np.inf
    assert measured(age, ill, variant) == pytest.approx(expected)
