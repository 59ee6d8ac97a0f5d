"""Population uniques: the estimators against their own definitions and against a known truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import NotApplicable
from discreet.measures.uniqueness import (
    ESTIMATORS,
    zayatz,
)

QI = "quasi-identifier"


def uniques(**parameters: Any) -> Any:
    return build("measure", {"population-uniqueness": parameters})


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
    assert score.interval[0] < score.value < score.interval[1]
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
