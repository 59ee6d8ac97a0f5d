"""Strata of PRAM, and invariant matrices of weighted counts."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.methods.perturbative.pram.matrix_by_stratum import (
    ANY_STRATUM,
    invariant_of,
    strata_of,
)


def test_strata_are_named_by_their_values() -> None:
    data = discreet.read({"sex": ["f", "m", None, "f"], "area": ["1", "2", "1", "1"]})
    found = {name: rows.tolist() for name, rows in strata_of(data, ("sex", "area"))}
    assert found == {"f+1": [0, 3], "m+2": [1], "missing+1": [2]}
    assert [name for name, _ in strata_of(data, None)] == [ANY_STRATUM]


def test_the_matrix_leaves_weighted_counts_as_they_are() -> None:
    draw = np.random.default_rng(1)
    column = discreet.read({"job": draw.choice(list("abc"), 50)}).column("job")
    weights = draw.random(50)
    matrix = invariant_of(column, np.arange(50), 0.4, weights).probabilities
    counts = np.bincount(column.values, weights)
    assert counts @ matrix == pytest.approx(counts)
    assert np.diag(matrix).min() == pytest.approx(0.4)


def test_true_counts_of_records_come_back_after_weighted_randomisation() -> None:
    draw = np.random.default_rng(2)
    job = draw.choice(list("abc"), 30_000, p=[0.5, 0.3, 0.2])
    data = discreet.read(
        {"job": job, "w": np.where(job == "a", 1.0, 5.0)},
        roles={"job": "quasi-identifier", "w": "weight"},
        kinds={"w": "continuous"},
    )
    pram = discreet.PRAM(stay=0.4)
    release = discreet.protect(data, pram, seed=1, allow=None)
    found = pram.true_frequencies(release.data, "job")
    truth = np.array([(job == name).sum() for name in found.categories])
    seen = np.bincount(release.data["job"])
    assert np.abs(seen - truth).max() > 2_000
    assert np.abs(found.counts - truth).max() < 6 * found.standard_errors.max()
