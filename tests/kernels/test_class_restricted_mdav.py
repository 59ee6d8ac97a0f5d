"""MDAV with the class divergence as an added term, against a twin that compares every record."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.kernels.class_restricted_mdav import class_restricted_mdav_labels
from discreet.kernels.divergence import jensen_shannon


def slow_mdav(
    points: NDArray[np.float64], classes: NDArray[np.int64], k: int, alpha: float
) -> list[int]:
    """Algorithm 1.1, but records join one by one, each compared anew."""
    shares = np.bincount(classes) / len(classes)
    left, labels, label = list(range(len(points))), [-1] * len(points), 0

    def grid(value: float) -> float:
        return round(value * 2**40) / 2**40

    def length(i: int, centre: NDArray[np.float64]) -> float:
        return float(np.sqrt(((points[i] - centre) ** 2).sum() / points.shape[1]))

    while len(left) >= 2 * k:
        centre = points[left].mean(axis=0)
        for _ in range(2 if len(left) >= 3 * k else 1):
            seed = max(left, key=lambda i: (length(i, centre), -i))
            centre = points[seed]
            group = [seed]
            left.remove(seed)
            while len(group) < k:
                ranked = []
                for v in left:
                    counts = np.bincount(classes[[*group, v]], minlength=len(shares))
                    term = (1 - alpha) * jensen_shannon(counts, len(group) + 1, shares)
                    ranked.append((grid(alpha * grid(length(v, centre))) + grid(term), v))
                group.append(min(ranked)[1])
                left.remove(group[-1])
            for record in group:
                labels[record] = label
            label += 1
    return [label if found < 0 else found for found in labels]


@pytest.mark.parametrize("seed", range(30))
def test_mdav_against_its_slow_twin(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(4, 40)), int(rng.integers(2, 5))
    points = rng.random((n, 3))
    if seed % 3 == 0:
        points = np.rint(4 * points) / 4
    classes = np.unique(rng.integers(0, int(rng.integers(1, 6)), n), return_inverse=True)[1]
    alpha = float(rng.choice([0.0, 0.3, 0.5, 1.0]))
    expected = slow_mdav(points, classes, k, alpha)
    assert class_restricted_mdav_labels(points, 3, classes, k, alpha).tolist() == expected
