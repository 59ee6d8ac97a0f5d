"""Volumes and shapes against the formulas of Celeux & Govaert (1995), in whole arrays."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from discreet.kernels.volumes_and_shapes import EQUAL, FIXED, VARYING, common_form, variances

Numbers = NDArray[np.float64]


def _root(diagonals: Numbers) -> Numbers:
    return np.asarray(np.exp(np.log(diagonals).mean(axis=-1, keepdims=True)))


def _in_turns(spreads: Numbers, weights: Numbers) -> Numbers:
    volumes = np.ones(len(weights))
    for _ in range(500):
        pooled = (spreads / volumes[:, None]).sum(axis=0)
        common = pooled / _root(pooled)
        volumes = (spreads / common).mean(axis=1) / weights
    return np.asarray(volumes[:, None] * common)


def slowly(volume: int, shape: int, spreads: Numbers, weights: Numbers) -> Numbers:
    everyone, own = weights.sum(), weights[:, None]
    ones = np.ones_like(spreads)
    found: dict[tuple[int, int], Numbers] = {
        (EQUAL, FIXED): ones * spreads.sum(axis=0).mean() / everyone,
        (VARYING, FIXED): ones * spreads.mean(axis=1, keepdims=True) / own,
        (EQUAL, EQUAL): ones * spreads.sum(axis=0) / everyone,
        (VARYING, EQUAL): _in_turns(spreads, weights),
        (EQUAL, VARYING): spreads / _root(spreads) * (_root(spreads).sum() / everyone),
        (VARYING, VARYING): spreads / own,
    }
    return found[volume, shape]


@pytest.mark.parametrize("volume", [EQUAL, VARYING])
@pytest.mark.parametrize("shape", [FIXED, EQUAL, VARYING])
def test_variances_as_by_the_formulas(volume: int, shape: int) -> None:
    rng = np.random.default_rng(2)
    spreads, weights = rng.uniform(1, 90, (4, 3)), rng.uniform(2, 9, 4)
    along = np.empty_like(spreads)
    variances(volume, shape, spreads, weights, np.ones(4), along)
    np.testing.assert_allclose(along, slowly(volume, shape, spreads, weights), rtol=1e-6)


def test_one_form_with_a_volume_for_each_cluster() -> None:
    rng = np.random.default_rng(5)
    roots, weights = rng.normal(size=(3, 4, 9)), rng.uniform(2, 9, 3)
    scatters = roots @ roots.transpose(0, 2, 1)
    volumes = np.ones(3)
    for _ in range(500):
        pooled = (scatters / volumes[:, None, None]).sum(axis=0)
        form = pooled / np.linalg.det(pooled) ** 0.25
        volumes = np.einsum("ij,gji->g", np.linalg.inv(form), scatters) / (4 * weights)
    found = np.empty_like(scatters)
    common_form(scatters, weights, np.ones(3), found)
    np.testing.assert_allclose(found, volumes[:, None, None] * form, rtol=1e-6)
