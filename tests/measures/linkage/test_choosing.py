"""The choice among ways of linking by the other records."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.measures.linkage.choosing import crossed
from discreet.measures.sampled import interval_of_share
from discreet.microdata import Numbers


def _chances(ways: list[Numbers]) -> list[float]:
    chances = crossed(ways).chances
    assert chances is not None
    return [float(chance) for chance in chances]


def test_a_way_that_is_better_is_taken_whole() -> None:
    good, bad = np.ones(40), np.zeros(40)
    assert _chances([bad, good]) == good.tolist()
    assert _chances([good, bad]) == good.tolist()


def test_nothing_is_won_by_choosing_among_ways_that_are_all_luck() -> None:
    """Each of five ways finds one record in a hundred; the best of them would find two and more."""
    draw = np.random.default_rng(1)
    ways = (draw.random((500, 5, 100)) < 0.01).astype(float)
    chosen = np.mean([crossed(list(file)).value for file in ways])
    assert chosen == pytest.approx(0.01, abs=0.0015)
    assert ways.mean(axis=2).max(axis=1).mean() > 0.02


def test_ways_with_samples_of_their_own() -> None:
    many, single = np.zeros(30), np.ones(12)
    assert crossed([many, single]).value == 1.0
    assert _chances([np.zeros(1), np.zeros(1)]) == [0.0]


def test_the_parts_are_always_the_same() -> None:
    draw = np.random.default_rng(2)
    ways = [draw.random(31), draw.random(31)]
    assert _chances(ways) == _chances(ways)


def test_neighbourhoods_are_chosen_as_a_whole_and_tell_less_than_as_many_records() -> None:
    """Every neighbourhood is linked whole or not at all: ten of them are ten records."""
    draw = np.random.default_rng(3)
    found = []
    for _ in range(200):
        together = np.repeat(draw.random((10, 1)) < 0.3, 50, axis=1).astype(float)
        chosen = crossed([np.full(400, 0.2), together])
        found.append((chosen.interval[0] <= 0.3, chosen.value))
    # Where neighbourhoods do badly by chance the other way is taken, which links 20 %.
    assert np.mean([low for low, _ in found]) > 0.95
    assert np.mean([value for _, value in found]) < 0.31


def test_the_interval_of_records_is_that_of_wilson() -> None:
    way = np.repeat([0.0, 1.0], [80, 20])
    chosen = crossed([way])
    assert chosen.records == 100
    low, high = interval_of_share(way)
    assert chosen.interval == pytest.approx((low, high), abs=0.01)
