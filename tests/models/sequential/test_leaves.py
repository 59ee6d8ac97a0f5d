"""Draws from the leaves of a tree: each record's as it would be alone, together evenly spread."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.models.sequential.even import WINDOW, evenly
from discreet.models.sequential.leaves import Leaves

LEAF = 5


def _leaves(chances: list[float], each: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return zeros and ones in leaves with these shares of ones, and the leaf of each."""
    rng = np.random.default_rng(seed)
    leaf = np.repeat(np.arange(len(chances) * each), LEAF)
    values = (rng.random(len(leaf)) < np.repeat(chances, each * LEAF)).astype(float)
    return values, leaf


def test_each_number_alone_is_uniform() -> None:
    rng = np.random.default_rng(1)
    drawn = np.array([evenly(WINDOW + 10, rng) for _ in range(2000)])
    for place in (0, WINDOW - 1, WINDOW + 9):
        counts = np.bincount((drawn[:, place] * 10).astype(int), minlength=10)
        assert ((counts - 200) ** 2 / 200).sum() < 27.9  # exceeded once in a thousand


def test_large_shares_are_kept_and_rare_values_stay_uncertain() -> None:
    rng = np.random.default_rng(2)
    drawn = np.array([evenly(2000, rng) for _ in range(300)])
    halves = (drawn < 0.5).sum(axis=1)
    assert np.abs(halves - 1000).max() <= 12  # independent numbers: up to three times 22
    single = (drawn < 1 / 2000).sum(axis=1)
    assert np.var(single) == pytest.approx(1, rel=0.3)  # as in a sample: Poisson


def test_even_draws_have_the_shares_of_the_leaves() -> None:
    values, leaf = _leaves([0.0, 0.1, 0.6], 200, 3)
    rng = np.random.default_rng(3)
    totals = {
        even: [
            Leaves.of(values, leaf, 600, None, even=even).draw(leaf, rng).sum() for _ in range(60)
        ]
        for even in (True, False)
    }
    assert np.std(totals[True]) < np.std(totals[False]) / 4
    assert np.mean(totals[True]) == pytest.approx(values.sum(), abs=2)


def test_records_of_a_leaf_are_drawn_with_repetitions() -> None:
    leaf = np.repeat(np.arange(1000), LEAF)
    drawn = Leaves.of(np.arange(5000.0), leaf, 1000, None).draw(leaf, np.random.default_rng(4))
    # Independent draws leave 0.8⁵ = 0.33 of the records out.
    assert 1 - len(np.unique(drawn)) / 5000 == pytest.approx(0.8**LEAF, abs=0.05)


def test_a_whole_file_keeps_its_shares_where_more_records_fall_into_rare_leaves() -> None:
    values, leaf = _leaves([0.02, 0.5], 200, 5)
    there = np.concatenate([leaf, leaf[1000:1500]])
    leaves = Leaves.of(values, leaf, 400, None)
    rng = np.random.default_rng(5)
    shares = [leaves.draw(there, rng, whole=whole).mean() for whole in (True, False)]
    assert shares[0] == pytest.approx(values.mean(), abs=0.005)
    assert shares[1] > values.mean() + 0.02


def test_few_records_are_drawn_from_their_leaves_alone() -> None:
    values, leaf = np.repeat([0.0, 1.0], 500), np.repeat([0, 1], 500)
    leaves = Leaves.of(values, leaf, 2, None)
    assert leaves.draw(np.ones(20, int), np.random.default_rng(6), whole=True).min() == 1.0


def test_weights_of_a_bayesian_bootstrap_stay_as_drawn() -> None:
    values, leaf = _leaves([0.02, 0.5], 200, 7)
    rng = np.random.default_rng(7)
    leaves = Leaves.of(values, leaf, 400, rng)
    there = np.full(2000, 399)
    assert leaves.draw(there, np.random.default_rng(8)).tolist() == (
        leaves.draw(there, np.random.default_rng(8), whole=True).tolist()
    )
