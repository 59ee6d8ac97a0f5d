"""The choice among ways of linking by the other records."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.contracts import Way
from discreet.measures.linkage.choice_of_way import crossed, share_of
from discreet.measures.sampled import interval_of_share
from discreet.microdata import Numbers


def _chances(ways: list[Numbers]) -> list[float]:
    chances = crossed([Way(way) for way in ways]).chances
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
    chosen = np.mean([crossed([Way(way) for way in file]).value for file in ways])
    assert chosen == pytest.approx(0.01, abs=0.0015)
    assert ways.mean(axis=2).max(axis=1).mean() > 0.02


def test_ways_with_samples_of_their_own() -> None:
    many, single = np.zeros(30), np.ones(12)
    assert crossed([Way(many), Way(single)]).value == 1.0
    assert _chances([np.zeros(1), np.zeros(1)]) == [0.0]


def test_the_parts_are_always_the_same() -> None:
    draw = np.random.default_rng(2)
    ways = [draw.random(31), draw.random(31)]
    assert _chances(ways) == _chances(ways)


def test_neighbourhoods_tell_less_than_as_many_records() -> None:
    """Each of ten neighbourhoods gains for all of its records or for none."""
    draw = np.random.default_rng(3)
    chances = np.repeat([0.0, 1.0], [320, 80])
    missed, values, ends = [], [], []
    for _ in range(200):
        gains = np.repeat(draw.random((10, 1)) < 0.3, 50, axis=1).astype(float)
        chosen = crossed([Way(chances), Way(chances, gains)])
        missed.append(not chosen.interval[0] <= 0.5 <= chosen.interval[1])
        values.append(chosen.value)
        ends.append(chosen.interval[1])
    assert np.mean(missed) < 0.06
    assert (
        0.4 < np.mean(values) < 0.51
    )  # where neighbourhoods do badly by chance, they are not used
    assert np.mean(ends) < 0.85


def test_what_is_not_known_of_the_surroundings_widens_the_interval() -> None:
    chances, gains = np.repeat([0.0, 1.0], [80, 20]), np.full((8, 5), 0.1)
    narrow, wide = (crossed([Way(chances, gains, error)]).interval for error in (0.0, 0.1))
    assert wide[0] < narrow[0]
    assert wide[1] > narrow[1]


def test_a_share_stays_between_none_and_all() -> None:
    assert share_of(Way(np.ones(4), np.full((2, 3), 0.2))) == 1.0
    assert share_of(Way(np.zeros(4), np.full((2, 3), -0.2))) == 0.0


def test_the_interval_of_records_is_that_of_wilson() -> None:
    way = np.repeat([0.0, 1.0], [80, 20])
    chosen = crossed([Way(way)])
    assert chosen.records == 100
    low, high = interval_of_share(way)
    assert chosen.interval == pytest.approx((low, high), abs=0.01)
