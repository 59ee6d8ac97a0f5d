"""Volumes and shapes of the covariances of an M step (Celeux & Govaert 1995).

A covariance is λ_g · D_g · A_g · D_gᵀ; volume λ_g and shape A_g are FIXED (the identity), EQUAL in
all clusters, or VARYING.
"""

from __future__ import annotations

import math

import numpy as np

from discreet.kernels.arrays import Numbers
from discreet.kernels.compiling import compiled, inner
from discreet.kernels.triangular import inverse_factor

__all__ = ["EQUAL", "FIXED", "VARYING", "common_form", "variances"]


FIXED, EQUAL, VARYING = 0, 1, 2
SETTLED = 1e-8
"""Relative change below which an estimate without a closed form counts as settled."""
MOST_ROUNDS = 50


@compiled
def variances(
    volume: int, shape: int, spreads: Numbers, weights: Numbers, volumes: Numbers, along: Numbers
) -> None:
    """Write λ_g·A_g of clusters that have these spreads, the diagonals of D_gᵀW_gD_g.

    `volumes` are the starting values if there is no closed form, and are overwritten.
    """
    clusters, d = spreads.shape
    everyone = all_spreads = 0.0
    for g in range(clusters):
        everyone += weights[g]
        for i in range(d):
            all_spreads += spreads[g, i]
    if shape == FIXED:
        for g in range(clusters):
            own_volume = 0.0
            for i in range(d):
                own_volume += spreads[g, i] / (d * weights[g])
            for i in range(d):
                along[g, i] = own_volume if volume == VARYING else all_spreads / (d * everyone)
    elif shape == EQUAL and volume == EQUAL:
        for i in range(d):
            pooled = 0.0
            for g in range(clusters):
                pooled += spreads[g, i]
            for g in range(clusters):
                along[g, i] = pooled / everyone
    elif shape == EQUAL:
        _alternating(spreads, weights, volumes, along)
    else:
        all_roots = 0.0
        for g in range(clusters):
            volumes[g] = _root(spreads[g])
            all_roots += volumes[g]
        for g in range(clusters):
            by = weights[g] if volume == VARYING else volumes[g] * everyone / all_roots
            for i in range(d):
                along[g, i] = spreads[g, i] / by


@inner
def _root(diagonal: Numbers) -> float:
    """Return |·|^{1/d} of a diagonal matrix, without overflow."""
    logarithm = 0.0
    for i in range(len(diagonal)):
        logarithm += math.log(diagonal[i])
    return math.exp(logarithm / len(diagonal))


@inner
def _alternating(spreads: Numbers, weights: Numbers, volumes: Numbers, along: Numbers) -> None:
    """Estimate a common shape and the volumes in turn until the volumes have settled."""
    clusters, d = spreads.shape
    common = np.empty(d)
    for _ in range(MOST_ROUNDS):
        for i in range(d):
            common[i] = 0.0
            for g in range(clusters):
                common[i] += spreads[g, i] / volumes[g]
        root = _root(common)
        moved = 0.0
        for i in range(d):
            common[i] /= root
        for g in range(clusters):
            new = 0.0
            for i in range(d):
                new += spreads[g, i] / common[i]
            new /= d * weights[g]
            moved = max(moved, abs(new / volumes[g] - 1))
            volumes[g] = new
        if moved < SETTLED:
            break
    for g in range(clusters):
        for i in range(d):
            along[g, i] = volumes[g] * common[i]


@compiled
def common_form(
    scatters: Numbers, weights: Numbers, volumes: Numbers, covariances: Numbers
) -> None:
    """Write the covariances of VEE: one matrix for all clusters, times the volume of each.

    `volumes` are the starting values, and are overwritten.
    """
    clusters, d, _ = scatters.shape
    pooled = np.empty((d, d))
    inverse = np.empty((d, d))
    scale = 1.0
    for _ in range(MOST_ROUNDS):
        for i in range(d):
            for j in range(d):
                pooled[i, j] = 0.0
                for g in range(clusters):
                    pooled[i, j] += scatters[g, i, j] / volumes[g]
        scale = math.exp(-inverse_factor(pooled, inverse) / d)
        moved = 0.0
        for g in range(clusters):
            new = _trace_within(inverse, scatters[g]) / (scale * d * weights[g])
            moved = max(moved, abs(new / volumes[g] - 1))
            volumes[g] = new
        if moved < SETTLED:
            break
    for g in range(clusters):
        for i in range(d):
            for j in range(d):
                covariances[g, i, j] = volumes[g] * scale * pooled[i, j]


@inner
def _trace_within(factor: Numbers, scatter: Numbers) -> float:
    """Return the trace of L⁻¹WL⁻ᵀ, which is that of (LLᵀ)⁻¹W, from the inverse factor L⁻¹."""
    d = len(factor)
    trace = 0.0
    for i in range(d):
        for a in range(i + 1):
            for b in range(i + 1):
                trace += factor[i, a] * scatter[a, b] * factor[i, b]
    return trace
