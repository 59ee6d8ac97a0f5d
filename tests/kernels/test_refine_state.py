"""What a move of the local search costs, against the sum of squares computed anew."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.kernels.refine_state import (
    join_cost,
    leave_gain,
    move_record,
    swap_delta,
    swap_records,
    total_sse,
)
from tests.kernels.refining import check_state, laid_out, slow_sse


@pytest.mark.parametrize("seed", range(5))
def test_deltas_are_those_of_the_recomputed_sum_of_squares(seed: int) -> None:
    clusters = laid_out(seed)
    rng = np.random.default_rng(seed)
    for _ in range(60):
        x, y = (int(i) for i in rng.integers(0, clusters.group.size, size=2))
        if clusters.group[x] == clusters.group[y]:
            continue
        before = slow_sse(clusters.points, clusters.group)
        delta = swap_delta(clusters, x, y)
        swap_records(clusters, x, y)
        after = slow_sse(clusters.points, clusters.group)
        assert delta == pytest.approx(after - before, abs=1e-9)
        source, target = int(clusters.group[x]), int(clusters.group[y])
        delta = join_cost(clusters, x, target) - leave_gain(clusters, x)
        move_record(clusters, x, target)
        assert delta == pytest.approx(slow_sse(clusters.points, clusters.group) - after, abs=1e-9)
        move_record(clusters, x, source)
    check_state(clusters, 3)
    assert total_sse(clusters) == pytest.approx(slow_sse(clusters.points, clusters.group))
