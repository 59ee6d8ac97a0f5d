"""Individual risks and population uniques against their definitions and against drawn files."""

from __future__ import annotations

from math import comb, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.measures.uniqueness import (
    ESTIMATORS,
    cells,
    ewens,
    individual_risks,
    pitman,
    poisson_gamma,
    population_unique,
    zayatz,
)

sizes = st.dictionaries(st.integers(1, 30), st.integers(1, 40), min_size=1, max_size=6)
RISK: Any = build("measure", "individual-risk")
QI = "quasi-identifier"
LAW = settings(max_examples=60, deadline=None, derandomize=True, database=None)


def slow_risk(f: int, p: float) -> float:
    """E(1/F) for the negative binomial F: chance C(F − 1, f − 1) pᶠ (1 − p)^(F − f)."""
    total, size, term = 0.0, f, p**f
    while size < 100_000 and (term > 1e-18 or size < 3 * f / p):
        total += term / size
        term *= (1 - p) * size / (size - f + 1)
        size += 1
    return total


def test_the_example_of_franconi(reference_data: Path) -> None:
    keys = ["Key1", "Key2", "Key3", "Key4"]
    data = discreet.read(
        reference_data / "sdcmicro_francdat.csv",
        roles={**dict.fromkeys(keys, QI), "w": "weight"},
        kinds=dict.fromkeys(keys, "nominal"),
    )
    found = cells(data, Context())
    assert found.sizes.tolist() == [2, 2, 2, 1, 1, 1, 1, 2]
    assert found.population is not None
    assert found.population.tolist() == [110, 84.5, 84.5, 17, 541, 8, 5, 110]
    score = RISK.score(data, data, Context())
    expected = [0.017144262, 0.022042326, 0.022042326, 0.177075834]
    expected += [0.011654480, 0.297063077, 0.402359478, 0.017144262]
    assert score.per_record.tolist() == pytest.approx(expected, abs=6e-10)
    assert score.value == pytest.approx(sum(expected) / 8, abs=1e-9)
    assert score.detail["expected re-identifications"] == pytest.approx(sum(expected), abs=1e-8)


@LAW
@given(st.integers(1, 40), st.floats(0.02, 1.0))
def test_the_risk_is_the_mean_of_one_over_the_population(f: int, p: float) -> None:
    risk = individual_risks(np.array([f]), np.array([f / p]))[0]
    assert risk == pytest.approx(slow_risk(f, p), rel=1e-9)
    assert p / f <= risk * (1 + 1e-9)
    assert risk <= 1 / f + 1e-12


def test_the_closed_forms_for_one_and_two() -> None:
    for p in (0.001, 0.05, 0.5, 0.9, 0.999):
        q = 1 - p
        one, two = individual_risks(np.array([1, 2]), np.array([1, 2]) / p)
        assert one == pytest.approx(-p / q * log(p), rel=1e-9)
        assert two == pytest.approx(p / q + (p / q) ** 2 * log(p), rel=1e-6)


@pytest.mark.parametrize("p", [1e-7, 1e-3, 0.2, 0.499999, 0.5, 0.98])
def test_the_risk_is_the_integral(p: float) -> None:
    from scipy.integrate import quad

    for f in (1, 2, 3, 8, 19, 20, 21, 60, 1000):
        places = [p / 10, p, min(10 * p, 0.999), 1 - 1 / f]
        integral, _ = quad(
            lambda v, f=f: v ** (f - 1) / (p + (1 - p) * v),
            0,
            1,
            epsabs=0,
            epsrel=1e-11,
            limit=400,
            points=places,
        )
        assert individual_risks(np.array([f]), np.array([f / p]))[0] == pytest.approx(
            p * integral, rel=1e-9
        )


def test_large_cells_and_weights_below_one() -> None:
    risks = individual_risks(np.array([100_000, 5, 3]), np.array([1e7, 5.0, 2.0]))
    assert risks[0] == pytest.approx(1e-7, rel=1e-4)  # p / f, but for a little
    assert risks[1:].tolist() == pytest.approx([1 / 5, 1 / 3])


def test_zayatz_with_whole_numbers() -> None:
    # 20 records in 10 single cells and 5 pairs; 40 persons.
    h = [j * comb(40 - j, 19) / comb(40, 20) for j in (1, 2)]
    assert zayatz({1: 10, 2: 5}, 0.5) == pytest.approx(10 * h[0] / (10 * h[0] + 5 * h[1]))


def test_ewens_solves_its_equation() -> None:
    # K = Σ θ/(θ + i) over i < 3 is 2 where θ² = 2.
    theta = 2**0.5
    assert ewens({1: 1, 2: 1}, 0.5) == pytest.approx((theta + 2) / (theta + 5), rel=1e-6)


def test_ewens_solves_its_equation_where_almost_every_record_is_alone() -> None:
    n, shared = 400, 0.005  # a file that was thinned has parts of records
    chance = ewens({1: n - 2 * shared, 2: shared}, 0.1)
    theta = (n - 1 - chance * (10 * n - 1)) / (chance - 1)
    lacking = sum(i / (theta + i) for i in range(n))  # n − Σ θ / (θ + i)
    assert lacking == pytest.approx(shared, rel=1e-3)


def test_pitman_finds_the_parameters_of_a_drawn_file() -> None:
    # Draw from the process itself: a new cell with chance (θ + Kα)/(θ + i).
    alpha, theta, n, total = 0.6, 20.0, 3_000, 12_000
    rng = np.random.default_rng(11)
    counts: list[int] = []
    at_n: list[int] = []
    for i in range(total):
        if rng.random() < (theta + len(counts) * alpha) / (theta + i):
            counts.append(1)
        else:
            weights = np.array(counts) - alpha
            counts[int(rng.choice(len(counts), p=weights / weights.sum()))] += 1
        if i == n - 1:
            at_n = counts.copy()
    sample = {j: at_n.count(j) for j in set(at_n)}
    ratio = (counts.count(1) / total) / (at_n.count(1) / n)
    assert pitman(sample, n / total) == pytest.approx(ratio, rel=0.15)


def test_the_poisson_gamma_model_of_a_drawn_population() -> None:
    rng = np.random.default_rng(4)
    population = rng.poisson(rng.gamma(0.4, 10.0, 20_000))
    sample = rng.binomial(population, 0.25)
    chance = ((population == 1) & (sample == 1)).sum() / (sample == 1).sum()
    found = {int(j): int((sample == j).sum()) for j in np.unique(sample) if j}
    assert poisson_gamma(found, 0.25) == pytest.approx(chance, rel=0.1)


@LAW
@given(sizes, st.floats(0.001, 0.999), st.sampled_from(list(ESTIMATORS)))
def test_every_estimate_is_a_chance(counts: dict[int, int], fraction: float, name: str) -> None:
    chance = population_unique(counts, fraction, name)
    assert 0 <= chance <= 1
    assert population_unique(counts, 1.0, name) == (1.0 if 1 in counts else 0.0)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_larger_share_of_the_population_leaves_more_uniques(name: str) -> None:
    counts = {1: 60, 2: 25, 3: 10, 5: 4, 9: 2}
    chances = [population_unique(counts, f, name) for f in (0.01, 0.1, 0.5, 0.9)]
    assert chances == sorted(chances)
