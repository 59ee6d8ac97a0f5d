"""Measures whose value is the success of an attack: with a control, and without one."""

from __future__ import annotations

import numpy as np
import pytest

import discreet

WITH_CONTROL = ("inference", "linkability", "membership", "singling-out", "nearest-record")


def noise(alpha: float = 0.1) -> discreet.AdditiveNoise:
    return discreet.AdditiveNoise(alpha=alpha, columns=["age", "height"])


@pytest.fixture(scope="module")
def patients() -> discreet.Microdata:
    draw = np.random.default_rng(1)
    age = draw.integers(18, 90, 400)
    return discreet.read(
        {"age": age, "height": draw.normal(170, 9, 400), "town": draw.choice(list("abcd"), 400),
         "pay": 100.0 * age + draw.normal(0, 400, 400)},
        roles={"age": "quasi-identifier", "height": "quasi-identifier", "town": "quasi-identifier",
               "pay": "confidential"},
    )  # fmt: skip


def test_held_back_records_bring_the_attacks_into_the_assessment(
    patients: discreet.Microdata,
) -> None:
    release = discreet.protect(patients, noise(), seed=1, hold_back=0.3)
    risk = discreet.assess(patients, release).risk
    assert set(WITH_CONTROL) <= set(risk)
    for name in ("inference", "linkability", "singling-out"):
        score = risk[name]
        assert score.blind == max(score.detail["blind"], score.detail["control"])
        assert "against people held back" in score.note
    assert risk["membership"].blind == 0.5
    assert "against a holdout of 120 records" in risk["nearest-record"].note


def test_without_a_control_inference_is_no_reason_for_a_light(
    patients: discreet.Microdata,
) -> None:
    release = discreet.protect(patients, noise(0.0001), seed=1)
    assert not set(WITH_CONTROL) & set(discreet.assess(patients, release).risk)
    found = discreet.assess(patients, release, ["inference", "linkability", "membership"])
    assert found.risk["inference"].blind is None
    assert "hold back a share" in found.risk["inference"].note
    assert found.risk["linkability"].blind == pytest.approx(1 / 400)
    assert "hold back a share" in found.left_out["membership"]
    assert not any("nference" in reason.words for reason in found.verdict.reasons)


def test_they_can_be_claimed(patients: discreet.Microdata) -> None:
    mixed = discreet.protect(
        patients,
        discreet.RankSwapping(p=100, columns=["age", "height"]),
        seed=1,
        hold_back=0.3,
        claims={"membership": 0.7},
    )
    assert [claim.measure for claim in mixed.claims] == ["membership"]
    with pytest.raises(discreet.errors.ClaimError, match="membership"):
        discreet.protect(
            patients, noise(1e-6), seed=1, hold_back=0.3,
            claims={"membership": 0.7},
        )  # fmt: skip
