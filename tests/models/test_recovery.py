"""Recovery: functions are recovered whole, correlated columns in part, independent ones not."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.models.recovery import Target

N = 2000


def target(values: object) -> Target:
    found = Target.of(discreet.read({"y": values}).column("y"))
    assert found is not None
    return found


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_a_code_recovers_its_label_and_nothing_else(rng: np.random.Generator) -> None:
    code = rng.integers(0, 30, N)
    label = target([f"label {i}" for i in code])
    assert label.tolerance is None
    assert label.gain(label.by_value(code)) == 1
    assert label.gain(label.by_value(rng.permutation(code))) < 0.05
    coarse = target([f"label {i // 3}" for i in code])
    assert coarse.gain(coarse.by_value(code)) == 1
    fine = label.gain(label.by_value(code // 3))
    assert 0.25 < fine < 0.45, "one of three, guessed"


def test_values_that_were_not_taught_are_guessed_blindly() -> None:
    label = target(["a", "b", "b"] * 100)
    predicted = label.by_value(np.arange(300))
    assert (predicted[150:] == label.blind[150:]).all()
    assert label.gain(predicted) == 0


def test_sums_and_products_are_recovered(rng: np.random.Generator) -> None:
    parts = rng.lognormal(3, 1, (N, 3))
    total = target(parts.sum(axis=1))
    predicted, weights = total.linear(np.column_stack([parts, rng.normal(size=N)]))
    assert predicted is not None
    assert total.gain(predicted) == 1
    assert weights[3] < 1e-6 * weights[:3].min()
    ratio = target(parts[:, 0] / parts[:, 1])
    predicted, weights = ratio.multiplied(parts)
    assert predicted is not None
    assert ratio.gain(predicted) == 1
    assert weights[2] < 1e-6
    alone = ratio.linear(parts)[0]
    assert alone is not None
    assert ratio.gain(alone) < 0.6


def test_a_tree_recovers_a_monotone_function(rng: np.random.Generator) -> None:
    x = rng.uniform(1, 5, N)
    y = target(np.exp(x))
    predicted, importance = y.tree(np.column_stack([x, rng.normal(size=N)]))
    assert y.gain(predicted) > 0.95
    assert importance[0] > 0.99


@pytest.mark.parametrize(("correlation", "most"), [(0.0, 0.1), (0.9, 0.2), (0.99, 0.5)])
def test_a_correlation_recovers_little(
    correlation: float, most: float, rng: np.random.Generator
) -> None:
    x, noise = rng.normal(size=(2, N))
    y = target(correlation * x + np.sqrt(1 - correlation**2) * noise)
    predicted, _ = y.linear(x[:, None])
    assert predicted is not None
    assert y.gain(predicted) < most


def test_products_need_positive_numbers(rng: np.random.Generator) -> None:
    assert target(rng.normal(size=N)).multiplied(np.ones((N, 1)))[0] is None
    assert target(rng.uniform(1, 2, N)).multiplied(rng.normal(size=(N, 2)))[0] is None


def test_more_columns_than_records_predict_nothing(rng: np.random.Generator) -> None:
    y = target(rng.normal(size=60))
    assert y.linear(rng.normal(size=(60, 40)))[0] is None


@pytest.mark.parametrize(
    "values", [[], [1.0], [3.0] * 500, [None] * 500, ["a"] * 500, ["a"] * 495 + ["b"] * 5]
)
def test_what_a_blind_guess_knows_is_no_target(values: list[object]) -> None:
    assert Target.of(discreet.read({"y": values}).column("y")) is None


def test_single_huge_values_do_not_make_all_others_alike(rng: np.random.Generator) -> None:
    values = rng.normal(size=N)
    values[:3] = 1e12
    found = target(values)
    assert found.tolerance is not None
    assert found.tolerance < 0.1 * found.values[3:].std()


@pytest.mark.parametrize("place", [0.0, 1e9, 1e300], ids=str)
def test_a_tree_sees_large_and_close_numbers(rng: np.random.Generator, place: float) -> None:
    groups = rng.integers(0, 8, 400)
    target = Target(np.arange(400), groups.astype(float), None)
    features = np.asarray(place + groups * max(1.0, place * 1e-12), dtype=np.float64)[:, np.newaxis]
    predicted, _ = target.tree(features)
    assert target.gain(predicted) == 1.0


@pytest.mark.parametrize("size", [1e-300, 1e39, 1e200, 1e308])
def test_the_size_of_numbers_changes_nothing(size: float, rng: np.random.Generator) -> None:
    x, noise = rng.uniform(-1, 1, (2, N))
    features = np.column_stack([x, noise])
    usual, large = target(2 * x + 1), target((x + 0.5) * size)
    for predict in ("linear", "tree"):
        expected, weights = getattr(usual, predict)(features)
        predicted, importance = getattr(large, predict)(features)
        assert large.gain(predicted) == pytest.approx(usual.gain(expected), abs=0.01)
        assert importance.argmax() == weights.argmax() == 0
    assert usual.gain(usual.tree(features * size)[0]) == usual.gain(usual.tree(features)[0])
