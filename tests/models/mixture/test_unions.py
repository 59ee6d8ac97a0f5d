"""Moments of unions of clusters."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.models.mixture.unions import cluster_moments, largest_difference


def _difference(before: np.ndarray, after: np.ndarray, labels: np.ndarray) -> float:
    return largest_difference(*(cluster_moments(list(v.T), labels) for v in (before, after)))


def test_a_constant_that_moves_is_seen_in_the_difference() -> None:
    labels = np.zeros(5, dtype=np.int64)
    before, after = np.full((5, 1), 2.0), np.array([[1.0], [2.0], [2.0], [2.0], [3.0]])
    assert _difference(before, after, labels) == pytest.approx(0.1), "0.4 of variance, in 2²"
    assert _difference(before - 2, after - 2, labels) == np.inf
    assert _difference(before, before, labels) == 0
