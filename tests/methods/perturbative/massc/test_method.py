"""MASSC: strata, donors, best rates, exact totals, and the bound on the risk."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet import MASSC, DataError, Microdata, UsageError
from discreet.contracts import Context, Masked, Method, Randomness
from discreet.methods.perturbative.massc.design import (
    donors,
    risk_bound,
    risk_strata,
)
from discreet.methods.perturbative.massc.method import _subsample
from discreet.models.calibration import controls
from tests.methods.perturbative.massc.keys import KEYS, table


def masked(data: Microdata, seed: int = 1, **parameters: object) -> Masked:
    method: Method = MASSC(**parameters)
    return method.protect(data, Context(Randomness(seed)))


@pytest.mark.parametrize("calibration", ["raking", "linear"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_totals_of_the_outcomes_hold_exactly(calibration: str, seed: int) -> None:
    data = table()
    out = masked(data, seed, calibration=calibration)
    before, names = controls(data, ["pay", "ill"])
    after = controls(out.data, ["pay", "ill"])[0]
    assert names == ["records", "pay", "ill = no", "ill = yes"]
    assert after.T @ out.data["w"] == pytest.approx(before.T @ data["w"], rel=1e-8)


def test_only_keys_and_weights_change_and_the_origin_is_told() -> None:
    data = table()
    out = masked(data)
    assert out.origin is not None
    assert len(out.data) == len(out.origin) < len(data)
    assert (np.diff(out.origin) > 0).all()
    for name in ("pay", "ill"):
        assert out.data[name].tolist() == data[name][out.origin].tolist()
    codes = [np.column_stack([t[k] for k in KEYS]) for t in (data.take(out.origin), out.data)]
    apart = (codes[0] != codes[1]).sum(axis=1)
    assert 0 < (apart > 0).mean() <= 0.25
    assert set(map(tuple, codes[1].tolist())) <= set(
        map(tuple, np.column_stack([data[k] for k in KEYS]).tolist())
    ), "no combination of keys is invented"


def test_rates_are_those_of_the_help() -> None:
    data = table(4000)
    out = masked(data, most_substituted=0.3, least_released=0.6, bias=1, standard_error=1)
    # With bounds that do not bind, every stratum is treated as much as it may be.
    assert len(out.data) == pytest.approx(0.6 * len(data), abs=4)
    assert out.origin is not None
    before = data.take(out.origin)
    moved = np.any([before[k] != out.data[k] for k in KEYS], axis=0)
    assert moved.mean() == pytest.approx(0.3, abs=0.04)
    nothing = masked(data, most_substituted=0, least_released=1)
    assert len(nothing.data) == len(data)
    assert nothing.data["w"] == pytest.approx(data["w"])


def test_substitution_stays_within_the_bias_that_was_allowed() -> None:
    # All are released, so weights stay, and only substitution moves the totals of a key's category.
    data = table(400)
    bias, runs = 0.03, 120
    totals = np.zeros((runs, 9))
    for seed in range(runs):
        out = masked(data, seed, bias=bias, least_released=1, most_substituted=0.5)
        assert out.data["w"] == pytest.approx(data["w"])
        totals[seed] = np.bincount(out.data["town"], weights=out.data["w"], minlength=9)
    truth = np.bincount(data["town"], weights=data["w"], minlength=9)
    large = np.bincount(data["town"], minlength=9) >= 30
    assert large.sum() >= 3
    error = totals.std(axis=0) / np.sqrt(runs)
    off = np.abs(totals.mean(axis=0) - truth)[large]
    assert (off <= bias * truth[large] + 4.5 * error[large]).all()
    assert "(bound 3.00%)" in out.notes[2]
    assert out.notes[2].startswith("largest bias by substitution: 3.00%"), "the bound decides"


def test_subsampling_brings_the_standard_error_that_was_allowed() -> None:
    data = table(400)
    method = MASSC(standard_error=0.04, most_substituted=0)
    terms, _ = controls(data, ["pay", "ill"])
    weights = data["w"]
    design = method._design(data, tuple(KEYS), weights, terms, donors(data, KEYS))
    rng = np.random.default_rng(5)
    totals = []
    for _ in range(1500):
        rows = _subsample(design, rng)
        raised = weights[rows] / design.phi[design.strata.labels[rows]]
        totals.append(terms[rows].T @ raised)
    truth = terms.T @ weights
    found = np.std(totals, axis=0) / truth
    assert np.mean(totals, axis=0) == pytest.approx(truth, rel=4.5 * 0.04 / np.sqrt(1500))
    assert found.max() == pytest.approx(design.error, rel=0.1)
    assert 0.035 < design.error <= 0.04, "the bound decides, and is a standard error"


def test_the_risk_bound_holds_for_an_intruder_who_knows_the_keys() -> None:
    data = table(150)
    parameters = {"most_substituted": 0.4, "least_released": 0.5, "bias": 1, "standard_error": 1}
    method = MASSC(**parameters)
    keys = np.column_stack([data[k] for k in KEYS])
    identified = np.zeros(len(data))
    runs = 150
    for seed in range(runs):
        out = method.protect(data, Context(Randomness(seed)))
        assert out.origin is not None
        released = np.column_stack([out.data[k] for k in KEYS])
        alike = (released[:, None] == keys[out.origin]).all(axis=2)
        own = alike[np.arange(len(released)), np.arange(len(released))]
        matches = (released[None] == keys[out.origin][:, None]).all(axis=2).sum(axis=1)
        identified[out.origin] += own / np.maximum(matches, 1)
    strata = risk_strata(data, KEYS, 4)
    drawn = np.ceil(0.5 * strata.records - 1e-6).astype(np.int64)
    average, most = risk_bound(strata, np.full(4, 0.4), drawn)
    assert identified.mean() / runs <= average
    assert identified.mean() / runs > 0.5 * average, "the bound is not idle"
    uniques = strata.sizes == 1
    assert identified[uniques].mean() / runs <= most + 4.5 * 0.5 / np.sqrt(runs * uniques.sum())
    assert f"chance {average:.4f} at most on average, {most:.4f} in the worst" in out.notes[4]


def test_where_all_keys_are_equal_nobody_is_substituted() -> None:
    # A record would get its own keys, and be found as before: the bound must not fall.
    data = discreet.read(
        {"town": ["a"] * 8, "sick": list("yn") * 4, "w": [1.0] * 8},
        {"town": "quasi-identifier", "sick": "confidential", "w": "weight"},
    )
    notes = MASSC(most_substituted=1, least_released=1).protect(data, Context()).notes
    assert "8 records, 0.0% substituted" in notes[0]
    assert "chance 0.1250 at most on average, 0.1250 in the worst case" in notes[4]


def test_what_it_cannot_use_is_explained() -> None:
    data = table()
    with pytest.raises(DataError, match="one column with the role weight, but the data have 0"):
        masked(data.drop(["w"]))
    weights = data["w"].copy()
    weights[7] = np.nan
    with pytest.raises(DataError, match="a weight above 0 in column 'w', but row 8 has none"):
        masked(data.replace([data.column("w").with_values(weights)]))
    with pytest.raises(UsageError, match="MASSC names column 'rent'"):
        masked(data, outcomes=["rent"])
    with pytest.raises(
        UsageError, match=f"must not be keys.*but '{data.quasi_identifiers[0]}' is one"
    ):
        masked(data, outcomes=[data.quasi_identifiers[0]])
    with pytest.raises(DataError, match="MASSC treats ordinal and nominal columns, but 'pay' is"):
        masked(data, columns=["pay"])


def test_the_patients_and_what_is_left_of_their_quasi_identifiers(patients: Microdata) -> None:
    out = masked(patients, columns=["sex", "education", "occupation"])
    assert any("age, height_cm, weight_kg" in note for note in out.notes)
    assert any("sampled households of column 'household_id'" in note for note in out.notes)
    before, _ = controls(patients, patients.having(discreet.Role.CONFIDENTIAL))
    after, _ = controls(out.data, patients.having(discreet.Role.CONFIDENTIAL))
    weight = "sampling_weight"
    assert after.T @ out.data[weight] == pytest.approx(before.T @ patients[weight], rel=1e-7)
    release = discreet.protect(patients, MASSC(columns=["sex", "education", "occupation"]), seed=1)
    assert len(release.data) == len(release.origin) < len(patients)


def test_of_every_stratum_somebody_is_released() -> None:
    # Equal outcomes have no variance, so that as few are released as may be.
    data = discreet.read(
        {"town": list("aabbcd") * 5, "sick": ["y"] * 30, "w": [1.0] * 30},
        {"town": "quasi-identifier", "sick": "confidential", "w": "weight"},
    )
    out = masked(data, least_released=1e-9)
    assert 0 < len(out.data) < 5
    assert out.data["w"].sum() == pytest.approx(30)
