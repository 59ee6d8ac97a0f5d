"""Population uniques: the estimators against their own definitions and against a known truth."""

from __future__ import annotations

from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import NotApplicable
from discreet.measures.uniqueness import (
    ESTIMATORS,
    ewens,
    pitman,
    poisson_gamma,
    population_unique,
    zayatz,
)

QI = "quasi-identifier"
LAW = settings(max_examples=30, deadline=None, derandomize=True, database=None)
sizes = st.dictionaries(st.integers(1, 30), st.integers(1, 40), min_size=1, max_size=6)


def uniques(**parameters: Any) -> Any:
    return build("measure", {"population-uniqueness": parameters})


def test_zayatz_with_whole_numbers() -> None:
    # 20 records in 10 single cells and 5 pairs; 40 persons.
    h = [j * comb(40 - j, 19) / comb(40, 20) for j in (1, 2)]
    assert zayatz({1: 10, 2: 5}, 0.5) == pytest.approx(10 * h[0] / (10 * h[0] + 5 * h[1]))


def test_ewens_solves_its_equation() -> None:
    # K = Σ θ/(θ + i) over i < 3 is 2 where θ² = 2.
    theta = 2**0.5
    assert ewens({1: 1, 2: 1}, 0.5) == pytest.approx((theta + 2) / (theta + 5), rel=1e-6)


def test_pitman_finds_the_parameters_of_a_drawn_file() -> None:
    # Draw from the process itself: a new cell with chance (θ + Kα)/(θ + i).
    alpha, theta, n, total = 0.6, 20.0, 3_000, 12_000
    rng = np.random.default_rng(11)
    counts: list[int] = []
    at_n: list[int] = []
    for i in range(total):
        if rng.random() < (theta + len(counts) * alpha) / (theta + i):
            counts.append(1)
        else:
            weights = np.array(counts) - alpha
            counts[int(rng.choice(len(counts), p=weights / weights.sum()))] += 1
        if i == n - 1:
            at_n = counts.copy()
    sample = {j: at_n.count(j) for j in set(at_n)}
    ratio = (counts.count(1) / total) / (at_n.count(1) / n)
    assert pitman(sample, n / total) == pytest.approx(ratio, rel=0.15)


def test_the_poisson_gamma_model_of_a_drawn_population() -> None:
    rng = np.random.default_rng(4)
    population = rng.poisson(rng.gamma(0.4, 10.0, 20_000))
    sample = rng.binomial(population, 0.25)
    chance = ((population == 1) & (sample == 1)).sum() / (sample == 1).sum()
    found = {int(j): int((sample == j).sum()) for j in np.unique(sample) if j}
    assert poisson_gamma(found, 0.25) == pytest.approx(chance, rel=0.1)


@LAW
@given(sizes, st.floats(0.001, 0.999), st.sampled_from(list(ESTIMATORS)))
def test_every_estimate_is_a_chance(counts: dict[int, int], fraction: float, name: str) -> None:
    chance = population_unique(counts, fraction, name)
    assert 0 <= chance <= 1
    assert population_unique(counts, 1.0, name) == (1.0 if 1 in counts else 0.0)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_larger_share_of_the_population_leaves_more_uniques(name: str) -> None:
    counts = {1: 60, 2: 25, 3: 10, 5: 4, 9: 2}
    chances = [population_unique(counts, f, name) for f in (0.01, 0.1, 0.5, 0.9)]
    assert chances == sorted(chances)


def test_the_value_is_the_share_of_uniques_times_the_chance() -> None:
    data = discreet.read(
        {"age": [1, 2, 3, 3, 4, 4], "w": [5, 5, 5, 5, 5, 5]}, roles={"age": QI, "w": "weight"}
    )
    score = uniques(estimator="zayatz").score(data, data, Context())
    chance = zayatz({1: 2, 2: 2}, 0.2)
    assert score.value == pytest.approx(chance / 3)
    assert score.per_record.tolist() == pytest.approx([chance, chance, 0, 0, 0, 0])
    assert score.detail["population"] == pytest.approx(30)
    assert set(score.detail["estimates"]) == set(ESTIMATORS)
    estimates = score.detail["estimates"].values()
    assert score.interval == (min(estimates), max(estimates))
    given_fraction = uniques(estimator="zayatz", fraction=0.2).score(data, data, Context())
    assert given_fraction.value == pytest.approx(score.value)


def test_it_needs_the_size_of_the_population() -> None:
    data = discreet.read({"age": [1, 2]}, roles={"age": QI})
    with pytest.raises(NotApplicable, match="how large the population is"):
        uniques().score(data, data, Context())


def test_a_sample_of_a_known_population(reference_data: Path) -> None:
    keys = ["age", "gender", "region", "ecoStat", "citizenship", "hsize"]
    everybody = discreet.read(
        pq.read_table(reference_data / "eusilcP.parquet", columns=keys),
        roles=dict.fromkeys(keys, QI),
    )
    rows = np.random.default_rng(1).permutation(len(everybody))[: len(everybody) // 10]
    sample = everybody.take(np.sort(rows))
    truth = build("measure", "sample-uniqueness").score(everybody, everybody, Context()).value  # type: ignore[attr-defined]
    score = uniques(fraction=0.1).score(sample, sample, Context())
    assert score.value == pytest.approx(truth, rel=0.15)
    assert score.interval[0] < truth < score.interval[1]
