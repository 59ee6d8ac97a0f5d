"""Exact moments and R-microhybrid on groups of partitions, real data among them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Groups, Randomness, Replacement
from discreet.errors import DataError
from discreet.microaggregation.partition import MDAV
from discreet.microaggregation.replacement.exact_moments import ExactMoments
from discreet.microaggregation.replacement.r_microhybrid import RMicrohybrid


def synthetic(
    replacement: Replacement, data: discreet.Microdata, names: Any, groups: Groups, seed: int = 1
) -> Any:
    columns = replacement.replace(data, names, groups, Context(Randomness(seed)))
    return np.column_stack([column.values for column in columns])


# 13 attributes: groups of 3 and 8 are smaller than d + 2, those of 40 larger.
@pytest.mark.parametrize("k", [3, 8, 40])
def test_census_keeps_the_moments_of_every_group_and_of_the_file(data_files: Path, k: int) -> None:
    data = discreet.read(data_files / "casc_census.csv")
    names = data.schema.names
    groups = MDAV(k=k).groups(data, names, Context())
    values = data.matrix(names)
    after = synthetic(ExactMoments(), data, names, groups)
    scale = values.std(axis=0)
    parts = [
        np.ones(len(data), dtype=bool),
        *(groups.labels == g for g in range(min(groups.count, 60))),
    ]
    for part in parts:
        assert np.allclose(after[part].mean(0), values[part].mean(0), rtol=1e-9, atol=1e-9)
        error = np.abs(np.cov(after[part].T) - np.cov(values[part].T))
        assert (error <= 1e-9 * np.outer(scale, scale)).all()
    assert np.isclose(after, values).mean() < 0.02


def test_round_brings_whole_numbers_back_and_only_those() -> None:
    data = discreet.read({"age": [20, 31, 47, 52, 60], "pay": [1.5, 2.0, 9.0, 4.0, 3.0]})
    groups = Groups(np.zeros(5, dtype=np.int64), least_size=5)
    plain = synthetic(ExactMoments(), data, ["age", "pay"], groups)
    whole = synthetic(ExactMoments(round=True), data, ["age", "pay"], groups)
    assert (whole[:, 0] == np.rint(plain[:, 0])).all()
    assert (whole[:, 1] == plain[:, 1]).all()


def test_missing_values_are_synthesised_and_empty_groups_stay_missing() -> None:
    data = discreet.read(
        {"age": [20, None, 30, 25, 40, 50, 60, 70], "pay": [None] * 4 + [1.0, 2.0, 6.0, 3.0]}
    )
    groups = Groups(np.arange(8) // 4, least_size=4)
    after = synthetic(ExactMoments(), data, ["age", "pay"], groups)
    assert not np.isnan(after[:, 0]).any()
    assert after[:4, 0].mean() == pytest.approx(25)
    assert np.isnan(after[:4, 1]).all()
    assert np.allclose(np.cov(after[4:].T), np.cov(data.matrix(["age", "pay"])[4:].T))


@pytest.mark.parametrize("replacement", [ExactMoments(), RMicrohybrid(fallback="subspace")])
def test_groups_of_two_are_refused(replacement: Replacement) -> None:
    data = discreet.read({"age": [20.0, 31.0, 47.0, 52.0, 60.0]})
    with pytest.raises(DataError, match="at least 3 records, but one has 2"):
        synthetic(replacement, data, ["age"], Groups(np.array([0, 0, 1, 1, 1])))
