"""The share of a group among the nearest, by comparison and by tree, against an obvious twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.contracts import Context, Groups
from discreet.kernels.group_linkage import count_group_nearest
from discreet.measures.linkage.within_groups import group_among_nearest


def slow_count(squared: np.ndarray, mine: np.ndarray, m: int) -> float:
    """Each original is among the m nearest by the chance that the ties before it leave."""
    total = 0.0
    for other, distance in enumerate(squared):
        nearer, tied = (squared < distance).sum(), (squared == distance).sum()
        if mine[other]:
            total += min(max(m - nearer, 0), tied) / tied
    return total


@settings(deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(1, 30),
    st.integers(0, 4),
    st.integers(0, 3),
    st.integers(1, 4),
)
def test_counts(seed: int, originals: int, dimensions: int, coded: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 3, (originals, dimensions)).astype(float)
    released = rng.integers(0, 3, (8, dimensions)).astype(float)
    codes = rng.integers(-1, 3, (originals, coded)).astype(np.int32)
    released_codes = rng.integers(-1, 3, (8, coded)).astype(np.int32)
    labels = rng.integers(0, 3, originals)
    labels[: min(3, originals)] = np.arange(min(3, originals))
    own = rng.integers(0, labels.max() + 1, 8)
    squared = ((released[:, None] - points) ** 2).sum(axis=2)
    squared += (released_codes[:, None] != codes).sum(axis=2)
    expected = [slow_count(squared[i], labels == own[i], m) for i in range(8)]
    linked = np.zeros(8)
    starts, members = np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int32)
    count_group_nearest(
        points,
        released,
        released,
        codes,
        released_codes,
        starts,
        members,
        labels,
        own,
        m,
        1e-9,
        1e-12,
        linked,
    )
    assert linked == pytest.approx(expected)
    if dimensions and not coded:
        groups = Groups(labels)
        by_tree = group_among_nearest(points, released, groups, own, m, Context())
        assert by_tree * groups.sizes[own] == pytest.approx(expected)
