"""Each record in one cluster, and no cluster too small."""

from __future__ import annotations

import numpy as np

from discreet.models.mixture.hard import hard_groups


def test_a_small_cluster_is_dissolved_into_the_next_best() -> None:
    log = np.log(np.array([
        [0.7, 0.2, 0.1], [0.7, 0.2, 0.1], [0.7, 0.1, 0.2],
        [0.1, 0.8, 0.1], [0.1, 0.3, 0.6], [0.3, 0.1, 0.6],
    ]))  # fmt: skip
    labels, dissolved = hard_groups(lambda rows: log[rows], 6, 3)
    assert dissolved == [1, 2]
    assert labels.tolist() == [0] * 6
    labels, dissolved = hard_groups(lambda rows: log[rows], 6, 2)
    assert dissolved == [1]
    assert labels.tolist() == [0, 0, 0, 0, 1, 1]
