"""Measures whose value is the success of an attack: with a control, and without one."""

from __future__ import annotations

import numpy as np
import pytest

import discreet

WITH_CONTROL = ("homogeneity", "inference", "linkability", "membership", "singling-out",
                "nearest-record")  # fmt: skip


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
    for name in ("homogeneity", "inference", "linkability", "singling-out"):
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


@pytest.fixture(scope="module")
def wards() -> discreet.Microdata:
    """People of few kinds whose town tells the region, and an illness that some kinds share."""
    draw = np.random.default_rng(2)
    town = draw.choice(list("abcdefgh"), 300)
    return discreet.read(
        {"town": town, "region": [f"r{ord(t) // 4}" for t in town],
         "sex": draw.choice(["f", "m"], 300), "ill": draw.choice(list("uvwxyz"), 300)},
        roles={"town": "quasi-identifier", "sex": "quasi-identifier", "region": "other",
               "ill": "confidential"},
    )  # fmt: skip


def test_attacks_on_recoding_and_suppression_are_measures(wards: discreet.Microdata) -> None:
    coarse = discreet.protect(
        wards, discreet.GlobalRecoding(k=5, l=6), seed=1, hold_back=0.3, allow=None
    )
    risk = discreet.assess(wards, coarse).risk
    assert {"homogeneity", "minimality"} <= set(risk)
    assert "suppressed-cells" not in risk  # none was
    for name in ("homogeneity", "minimality"):
        score = risk[name]
        assert score.column == "ill"
        assert score.parts == {("ill",): score.value}
        assert score.blind == max(score.detail["blind"], score.detail["control"])
    holes = discreet.protect(
        wards, discreet.LocalSuppression(k=18, steps=1000), seed=1, hold_back=0.3, allow=None
    )
    found = discreet.assess(wards, holes)
    assert found.risk["suppressed-cells"].detail["cells"] > 0
    assert "says nothing about confidential values" in found.risk["minimality"].note


def test_what_they_find_is_refused_where_it_is_claimed_not_to_be_there(
    wards: discreet.Microdata,
) -> None:
    recoding = discreet.GlobalRecoding(k=5, l=6)
    held = discreet.protect(wards, recoding, seed=1, allow=None, claims={"minimality": 0.9})
    assert [claim.measure for claim in held.claims][-1] == "minimality"
    with pytest.raises(discreet.errors.ClaimError, match="homogeneity"):
        discreet.protect(wards, recoding, seed=1, allow=None, claims={"homogeneity": 0.05})
