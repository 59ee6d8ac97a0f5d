"""Skinner & Shlomo's estimates beside sums over possible populations, and drawn populations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import poisson

from discreet.measures.log_linear import _match, _test, _unique, fit


@pytest.mark.parametrize("fraction", [0.01, 0.2, 0.9])
def test_chances_beside_sums_over_the_people_outside(fraction: float) -> None:
    """F − 1 people are outside the sample, Poisson with mean λ(1 − π)."""
    counts = np.array([[3, 1], [1, 2]])
    found = fit(counts, fraction, "independence")
    mu = np.outer(counts.sum(1), counts.sum(0)).ravel()[counts.ravel() == 1] / counts.sum()
    others = np.arange(2000)
    for m, unique, match in zip(mu, found.population_unique, found.match, strict=True):
        chances = poisson.pmf(others, m / fraction * (1 - fraction))
        assert unique == pytest.approx(chances[0])
        assert match == pytest.approx((chances / (1 + others)).sum())


@pytest.mark.parametrize("h", [_unique, _match])
def test_derivatives_beside_differences(h) -> None:  # type: ignore[no-untyped-def]
    z, step = np.array([2e-4, 0.3, 4.0]), 1e-5
    for order in (0, 1):
        slope = (h(z + step)[order] - h(z - step)[order]) / (2 * step)
        assert h(z)[order + 1] == pytest.approx(slope, rel=1e-4)
    below, above = h(np.array([0.999e-3])), h(np.array([1.001e-3]))
    assert below[2] == pytest.approx(above[2], abs=1e-4)


def test_the_two_way_model_keeps_pairs_and_has_no_interaction_of_three() -> None:
    counts = np.random.default_rng(3).integers(1, 9, (2, 2, 2))
    from discreet.models.proportional_fitting import fitted_to_margins

    margins = [
        (kept, counts.sum(axis=3 - sum(kept)).astype(float)) for kept in ((0, 1), (0, 2), (1, 2))
    ]
    table, off = fitted_to_margins(np.ones((2, 2, 2)), margins)
    assert off < 1e-8
    signs = np.array([1, -1])
    three = np.einsum("i,j,k,ijk->", signs, signs, signs, np.log(table))
    assert three == pytest.approx(0, abs=1e-6)


def drawn(draw: np.random.Generator, dependent: bool) -> tuple[np.ndarray, np.ndarray]:
    """A population of three keys, independent or with a third key that follows from the others."""
    shares = [draw.dirichlet(np.full(size, 3.0)) for size in (12, 10, 8)]
    table = np.einsum("i,j,k->ijk", *shares)
    if dependent:
        i, j, k = np.indices(table.shape)
        table = table * np.where((i + j + k) % 4 == 0, 4.0, 0.3)
    people = draw.poisson(table / table.sum() * 20_000)
    return people, draw.binomial(people, 0.05)


def test_in_populations_of_the_model_the_estimate_and_its_test_hold() -> None:
    draw = np.random.default_rng(8)
    ratios, tests = [], []
    for _ in range(40):
        people, sample = drawn(draw, dependent=False)
        found = fit(sample, 0.05, "independence")
        ratios.append(found.match.sum() / (1 / people[sample == 1]).sum())
        tests.append(found.tests[1])
    assert np.mean(ratios) == pytest.approx(1, abs=0.06)
    assert np.mean(np.abs(tests) < 1.96) >= 0.85


def test_the_test_finds_a_model_without_the_dependence_there_is() -> None:
    """Terms are missing, so that cells look more alike than they are, and the risk is off."""
    draw = np.random.default_rng(9)
    found = [fit(drawn(draw, dependent=True)[1], 0.05, "independence") for _ in range(10)]
    assert all(f.misfit > 1.96 for f in found)


def test_the_bias_by_hand() -> None:
    """One cell: μe^−μ {−h′(f − μ) − h″((f − μ)² − f)/2} over its deviation."""
    mu, f, ratio = 0.5, 2.0, 4.0
    h1, h2 = -ratio * np.exp(-ratio * mu), ratio**2 * np.exp(-ratio * mu)
    chance = mu * np.exp(-mu)
    a, b = -chance * h1, -chance * h2 / 2
    bias = a * (f - mu) + b * ((f - mu) ** 2 - f)
    z = np.array([mu]) * ratio
    expected = bias / np.sqrt(a**2 * mu + 2 * b**2 * mu**2)
    assert _test(np.array([mu]), np.array([f]), _unique(z), ratio) == pytest.approx(expected)
