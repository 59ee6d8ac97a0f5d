"""Pairwise rotations against the definition: two-by-two matrices and an eigenvector."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.kernels.rotations import turn_pairs, turned


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
    other, directions = within.copy(), turn.copy()
    assert turn_pairs(within, along, turn) == pytest.approx(slowly(other, along, directions))
    np.testing.assert_allclose(turn, directions, atol=1e-9)
    np.testing.assert_allclose(within, other, atol=1e-9)
    np.testing.assert_allclose(turn @ turn.T, np.eye(d), atol=1e-12)


@pytest.mark.parametrize("own_volumes", [False, True])
@pytest.mark.parametrize("settled", [0.0, 0.2])
def test_rounds_end_when_no_angle_is_large(own_volumes: bool, settled: float) -> None:
    rng = np.random.default_rng(5)
    roots = rng.normal(size=(3, 4, 4))
    within, turn = roots @ np.swapaxes(roots, 1, 2), np.eye(4)
    weights, along = np.array([2.0, 3.0, 5.0]), np.empty((3, 4))
    other, directions = within.copy(), turn.copy()
    turned(within, turn, along, weights, own_volumes, 6, settled)

    def estimated() -> np.ndarray:
        """The variances along the directions, for volumes and shapes that vary, or one volume."""
        spreads = np.einsum("gii->gi", other)
        volumes = np.exp(np.log(spreads).mean(axis=1, keepdims=True))
        shares = weights[:, None] if own_volumes else volumes * 10 / volumes.sum()
        return np.asarray(spreads / shares)

    rounds = 0
    while rounds < 6:
        rounds += 1
        if slowly(other, estimated(), directions) < settled:
            break
    assert (rounds == 6) == (settled == 0), "both ways to end are seen"
    np.testing.assert_allclose(turn, directions, atol=1e-8)
    np.testing.assert_allclose(along, estimated(), rtol=1e-8)
