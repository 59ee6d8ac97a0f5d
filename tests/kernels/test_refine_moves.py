"""Moves of several records at once keep the partition sound and tell their true change."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.kernels import refine_moves
from tests.kernels.refining import check_state, laid_out, slow_sse


@pytest.mark.parametrize("temperature", [0.0, 0.1, 1e9])
@pytest.mark.parametrize("move", ["dissolve", "create", "resplit"])
def test_compound_moves_return_their_change_and_keep_the_sizes(
    move: str, temperature: float
) -> None:
    made = 0
    for seed in range(40):
        clusters = laid_out(seed, records=44)
        before = slow_sse(clusters.points, clusters.group)
        labels = clusters.group.copy()
        if move == "dissolve":
            delta = refine_moves.dissolve_group(clusters, seed % 14, 3, temperature)
        elif move == "create":
            # Room for a new group comes from the dissolution of two others.
            refine_moves.dissolve_group(clusters, seed % 14, 3, 1e9)
            refine_moves.dissolve_group(clusters, seed % 12, 3, 1e9)
            before, labels = slow_sse(clusters.points, clusters.group), clusters.group.copy()
            delta = refine_moves.create_group(clusters, seed, 3, temperature)
        else:
            delta = refine_moves.resplit_pair(clusters, seed % 14, (seed + 3) % 14, 3, temperature)
        check_state(clusters, 3)
        after = slow_sse(clusters.points, clusters.group)
        assert delta == pytest.approx(after - before, abs=1e-9)
        if temperature == 0.0:
            assert delta <= 1e-9
        made += not np.array_equal(labels, clusters.group)
    if temperature == 1e9:
        assert made > 0


@pytest.mark.parametrize("temperature", [0.0, 0.01, 10.0])
@pytest.mark.parametrize("k", [2, 3, 7])
def test_annealing_keeps_a_sound_partition(k: int, temperature: float) -> None:
    clusters = laid_out(k, records=97, k=k)
    everyone = np.arange(97)
    for _ in range(5):
        sse = refine_moves.anneal(clusters, k, everyone, 2000, temperature, temperature / 2)
        check_state(clusters, k)
        assert sse == pytest.approx(slow_sse(clusters.points, clusters.group))
