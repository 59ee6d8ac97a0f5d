"""What linking one to one adds in a neighbourhood."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.measures.linkage.assignment import Owners
from discreet.measures.linkage.competing import Neighbourhood, gains_of_competing

DRAW = np.random.default_rng(1)


def test_two_records_with_one_favourite_are_told_apart_by_competing() -> None:
    costs = np.array([[0.0, 9.0], [0.0, 1.0]], dtype=np.float32)
    place = Neighbourhood(np.arange(2), np.arange(2), costs)
    assert place.gains(Owners(np.arange(2)), 0.0, DRAW).tolist() == [0.0, 1.0]


@pytest.mark.parametrize(("taken", "gain"), [(0.0, 0.0), (1.0, 1.0)])
def test_an_original_from_outside_misleads_unless_its_own_record_has_it(
    taken: float, gain: float
) -> None:
    """Record 4 was original 7, but 3 costs less, which is that of a record elsewhere."""
    place = Neighbourhood(np.array([4]), np.array([3, 7]), np.array([[0.0, 1.0]], np.float32))
    owners = Owners(np.array([0, 1, 2, 3, 7]))
    assert place.gains(owners, taken, DRAW).tolist() == [gain]


def test_within_groups_of_records_alike_nothing_is_gained() -> None:
    costs = np.repeat(np.repeat(1 - np.eye(4, dtype=np.float32), 5, axis=0), 5, axis=1)
    owners = Owners.within(np.arange(20), np.arange(20) // 5)
    gains, error = gains_of_competing(
        [Neighbourhood(np.arange(20), np.arange(20), costs)] * 2, owners, 0.2, DRAW
    )
    assert gains == pytest.approx(np.zeros((2, 20)))
    assert error == 0
