"""The choice among ways of linking by the other half."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.measures.linkage.choosing import crossed


def test_a_way_that_is_better_in_both_halves_is_taken_whole() -> None:
    good, bad = np.ones(40), np.zeros(40)
    assert crossed([bad, good]).tolist() == good.tolist()
    assert crossed([good, bad]).tolist() == good.tolist()


def test_nothing_is_won_by_choosing_among_ways_that_are_all_luck() -> None:
    """Each of five ways finds one record in a hundred; the best of them would find two and more."""
    draw = np.random.default_rng(1)
    ways = (draw.random((500, 5, 100)) < 0.01).astype(float)
    chosen = np.mean([crossed(list(file)).mean() for file in ways])
    assert chosen == pytest.approx(0.01, abs=0.0015)
    assert ways.mean(axis=2).max(axis=1).mean() > 0.02


def test_ways_with_samples_of_their_own() -> None:
    many, single = np.zeros(30), np.ones(12)
    assert crossed([many, single]).tolist() == single.tolist()
    assert crossed([np.zeros(1), np.zeros(1)]).tolist() == [0.0]


def test_the_halves_are_always_the_same() -> None:
    draw = np.random.default_rng(2)
    ways = [draw.random(31), draw.random(31)]
    assert crossed(ways).tolist() == crossed(ways).tolist()
