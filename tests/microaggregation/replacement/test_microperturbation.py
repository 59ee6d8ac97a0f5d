"""Theorems 1 and 2 of Li & Sarkar (2013), with centred noise and as the procedure is printed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context, Groups, Randomness
from discreet.errors import DataError
from discreet.microaggregation.replacement.microperturbation import (
    Microperturbation,
    means_within,
    noise_like,
    root_of,
)

SEEDS = 600
COLUMNS = ("height", "income", "sex", "children", "school", "sum")


def mixed(rows: int = 60) -> discreet.Microdata:
    """Numeric, binary and discrete columns, one of them the sum of two others."""
    rng = np.random.Generator(np.random.PCG64(11))
    height = rng.normal(170, 9, rows)
    income = np.exp(rng.normal(8, 0.5, rows)) + 20 * height
    sex = (height + rng.normal(0, 9, rows) > 170).astype(float)
    children = rng.poisson(1.5, rows).astype(float)
    school = np.minimum(20, 8 + rng.poisson(3, rows)).astype(float)
    columns = [height, income, sex, children, school, children + school]
    return discreet.read(dict(zip(COLUMNS, map(list, columns), strict=True)))


def near_groups(data: discreet.Microdata, k: int) -> Groups:
    """Groups of k by height, so that means differ and covariance is left within."""
    order = np.argsort(np.argsort(data["height"]))
    return Groups(np.minimum(order // k, len(data) // k - 1), least_size=k)


def released(
    data: discreet.Microdata, groups: Groups, seed: int, **options: Any
) -> np.ndarray[Any, np.dtype[np.float64]]:
    context = Context(Randomness(seed))
    columns = Microperturbation(**options).replace(data, COLUMNS, groups, context)
    return np.column_stack([column.values for column in columns])


def between(data: discreet.Microdata, groups: Groups) -> Any:
    return np.cov(means_within(data.matrix(COLUMNS), groups).T)


def errors_in_standard_errors(covariances: Any, expected: Any) -> Any:
    scale = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
    deviation = (covariances - expected) / scale
    standard_error = deviation.std(axis=0, ddof=1) / np.sqrt(len(deviation))
    return deviation.mean(axis=0) / standard_error


# 3 and 4 records are fewer than the six attributes, 12 are more.
@pytest.mark.parametrize("k", [2, 3, 4, 12])
def test_theorems_1_and_2(k: int) -> None:
    data = mixed()
    groups = near_groups(data, k)
    values = data.matrix(COLUMNS)
    covariances = []
    for seed in range(SEEDS):
        masked = released(data, groups, seed)
        assert np.allclose(means_within(masked, groups), means_within(values, groups), rtol=1e-10)
        assert np.allclose(masked.mean(axis=0), values.mean(axis=0), rtol=1e-10)
        covariances.append(np.cov(masked.T))
    # 21 entries of one matrix: the largest of as many normal errors rarely exceeds 3.5.
    assert np.abs(errors_in_standard_errors(np.array(covariances), np.cov(values.T))).max() < 3.5


@pytest.mark.parametrize("k", [3, 5])
def test_the_printed_procedure_is_biased_as_the_correction_says(k: int) -> None:
    data = mixed()
    groups = near_groups(data, k)
    values = data.matrix(COLUMNS)
    original, means = np.cov(values.T), between(data, groups)
    factor = (len(data) - 1) / (len(data) - groups.count)
    corrected = means + factor * (original - means)
    covariances = np.array(
        [np.cov(released(data, groups, seed, as_printed=True).T) for seed in range(SEEDS)]
    )
    assert np.abs(errors_in_standard_errors(covariances, corrected)).max() < 3.5
    off = np.diag(errors_in_standard_errors(covariances, original))
    assert off.max() > 10, "the variances as printed should be clearly too large"
    worst = (np.diag(corrected) / np.diag(original)).max()
    assert 1.1 < worst < {3: 1.5, 5: 1.25}[k]


def test_the_noise_has_the_covariance_of_equation_11() -> None:
    data = mixed()
    groups = near_groups(data, 4)
    values = data.matrix(COLUMNS)
    deviations = values - means_within(values, groups)
    freedom = len(data) - groups.count
    eq_11 = (len(data) - 1) / freedom * (np.cov(values.T) - between(data, groups))
    assert np.allclose(deviations.T @ deviations / freedom, eq_11, rtol=1e-9)
    rng = np.random.Generator(np.random.PCG64(3))
    noise = np.vstack([noise_like(deviations, freedom, rng) for _ in range(1500)])
    assert np.abs(np.cov(noise.T) / eq_11 - 1).max() < 0.08


def test_tiny_negative_eigenvalues_are_clipped_and_larger_ones_are_a_bug() -> None:
    singular = np.array([[1.0, 1.0], [1.0, 1.0 - 1e-13]])
    root = root_of(singular)
    assert np.allclose(root @ root.T, singular)
    with pytest.raises(AssertionError, match="not a covariance matrix"):
        root_of(np.array([[1.0, 2.0], [2.0, 1.0]]))


def test_rounding_gives_whole_numbers_and_little_else() -> None:
    data = mixed(600)
    groups = near_groups(data, 5)
    plain, whole = (released(data, groups, 1, round=r) for r in (False, True))
    at = [COLUMNS.index(name) for name in ("sex", "children", "school", "sum")]
    assert (whole[:, at] == np.rint(plain[:, at])).all()
    assert (whole[:, :2] == plain[:, :2]).all(), "heights and incomes are no whole numbers"
    # Uniform rounding errors add 1/12 to the variance of a column that is spread over many steps.
    sums = COLUMNS.index("sum")
    added = whole[:, sums].var() - plain[:, sums].var()
    assert added == pytest.approx(1 / 12, abs=0.4)
    assert np.abs(whole.mean(axis=0) - plain.mean(axis=0)).max() < 0.1


def test_missing_values_are_perturbed_around_the_mean_of_those_present() -> None:
    data = discreet.read({"age": [20, None, 30, 40, 50, 60], "pay": [None, None, None, 1, 2, 6]})
    groups = Groups(np.array([0, 0, 0, 1, 1, 1]), least_size=3)
    age, pay = Microperturbation().replace(data, ["age", "pay"], groups, Context(Randomness(1)))
    assert not np.isnan(age.values).any()
    assert age.values[:3].mean() == pytest.approx(25)
    assert np.isnan(pay.values[:3]).all(), "a group without any value stays missing"
    assert pay.values[3:].mean() == pytest.approx(3)


def test_categories_come_back_as_categories() -> None:
    rows = 400
    rng = np.random.Generator(np.random.PCG64(2))
    data = discreet.read(
        {
            "town": [("Ayle", "Bron", "Cull")[i] for i in rng.integers(0, 3, rows)],
            "grade": [("low", "middle", "high")[i] for i in rng.integers(0, 3, rows)],
            "sex": [("f", "m")[i] for i in rng.integers(0, 2, rows)],
        },
        kinds={"grade": ["low", "middle", "high"]},
    )
    groups = Groups(np.arange(rows) // 5, least_size=5)
    columns = Microperturbation().replace(data, data.schema.names, groups, Context(Randomness(1)))
    for column in columns:
        before = data.column(column.name)
        assert column.attribute == before.attribute
        assert 0.2 < (column.values != before.values).mean() < 0.9
        shares = [np.bincount(c.values, minlength=3) / rows for c in (before, column)]
        # Normal noise about a mean favours the middle of a scale; indicators have no middle.
        bound = 0.2 if column.name == "grade" else 0.1
        assert np.abs(shares[0] - shares[1]).max() < bound


def test_a_group_of_one_record_is_refused() -> None:
    groups = Groups(np.array([0, 0, 1]))
    with pytest.raises(DataError, match="groups of at least 2 records, but one has 1"):
        Microperturbation().replace(discreet.read({"age": [1, 2, 9]}), ["age"], groups, Context())


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6), min_size=4, max_size=30), st.integers(0, 100))
def test_group_means_are_kept_for_any_numbers(values: list[float], seed: int) -> None:
    data = discreet.read({"x": values, "y": [v**2 / 1e6 for v in values]})
    groups = Groups(np.arange(len(values)) // 2 % (len(values) // 2), least_size=2)
    numbers = data.matrix(["x", "y"])
    columns = Microperturbation().replace(data, ["x", "y"], groups, Context(Randomness(seed)))
    masked = np.column_stack([column.values for column in columns])
    slack = 1e-9 * max(1.0, np.abs(numbers).max())
    assert np.abs(means_within(masked, groups) - means_within(numbers, groups)).max() <= slack
