"""Blocks: balanced, safe for k, along the data, and honest about what they cost."""

from __future__ import annotations

import itertools
from functools import partial

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.kernels.mdav import mdav_labels
from discreet.microaggregation.blocks import (
    Points,
    cut_into_blocks,
    label_blocks,
    loss_through_cuts,
    stretches,
    within_groups,
)


@settings(deadline=None)
@given(
    st.integers(0, 300), st.integers(1, 4), st.integers(2, 7), st.integers(1, 60), st.integers(0, 9)
)
def test_every_record_is_in_one_block_of_a_fitting_size(
    n: int, d: int, k: int, most: int, seed: int
) -> None:
    points = np.random.default_rng(seed).integers(0, 5, (n, d)).astype(float)
    blocks = cut_into_blocks(points, most, k)
    assert sorted(np.concatenate(blocks).tolist()) == list(range(n))
    assert max(len(block) for block in blocks) <= max(most, 2 * k - 1)
    if n >= k:
        assert min(len(block) for block in blocks) >= k


def test_blocks_lie_along_the_data() -> None:
    points = np.random.default_rng(1).uniform(size=(1000, 1))
    blocks = cut_into_blocks(points, 130, 5)
    assert len(blocks) == 8
    bounds = sorted((points[block].min(), points[block].max()) for block in blocks)
    assert all(low[1] <= high[0] for low, high in itertools.pairwise(bounds))


def _block_by_block(points: Points, most: int, k: int) -> tuple[Points, list[slice]]:
    blocks = cut_into_blocks(points, most, k)
    return points[np.concatenate(blocks)], stretches(blocks)


def test_labels_are_those_of_each_block() -> None:
    points, blocks = _block_by_block(np.random.default_rng(2).normal(size=(400, 3)), 100, 4)
    done: list[float] = []
    labels = label_blocks(points, blocks, lambda p: mdav_labels(p, 4), done.append)
    assert sum(done) == 400
    assert np.bincount(labels).min() >= 4
    for block in blocks:
        own = mdav_labels(points[block], 4)
        pairs = set(zip(own.tolist(), labels[block].tolist(), strict=True))
        assert len(pairs) == len(set(own.tolist())), "a group of the block was cut or merged"
    shared = [set(labels[a]) & set(labels[b]) for a, b in itertools.pairwise(blocks)]
    assert not any(shared)


def test_the_stated_loss_is_near_the_true_one() -> None:
    whole = np.random.default_rng(3).normal(size=(20_000, 5))
    label = partial(mdav_labels, k=5)
    points, blocks = _block_by_block(whole, 2_500, 5)
    labels = label_blocks(points, blocks, label, lambda n: None)
    exact = within_groups(whole, label(whole))
    true = within_groups(points, labels) / exact - 1
    stated = loss_through_cuts(points, blocks, label)
    assert 0.5 * true < stated < 2 * true
    assert loss_through_cuts(points, blocks[:1], label) == 0
    flat, halves = _block_by_block(np.zeros((100, 2)), 50, 5)
    assert loss_through_cuts(flat, halves, label) == 0
