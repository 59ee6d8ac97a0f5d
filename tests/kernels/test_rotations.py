"""Pairwise rotations against the definition: two-by-two matrices and an eigenvector."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.kernels.rotations import turn_pairs


def slowly(within: np.ndarray, along: np.ndarray, turn: np.ndarray) -> float:
    moved, d = 0.0, turn.shape[0]
    for i in range(d):
        for j in range(i + 1, d):
            pair = [i, j]
            weight = 1 / along[:, i] - 1 / along[:, j]
            form = sum(w * m[np.ix_(pair, pair)] for w, m in zip(weight, within, strict=True))
            least = np.linalg.eigh(form)[1][:, 0]
            cos, sin = least if least[0] >= 0 else -least
            rotation = np.eye(d)
            rotation[np.ix_(pair, pair)] = [[cos, -sin], [sin, cos]]
            within[:] = rotation.T @ within @ rotation
            turn[:] = turn @ rotation
            moved = max(moved, abs(sin))
    return moved


@pytest.mark.parametrize("seed", range(20))
def test_as_by_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    clusters, d = int(rng.integers(1, 5)), int(rng.integers(2, 6))
    roots = rng.normal(size=(clusters, d, d))
    within = roots @ np.swapaxes(roots, 1, 2)
    along, turn = rng.uniform(0.2, 3, (clusters, d)), np.eye(d)
    other, turned = within.copy(), turn.copy()
    assert turn_pairs(within, along, turn) == pytest.approx(slowly(other, along, turned))
    np.testing.assert_allclose(turn, turned, atol=1e-9)
    np.testing.assert_allclose(within, other, atol=1e-9)
    np.testing.assert_allclose(turn @ turn.T, np.eye(d), atol=1e-12)
