"""Merges of the kernel against those of whole arrays, ties and equal points among them."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.kernels.agglomeration import agglomeration
from tests.kernels.agglomeration_twin import agglomerated
from tests.kernels.points import MAKERS


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("columns", [1, 2, 5])
def test_merges_are_those_of_whole_arrays(maker: str, whole: bool, columns: int) -> None:
    points = MAKERS[maker](np.random.default_rng(columns), 70, columns)
    found = [(kept, gone) for kept, gone in agglomeration(points, whole).tolist()]
    assert found == agglomerated(points, whole)


def test_the_points_stay_as_they_are() -> None:
    points = np.random.default_rng(1).normal(size=(20, 3))
    before = points.copy()
    assert len(agglomeration(points, whole=False)) == 19
    assert (points == before).all()
    assert len(agglomeration(points[:1], whole=False)) == 0
