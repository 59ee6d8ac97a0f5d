"""One pass of EM over the records: the likelihood, and the sums that the next M step needs."""

from __future__ import annotations

import math

import numpy as np

from discreet.kernels.arrays import Numbers
from discreet.kernels.compiling import compiled, inner
from discreet.kernels.triangular import inverse_factor

__all__ = ["about_means", "expected_sums"]


BLOCK = 128
"""Records worked on together, so that what is kept of them stays near the processor."""
LANES = 4
"""Sums that a sum over records is made of, which the processor adds side by side."""
NOTHING = -45.0
"""Logarithm of a share of a record that no sum would notice."""
LEAST = 1e-8
"""Records that a component has at least."""
LOST = 1e-12
TINY = 1e-300


@compiled
def expected_sums(
    across: Numbers,
    weights: Numbers,
    means: Numbers,
    covariances: Numbers,
    freedom: float,
    sizes: Numbers,
    counts: Numbers,
    totals: Numbers,
    scatters: Numbers,
) -> tuple[float, float]:
    """Write the sums over records, and return the log-likelihood and the mean of log u − u.

    `across` has a column for each record. With z the probability of a component given the record
    (eq. 2 of Oganian & Domingo-Ferrer) and u what the record counts for it, 1 unless the components
    are t, the sums are those of z, of zu, of zux and of zuxxᵀ.
    """
    d, n = across.shape
    clusters = len(weights)
    whitening = np.empty((clusters, d, d))
    offsets = np.zeros((clusters, d))
    constants = np.empty(clusters)
    normal = math.isinf(freedom)
    for g in range(clusters):
        log_determinant = inverse_factor(covariances[g], whitening[g])
        for i in range(d):
            for j in range(i + 1):
                offsets[g, i] += whitening[g, i, j] * means[g, j]
        constants[g] = math.log(weights[g]) - 0.5 * log_determinant
        if normal:
            constants[g] -= 0.5 * d * math.log(2 * math.pi)
        else:
            constants[g] += math.lgamma((freedom + d) / 2) - math.lgamma(freedom / 2)
            constants[g] -= 0.5 * d * math.log(freedom * math.pi)
    sizes[:] = 0.0
    counts[:] = 0.0
    totals[:] = 0.0
    scatters[:] = 0.0
    x = np.zeros((d, BLOCK))
    squared = np.zeros((clusters, BLOCK))
    shares = np.zeros((clusters, BLOCK))
    line = np.zeros(BLOCK)
    likelihood = spared = 0.0
    for start in range(0, n, BLOCK):
        size = min(BLOCK, n - start)
        width = (size + LANES - 1) // LANES * LANES
        for i in range(d):
            for p in range(size):
                x[i, p] = across[i, start + p]
        for g in range(clusters):
            _squared_distances(x, whitening[g], offsets[g], line[:width], squared[g])
            for p in range(size):
                if normal:
                    shares[g, p] = constants[g] - 0.5 * squared[g, p]
                else:
                    tail = math.log1p(squared[g, p] / freedom)
                    shares[g, p] = constants[g] - 0.5 * (freedom + d) * tail
            for p in range(size, width):
                shares[g, p] = 0.0
        likelihood += _normalised(shares, size)
        for g in range(clusters):
            for p in range(size):
                share = shares[g, p]
                sizes[g] += share
                if not normal:
                    u = (freedom + d) / (freedom + squared[g, p])
                    spared += share * (math.log(u) - u)
                    share *= u
                    shares[g, p] = share
                counts[g] += share
            _add(x, shares[g], line[:width], totals[g], scatters[g])
    return likelihood, spared / n


@inner
def _squared_distances(
    x: Numbers, whitening: Numbers, offset: Numbers, line: Numbers, squared: Numbers
) -> None:
    """Write the squared Mahalanobis distances of a block of records."""
    for p in range(len(line)):
        squared[p] = 0.0
    for i in range(len(offset)):
        for p in range(len(line)):
            line[p] = -offset[i]
        for j in range(i + 1):
            factor = whitening[i, j]
            for p in range(len(line)):
                line[p] += factor * x[j, p]
        for p in range(len(line)):
            squared[p] += line[p] * line[p]


@inner
def _normalised(shares: Numbers, size: int) -> float:
    """Turn log densities into shares of each record, and return the sum of log likelihoods."""
    likelihood = 0.0
    for p in range(size):
        top = -math.inf
        for g in range(len(shares)):
            top = max(top, shares[g, p])
        total = 0.0
        for g in range(len(shares)):
            apart = shares[g, p] - top
            share = math.exp(apart) if apart > NOTHING else 0.0
            shares[g, p] = share
            total += share
        likelihood += math.log(total) + top
        for g in range(len(shares)):
            shares[g, p] /= total
    return likelihood


@inner
def _add(x: Numbers, shares: Numbers, line: Numbers, totals: Numbers, scatter: Numbers) -> None:
    """Add a block of records to the sums of one component."""
    for i in range(len(totals)):
        for p in range(len(line)):
            line[p] = shares[p] * x[i, p]
        a = b = c = e = 0.0
        for p in range(0, len(line), LANES):
            a += line[p]
            b += line[p + 1]
            c += line[p + 2]
            e += line[p + 3]
        totals[i] += (a + b) + (c + e)
        for j in range(i + 1):
            a = b = c = e = 0.0
            for p in range(0, len(line), LANES):
                a += line[p] * x[j, p]
                b += line[p + 1] * x[j, p + 1]
                c += line[p + 2] * x[j, p + 2]
                e += line[p + 3] * x[j, p + 3]
            scatter[i, j] += (a + b) + (c + e)
            scatter[j, i] = scatter[i, j]


@compiled
def about_means(
    sizes: Numbers, counts: Numbers, totals: Numbers, scatters: Numbers, added: Numbers,
    means: Numbers, weights: Numbers, kept: bool,
) -> None:  # fmt: skip
    """Write means and weights, and make scatters those about the means; n_g·added regularises them.

    No size is left below LEAST: a component without records keeps its place. Where places are
    `kept`, it keeps its mean, too: the floor under the weights may bring it back. The points are
    centred, so that what cancels is far below the regularisation.
    """
    clusters, d = means.shape
    rest = np.zeros(d)
    everyone = 0.0
    for g in range(clusters):
        sizes[g] = max(sizes[g], LEAST)
        everyone += sizes[g]
    for g in range(clusters):
        weights[g] = sizes[g] / everyone
        lost = kept and counts[g] <= LOST
        for i in range(d):
            if not lost:
                means[g, i] = totals[g, i] / max(counts[g], TINY)
            # Σ z (x − μ) is zero about the cluster's mean, but not about a place that was kept.
            rest[i] = totals[g, i] - counts[g] * means[g, i] if lost else 0.0
        for i in range(d):
            for j in range(i + 1):
                about = scatters[g, i, j] - counts[g] * (means[g, i] * means[g, j])
                about -= means[g, i] * rest[j] + means[g, j] * rest[i]
                if i == j:
                    about += sizes[g] * added[i]
                scatters[g, i, j] = scatters[g, j, i] = about
