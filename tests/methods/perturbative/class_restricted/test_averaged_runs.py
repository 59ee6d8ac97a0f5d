"""Several groupings masked as one keep means and covariances; averaging noise would not."""

from __future__ import annotations

import numpy as np

from discreet.contracts import Groups
from discreet.methods.perturbative.class_restricted.averaged_runs import averaged
from discreet.microaggregation.replacement.microperturbation import means_within, noise_like

RNG = np.random.Generator(np.random.PCG64(3))
VALUES = RNG.normal(size=(80, 4)) @ RNG.normal(size=(4, 4))
VALUES[:, 3] = VALUES[:, 3] > 0
RUNS = [Groups(np.argsort(np.argsort(VALUES[:, j])) // 4, least_size=4) for j in (0, 1)]
SEEDS = 500


def rng(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def test_the_mean_is_exact_and_the_covariance_unbiased() -> None:
    original = np.cov(VALUES.T)
    scale = np.sqrt(np.outer(np.diag(original), np.diag(original)))
    errors = []
    for seed in range(SEEDS):
        masked = averaged(VALUES, RUNS, rng(seed))
        assert np.allclose(masked.mean(axis=0), VALUES.mean(axis=0))
        errors.append((np.cov(masked.T) - original) / scale)
    found = np.array(errors)
    standard_error = found.std(axis=0, ddof=1) / np.sqrt(SEEDS)
    assert np.abs(found.mean(axis=0) / standard_error).max() < 3.5


def test_averaging_perturbed_values_as_printed_loses_variance() -> None:
    # The runs have independent noise, half of whose variance the average takes away.
    variances = []
    for seed in range(100):
        draws = rng(seed)
        perturbed = []
        for groups in RUNS:
            centres = means_within(VALUES, groups)
            noise = noise_like(VALUES - centres, len(VALUES) - groups.count, draws)
            perturbed.append(centres + noise - means_within(noise, groups))
        variances.append(np.var(np.mean(perturbed, axis=0), axis=0, ddof=1))
    ratio = np.mean(variances, axis=0) / VALUES.var(axis=0, ddof=1)
    assert (ratio[2:] < 0.7).all(), "columns that neither run is sorted by lose most"


def test_gaps_are_filled_and_an_empty_column_stays_empty() -> None:
    values = VALUES.copy()
    values[::9, 0] = np.nan
    values[:, 2] = np.nan
    masked = averaged(values, RUNS, rng(1))
    assert np.isnan(masked[:, 2]).all()
    assert not np.isnan(masked[:, [0, 1, 3]]).any()


def test_one_run_keeps_the_covariance_too() -> None:
    found = np.mean([np.cov(averaged(VALUES, RUNS[:1], rng(s)).T) for s in range(300)], axis=0)
    assert np.allclose(np.diag(found), np.diag(np.cov(VALUES.T)), rtol=0.05)
