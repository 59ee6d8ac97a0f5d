"""Exact moments and R-microhybrid on groups of partitions, real data among them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Groups, Randomness, Replacement
from discreet.errors import DataError, UsageError
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
def test_census_keeps_the_moments_of_every_group_and_of_the_file(
    reference_data: Path, k: int
) -> None:
    data = discreet.read(reference_data / "casc_census.csv")
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


def test_r_microhybrid_is_exact_moments_where_groups_are_regular() -> None:
    rng = np.random.Generator(np.random.PCG64(5))
    data = discreet.read({name: rng.normal(size=30).tolist() for name in "abc"})
    groups = Groups(np.arange(30) // 5, least_size=5)
    one, other = (synthetic(r, data, "abc", groups) for r in (RMicrohybrid(), ExactMoments()))
    assert np.array_equal(one, other)


def test_r_microhybrid_refuses_small_groups_and_says_how_many() -> None:
    data = discreet.read({name: np.arange(9.0) ** i for i, name in enumerate("abc", 1)})
    groups = Groups(np.array([0, 0, 0, 1, 1, 1, 1, 1, 1]))
    with pytest.raises(
        DataError,
        match=r"of 3 columns needs groups of at least 4 records, but 1 of 2 groups have fewer "
        r"\(the smallest 3\); form larger groups, .*fallback='subspace'",
    ):
        synthetic(RMicrohybrid(), data, "abc", groups)
    assert synthetic(RMicrohybrid(fallback="subspace"), data, "abc", groups).shape == (9, 3)


def test_r_microhybrid_names_the_constant_column_or_collinearity() -> None:
    rng = np.random.Generator(np.random.PCG64(6))
    x, y = rng.normal(size=(2, 12))
    groups = Groups(np.arange(12) // 6)
    binary = [0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 1]
    data = discreet.read({"x": x.tolist(), "sex": binary})
    with pytest.raises(DataError, match="1 of 2 groups it is singular: column 'sex' is constant"):
        synthetic(RMicrohybrid(), data, ["x", "sex"], groups)
    data = discreet.read({"x": x.tolist(), "y": y.tolist(), "z": (x + y).tolist()})
    with pytest.raises(DataError, match=r"2 of 2 groups .* linear functions of others"):
        synthetic(RMicrohybrid(), data, ["x", "y", "z"], groups)


def test_a_fallback_has_to_be_one_of_those_there_are() -> None:
    with pytest.raises(UsageError, match="'fallback' of RMicrohybrid must be one of none, subspac"):
        RMicrohybrid(fallback="yes")
