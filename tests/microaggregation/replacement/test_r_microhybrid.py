"""R-microhybrid: the procedure as it was published, and where it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Groups, Randomness, Replacement
from discreet.errors import DataError, UsageError
from discreet.microaggregation.replacement.exact_moments import ExactMoments
from discreet.microaggregation.replacement.r_microhybrid import RMicrohybrid


def synthetic(
    replacement: Replacement, data: discreet.Microdata, names: Any, groups: Groups, seed: int = 1
) -> Any:
    columns = replacement.replace(data, names, groups, Context(Randomness(seed)))
    return np.column_stack([column.values for column in columns])


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
