"""MASSC: strata, donors, best rates, exact totals, and the bound on the risk."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import MASSC, DataError, Microdata, UsageError
from discreet.contracts import Context, Masked, Method, Randomness
from discreet.methods.perturbative.massc.calibration import controls
from discreet.methods.perturbative.massc.design import (
    RiskStrata,
    donors,
    risk_bound,
    risk_strata,
    sampling_rates,
    substitution_rates,
)
from discreet.methods.perturbative.massc.method import _subsample
from discreet.microdata.equivalence import class_sizes

KEYS = ["town", "sex", "grade"]


def table(rows: int = 500, seed: int = 1) -> Microdata:
    rng = np.random.default_rng(seed)
    return discreet.read(
        {
            "town": [f"t{i}" for i in np.minimum(rng.geometric(0.35, rows), 9)],
            "sex": [("f", "m", None)[i] for i in rng.choice(3, rows, p=[0.5, 0.45, 0.05])],
            "grade": [("lo", "mid", "hi")[i] for i in rng.integers(0, 3, rows)],
            "pay": rng.lognormal(8, 0.5, rows),
            "ill": [("yes", "no")[i] for i in rng.integers(0, 2, rows)],
            "w": rng.uniform(1, 20, rows),
        },
        dict.fromkeys(KEYS, "quasi-identifier")
        | {"pay": "confidential", "ill": "confidential", "w": "weight"},
        {"grade": ["lo", "mid", "hi"]},
    )


def masked(data: Microdata, seed: int = 1, **parameters: object) -> Masked:
    method: Method = MASSC(**parameters)
    return method.protect(data, Context(Randomness(seed)))


def test_strata_are_cell_sizes_by_doubling() -> None:
    data = table()
    strata = risk_strata(data, KEYS, 4)
    sizes = class_sizes(data, KEYS)
    expected = np.select([sizes == 1, sizes == 2, sizes <= 4], [0, 1, 2], 3)
    assert strata.labels.tolist() == expected.tolist()
    assert strata.names == ("1", "2", "3–4", "5 and more")
    assert strata.cells.sum() == pytest.approx(len(set(zip(*(data[k] for k in KEYS), strict=True))))
    assert risk_strata(data, KEYS, 1).names == ("all",)


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 60), st.integers(0, 10_000))
def test_a_donor_differs_in_as_few_keys_as_possible(rows: int, seed: int) -> None:
    data = table(rows, seed)
    codes = np.column_stack([data[key] for key in KEYS])
    apart = (codes[:, None] != codes).sum(axis=2)
    found = donors(data, KEYS)
    other = np.where(apart > 0, apart, 99).min(axis=1)
    expected = np.where(other == 99, 0, other)
    assert apart[np.arange(rows), found].tolist() == expected.tolist()


def test_substitution_rates_are_the_best_corner() -> None:
    rng = np.random.default_rng(3)
    strata = RiskStrata(np.array([0, 0, 1, 1, 2]), np.array([1, 1, 2, 2, 1]), ("a", "b", "c"))
    for _ in range(20):
        shifts, bounds = rng.normal(size=(4, 3)), rng.uniform(0.1, 0.5, 4)
        psi = substitution_rates(strata, shifts, bounds, 0.6)
        assert (np.abs(shifts @ psi) <= bounds + 1e-9).all()
        grid = np.array(list(itertools.product(np.linspace(0, 0.6, 25), repeat=3)))
        feasible = grid[(np.abs(grid @ shifts.T) <= bounds).all(axis=1)]
        assert strata.cells @ psi >= (feasible @ strata.cells).max() - 1e-9


def test_sampling_rates_are_neymans_where_one_bound_decides() -> None:
    # min Σ c/u with Σ v·u = limit has u in proportion to √(c/v).
    costs, variances = np.array([9.0, 4.0, 1.0]), np.array([[1.0, 2.0, 3.0]])
    bound = np.array([5.0])
    phi = sampling_rates(costs, variances, bound, 0.01)
    u = np.sqrt(costs / variances[0])
    u *= (bound[0] + variances.sum()) / (variances[0] @ u)
    assert (u > 1).sum() == 2, "the last stratum is released whole, so the rest is shared anew"
    free = np.sqrt(costs[:2] / variances[0, :2])
    free *= (bound[0] + variances[0, :2].sum()) / (variances[0, :2] @ free)
    assert phi == pytest.approx([*(1 / free), 1.0], rel=1e-4)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000))
def test_sampling_rates_keep_every_bound_and_beat_a_grid(seed: int) -> None:
    rng = np.random.default_rng(seed)
    costs, variances = rng.uniform(0.1, 5, 3), rng.uniform(0, 3, (4, 3))
    bounds = rng.uniform(0.1, 3, 4)
    phi = sampling_rates(costs, variances, bounds, 0.3)
    assert (variances @ (1 / phi - 1) <= bounds * (1 + 1e-9)).all()
    assert ((phi >= 0.3 - 1e-12) & (phi <= 1)).all()
    grid = np.array(list(itertools.product(np.linspace(0.3, 1, 15), repeat=3)))
    feasible = grid[((1 / grid - 1) @ variances.T <= bounds).all(axis=1)]
    assert costs @ phi <= (feasible @ costs).min() * (1 + 1e-5)


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


def test_the_risk_bound_by_hand() -> None:
    # A pair, both released, each substituted with chance ½: one is identified with chance ¾.
    pair = RiskStrata(np.array([0, 0]), np.array([2, 2]), ("all",))
    assert risk_bound(pair, np.array([0.5]), np.array([2])) == pytest.approx((0.375, 0.375))
    # One of the two released, none substituted: it is identified for certain.
    assert risk_bound(pair, np.array([0.0]), np.array([1])) == pytest.approx((0.5, 0.5))
    large = RiskStrata(np.zeros(1000, dtype=int), np.full(1000, 1000), ("all",))
    assert risk_bound(large, np.array([0.9]), np.array([500]))[0] == pytest.approx(0.001)


@settings(max_examples=40, deadline=None)
@given(
    sizes=st.lists(st.integers(1, 40), min_size=1, max_size=6),
    share=st.floats(0, 1),
    psi=st.floats(0, 1),
)
def test_the_risk_bound_is_that_of_the_hypergeometric_distribution(
    sizes: list[int], share: float, psi: float
) -> None:
    everyone, released = sum(sizes), round(share * sum(sizes))
    strata = RiskStrata(
        np.zeros(everyone, dtype=np.int64), np.repeat(sizes, sizes).astype(np.int64), ("all",)
    )
    chances = [
        (
            1
            - sum(
                Fraction(comb(size, x) * comb(everyone - size, released - x))
                / comb(everyone, released)
                * Fraction(psi) ** x
                for x in range(min(size, released) + 1)
            )
        )
        / size
        for size in sizes
    ]
    average = sum(chance * size for chance, size in zip(chances, sizes, strict=True)) / everyone
    assert risk_bound(strata, np.array([psi]), np.array([released])) == pytest.approx(
        (float(average), float(max(chances))), abs=1e-14
    )


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
