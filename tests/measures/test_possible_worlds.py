"""Possible worlds beside all of them, counted out one by one."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from discreet.contracts import PassedOver
from discreet.measures.possible_worlds import Values, posterior


def counted_out(choice: PassedOver, columns: list[Values]) -> list[np.ndarray]:
    """Every way to give the values of a class to its members, without the ruled out ones."""
    classes = [np.flatnonzero(choice.classes == c) for c in np.unique(choice.classes)]
    chances = [np.zeros((len(choice.classes), column.count)) for column in columns]
    worlds = 0
    for orders in product(*(permutations(members) for members in classes)):
        owner = np.empty(len(choice.classes), dtype=int)
        for members, order in zip(classes, orders, strict=True):
            owner[members] = order
        values = [column.codes[owner] for column in columns]
        failed = [
            any(
                len(set(mine[labels == label].tolist())) < choice.l
                for mine in values
                for label in np.unique(labels)
            )
            for labels in choice.finer.values()
        ]
        if all(failed):
            worlds += 1
            for chance, mine in zip(chances, values, strict=True):
                chance[np.arange(len(mine)), mine] += 1
    return [chance / worlds for chance in chances]


@pytest.mark.parametrize("seed", range(4))
def test_chances_are_those_of_all_worlds_that_are_left(seed: int) -> None:
    draw = np.random.default_rng(seed)
    classes = np.array([0, 0, 0, 0, 1, 1, 1])
    finer = {
        "first": classes * 2 + np.array([0, 0, 1, 1, 0, 0, 0]),
        "second": classes * 2 + np.array([0, 1, 1, 0, 0, 0, 1]),
    }
    choice = PassedOver(classes, finer, 2)
    columns = [
        Values(np.array([0, 0, 1, 1, 0, 1, 1]), 2),
        Values(np.append(draw.permutation([0, 1, 2, 2]), [0, 1, 2]), 3),
    ]
    found = posterior(choice, columns, 1000, draw)
    assert found.counted.all()
    for chances, expected in zip(found.chances, counted_out(choice, columns), strict=True):
        assert chances == pytest.approx(expected)


def test_drawn_worlds_come_near_to_all() -> None:
    """The classes are too large to count out with fifty worlds each."""
    choice = PassedOver(
        np.repeat([0, 1], 6), {"finer": np.array([0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3])}, 2
    )
    column = Values(np.array([0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1]), 2)
    exact = posterior(choice, [column], 1000, np.random.default_rng(1))
    assert exact.counted.all()
    tries = [posterior(choice, [column], 50, np.random.default_rng(s)) for s in range(60)]
    assert not tries[0].counted.any()
    mean = np.mean([t.chances[0] for t in tries], axis=0)
    assert np.abs(mean - exact.chances[0]).max() < 0.03


def test_where_nothing_was_passed_over_shares_are_those_of_the_class() -> None:
    choice = PassedOver(np.array([0, 0, 1]), {}, 2)
    found = posterior(choice, [Values(np.array([0, 1, 1]), 2)], 50, np.random.default_rng(1))
    assert found.chances[0].tolist() == [[0.5, 0.5], [0.5, 0.5], [0.0, 1.0]]


def test_what_happens_in_no_world_that_was_drawn_is_said() -> None:
    """Of twelve people no class of six can be all alike with five of each value and two others."""
    codes = np.array([0, 1] * 6)
    finer = {"finer": np.repeat([0, 1], 6)}
    choice = PassedOver(np.zeros(12, dtype=int), finer, 2)
    found = posterior(choice, [Values(codes, 2)], 50, np.random.default_rng(1))
    assert not found.possible
    assert found.chances[0] == pytest.approx(np.full((12, 2), 0.5))
