"""MDAV in many strata at once: each is grouped as it would be alone."""

import numpy as np
import pytest

from discreet.kernels.mdav import mdav_labels
from discreet.kernels.mdav_within import mdav_labels_within


@pytest.mark.parametrize("nominal", [0, 2])
@pytest.mark.parametrize("ties", [False, True])
def test_every_stratum_has_the_groups_that_it_has_alone(nominal: int, ties: bool) -> None:
    rng = np.random.default_rng(7)
    for k in (2, 3, 5):
        sizes = rng.integers(k, 30, 25)
        rows = int(sizes.sum())
        numbers = rng.integers(0, 6, (rows, 2)) if ties else rng.normal(size=(rows, 2))
        points = np.column_stack([numbers, rng.integers(0, 3, (rows, nominal))]).astype(float)
        labels = mdav_labels_within(points, np.cumsum(sizes), k, nominal)
        before, start = 0, 0
        for size in sizes:
            alone = mdav_labels(points[start : start + size], k, nominal=nominal)
            assert labels[start : start + size].tolist() == (alone + before).tolist()
            before, start = before + int(alone.max()) + 1, start + int(size)


def test_values_whose_squares_leave_the_range_are_grouped_too() -> None:
    points = np.array([[0.0], [1.0], [8.0], [9.0]]) * 1e300
    assert mdav_labels_within(points, np.array([4]), 2).tolist() == [0, 0, 1, 1]
