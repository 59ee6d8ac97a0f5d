"""Pairwise rotations towards a common orientation of several matrices (Flury & Gautschi 1986)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.kernels.compiling import compiled
from discreet.kernels.volumes_and_shapes import EQUAL, VARYING, variances

__all__ = ["turn_pairs", "turned"]


@compiled
def turned(
    within: NDArray[np.float64],
    turn: NDArray[np.float64],
    along: NDArray[np.float64],
    weights: NDArray[np.float64],
    own_volumes: bool,
    rounds: int,
    settled: float,
) -> None:
    """Rotate all pairs in rounds, until no sine is above `settled`; arrays as in `turn_pairs`.

    The shapes of the clusters vary, and their volumes if they have their `own_volumes`.
    """
    clusters, d = along.shape
    volume = VARYING if own_volumes else EQUAL
    spreads, volumes = np.empty((clusters, d)), np.empty(clusters)
    for turns in range(rounds + 1):
        for g in range(clusters):
            for i in range(d):
                spreads[g, i] = within[g, i, i]
        variances(volume, VARYING, spreads, weights, volumes, along)
        if turns < rounds and turn_pairs(within, along, turn) < settled:
            rounds = turns + 1


@compiled
def turn_pairs(
    within: NDArray[np.float64], along: NDArray[np.float64], turn: NDArray[np.float64]
) -> float:
    """Rotate every two directions once, in place, and return the largest sine of an angle.

    `within` holds the scatter matrices of the clusters as seen from the directions, the columns of
    `turn`; `along` the variances of the clusters along them. In the plane of the directions i and j
    the quantity to minimise is a quadratic form in (cos, sin) of the angle, with the matrix
    Σ_g (1/Λ_gi − 1/Λ_gj) M_g, where M_g is the scatter of cluster g in that plane.
    """
    clusters, d = along.shape
    moved = 0.0
    for i in range(d):
        for j in range(i + 1, d):
            first = mixed = second = 0.0
            for g in range(clusters):
                weight = 1.0 / along[g, i] - 1.0 / along[g, j]
                first += weight * within[g, i, i]
                mixed += weight * within[g, i, j]
                second += weight * within[g, j, j]
            # (cos, sin) of this angle minimises the form.
            angle = 0.5 * np.arctan2(-2.0 * mixed, second - first)
            cos, sin = np.cos(angle), np.sin(angle)
            for g in range(clusters):
                for m in range(d):
                    a, b = within[g, i, m], within[g, j, m]
                    within[g, i, m] = cos * a + sin * b
                    within[g, j, m] = cos * b - sin * a
                for m in range(d):
                    a, b = within[g, m, i], within[g, m, j]
                    within[g, m, i] = cos * a + sin * b
                    within[g, m, j] = cos * b - sin * a
            for m in range(d):
                a, b = turn[m, i], turn[m, j]
                turn[m, i] = cos * a + sin * b
                turn[m, j] = cos * b - sin * a
            moved = max(moved, abs(sin))
    return moved
