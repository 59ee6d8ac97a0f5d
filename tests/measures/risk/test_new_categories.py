"""A new category takes no column out of linkage or attacks: the intruder knows the recoding."""

from __future__ import annotations

import numpy as np
import pytest

import discreet

VALUES = [f"g{i:02d}" for i in range(100)]


def people(confidential: str) -> discreet.Microdata:
    """300 records: `g` of 100 values, `h` of 5, and a confidential column that follows `g`."""
    rng = np.random.default_rng(17)
    g = rng.integers(0, 100, 300)
    following = {
        "ill": [("no", "yes")[int(i % 2)] for i in g],
        "pay": (1000.0 + 10 * g).tolist(),
    }
    return discreet.read(
        {
            "g": [VALUES[i] for i in g],
            "h": rng.integers(0, 5, 300).astype(str),
            confidential: following[confidential],
        },
        roles={"g": "quasi-identifier", "h": "quasi-identifier", confidential: "confidential"},
    )


RECODED = discreet.GlobalRecoding(k=None, mappings={"g": {"other": VALUES[:2]}})


def release(data: discreet.Microdata) -> discreet.Release:
    return discreet.protect(data, RECODED, seed=1)


def test_the_claim_that_passed_is_refused() -> None:
    with pytest.raises(discreet.ClaimError):
        discreet.protect(people("ill"), RECODED, claims={"distance-linkage": 0.05})


@pytest.mark.parametrize(
    "measure", ["distance-linkage", "probabilistic-linkage", "linked-or-second"]
)
def test_linkage_loses_no_column(measure: str) -> None:
    data = people("ill")
    untouched = discreet.assess(
        data, data.drop([]), [measure], pairing=discreet.contracts.Pairing.same_order(300)
    )
    recoded = discreet.assess(data, release(data), [measure])
    before, after = untouched.risk[measure].value, recoded.risk[measure].value
    assert before > 0.5
    assert before - 0.05 < after <= before


def test_probabilistic_linkage_links_what_exact_matching_does() -> None:
    data = people("ill")
    made = release(data)
    value = (
        discreet.assess(data, made, ["probabilistic-linkage"]).risk["probabilistic-linkage"].value
    )
    labels = np.where(np.isin(data["g"], [0, 1]), 0, data["g"])
    keys = labels * 5 + data["h"]
    exact = (1 / np.bincount(keys)[keys]).mean()
    assert value == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize(
    ("measure", "confidential"), [("classification-attack", "ill"), ("regression-attack", "pay")]
)
def test_attacks_lose_no_column(measure: str, confidential: str) -> None:
    data = people(confidential)
    attack = {measure: {"leaf": 2}}
    before = discreet.assess(data, data.drop([]), [attack]).risk[measure].value
    after = discreet.assess(data, release(data), [attack]).risk[measure].value
    assert before > 0.3
    assert after > before - 0.05


def test_one_new_category_of_pram_hides_nothing() -> None:
    data = people("ill")
    stays = {v: {v: 0.999, "new": 0.001} for v in VALUES}
    made = discreet.protect(data, discreet.PRAM(columns=["g"], matrices={"g": stays}), seed=3)
    assert "new" in made.data.schema["g"].categories
    attack = {"classification-attack": {"leaf": 2}}
    assert discreet.assess(data, made, [attack]).risk["classification-attack"].value > 0.3
    with pytest.raises(discreet.ClaimError):
        discreet.protect(
            data,
            discreet.PRAM(columns=["g"], matrices={"g": stays}),
            claims={"probabilistic-linkage": 0.05},
        )
