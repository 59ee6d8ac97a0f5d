"""The first record of a class from another against a scan of all that are left."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.kernels.class_restricted_outside import first_of_class, leave, outside_of
from discreet.kernels.divergence import on_grid


@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("distinct", [4, 1_000_000])
def test_the_first_record_of_a_class_is_that_of_a_scan(alpha: float, distinct: int) -> None:
    rng = np.random.default_rng(distinct)
    n, attributes = 700, 3.0
    points = np.floor(distinct * rng.random((n, 3))) / distinct
    classes = rng.choice(3, n, p=[0.6, 0.3, 0.1])
    outside = outside_of(points, classes)
    left = np.ones(n, dtype=bool)
    for u in rng.permutation(n).tolist():
        leave(outside, u, classes[u])
        left[u] = False
        c = int(rng.integers(3))
        among = np.flatnonzero(left & (classes == c))
        if not len(among):
            assert first_of_class(outside, u, c, attributes, alpha) == (np.inf, n)
            continue
        squares = np.zeros(len(among))
        for j in range(3):
            squares += (points[among, j] - points[u, j]) ** 2
        lengths = [on_grid(alpha * on_grid(root)) for root in np.sqrt(squares / attributes)]
        expected = min(zip(lengths, among.tolist(), strict=True))
        assert first_of_class(outside, u, c, attributes, alpha) == expected


def test_records_that_are_all_alike_are_taken_in_their_order() -> None:
    outside = outside_of(np.full((40, 2), 0.25), np.arange(40) % 2)
    assert first_of_class(outside, 0, 1, 2.0, 0.5) == (0.0, 1)
    leave(outside, 1, 1)
    assert first_of_class(outside, 0, 1, 2.0, 0.5) == (0.0, 3)
