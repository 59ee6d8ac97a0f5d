"""The design of MASSC: strata of risk, donors, and optimal rates."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.methods.perturbative.massc.design import (
    RiskStrata,
    donors,
    risk_bound,
    risk_strata,
    sampling_rates,
    substitution_rates,
)
from discreet.microdata.equivalence import class_sizes
from tests.methods.perturbative.massc.keys import KEYS, table


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
