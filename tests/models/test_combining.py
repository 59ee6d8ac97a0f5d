"""Combining rules: the formulas, and the coverage of their intervals by simulation."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet import DataError, Microdata, UsageError
from discreet.models.combining import combine, combined_coefficients, combined_means
from discreet.models.sequential.linear import NormalLinear
from discreet.release.copies import copies

COPIES = 8
SIMULATIONS = 250


def test_the_rules_of_both_kinds() -> None:
    q = np.array([[2.0], [4.0], [9.0]])
    u = np.array([[1.0], [2.0], [3.0]])
    # q̄ = 5, b = 13, ū = 2.
    full = combine(q, u, "full")
    assert full.estimates[0] == 5
    assert full.variances[0] == pytest.approx(4 / 3 * 13 - 2)
    assert full.freedom[0] == pytest.approx(2 * (1 - 2 / (4 / 3 * 13)) ** 2)
    partial = combine(q, u, "partial")
    assert partial.variances[0] == pytest.approx(13 / 3 + 2)
    assert partial.freedom[0] == pytest.approx(2 * (1 + 2 / (13 / 3)) ** 2)


def test_a_negative_variance_is_replaced() -> None:
    found = combine([[1.0], [1.0], [1.3]], [[2.0]] * 3, "full", ratio=0.5)
    assert found.variances[0] == 1.0
    assert np.isinf(found.freedom[0])
    assert np.diff(found.intervals())[0, 0] == pytest.approx(2 * 1.959964, rel=1e-6)


def test_equal_copies_have_the_error_of_one() -> None:
    found = combine([[3.0]] * 4, [[0.25]] * 4, "partial")
    assert found.errors[0] == 0.5
    assert np.isinf(found.freedom[0])


def sample(generator: np.random.Generator, rows: int = 120) -> tuple[np.ndarray, np.ndarray]:
    x = generator.normal(1, 1, rows)
    return x, 2 + 3 * x + generator.normal(0, 2, rows)


def test_coverage_of_fully_synthetic_inference() -> None:
    """The truth: the mean of y is 5, its slope on x is 3."""
    generator = np.random.default_rng(7)
    covered, naive = np.zeros(2), np.zeros(2)
    for _ in range(SIMULATIONS):
        x, y = sample(generator)
        tables = []
        for _ in range(COPIES):
            none = np.empty((len(x), 0))
            made_x = NormalLinear.drawn(none, x, generator).draw(none, generator)
            model = NormalLinear.drawn(x[:, None], y, generator)
            made_y = model.draw(made_x[:, None], generator)
            tables.append(microdata(made_x, made_y))
        covered += coverage(tables, "full")
        # What somebody gets who takes one release for the original file.
        naive += coverage([tables[0], tables[0]], "partial")
    assert (covered / SIMULATIONS > 0.91).all(), covered / SIMULATIONS
    assert (covered / SIMULATIONS < 0.99).all(), covered / SIMULATIONS
    assert (naive / SIMULATIONS < 0.87).all(), naive / SIMULATIONS


def test_coverage_of_partially_synthetic_inference() -> None:
    """x is released as it is, y is replaced."""
    generator = np.random.default_rng(8)
    covered, naive = np.zeros(2), np.zeros(2)
    for _ in range(SIMULATIONS):
        x, y = sample(generator)
        tables = []
        for _ in range(COPIES):
            model = NormalLinear.drawn(x[:, None], y, generator)
            tables.append(microdata(x, model.draw(x[:, None], generator)))
        covered += coverage(tables, "partial")
        naive += coverage([tables[0], tables[0]], "partial")
    assert (covered / SIMULATIONS > 0.92).all(), covered / SIMULATIONS
    assert (covered / SIMULATIONS < 0.985).all(), covered / SIMULATIONS
    assert naive[1] / SIMULATIONS < 0.88, naive / SIMULATIONS


def microdata(x: np.ndarray, y: np.ndarray) -> Microdata:
    column = discreet.read({"x": [0.0], "y": [0.0]})
    return column.take(np.zeros(len(x), dtype=np.int64)).replace(
        [column.column("x").with_values(x), column.column("y").with_values(y)]
    )


def coverage(tables: list[Microdata], synthesis: str) -> np.ndarray:
    mean = combined_means(tables, ["y"], synthesis).intervals()[0]  # type: ignore[arg-type]
    slope = combined_coefficients(tables, "y", ["x"], synthesis).intervals()[1]  # type: ignore[arg-type]
    return np.array([mean[0] <= 5 <= mean[1], slope[0] <= 3 <= slope[1]])


def test_coefficients_are_those_of_least_squares() -> None:
    generator = np.random.default_rng(2)
    x = generator.normal(size=40)
    town = generator.integers(0, 3, 40)
    y = 1 + 2 * x - town + generator.normal(size=40)
    data = discreet.read({"x": x, "town": np.array(["a", "b", "c"])[town], "y": y})
    found = combined_coefficients([data, data], "y", ["x", "town"], "partial")
    assert found.labels == ("constant", "x", "town = b", "town = c")
    design = np.column_stack([np.ones(40), x, town == 1, town == 2])
    expected = np.linalg.lstsq(design, y, rcond=None)[0]
    assert found.estimates == pytest.approx(expected)
    residual = y - design @ expected
    variances = residual @ residual / 36 * np.diag(np.linalg.inv(design.T @ design))
    assert found.variances == pytest.approx(variances)


def test_missing_values_are_left_out() -> None:
    data = discreet.read({"x": [1.0, None, 3.0, 4.0, 5.0], "y": [1.0, 2.0, None, 4.0, 6.0]})
    found = combined_means([data, data], ["y"], "partial")
    assert found.estimates[0] == pytest.approx(13 / 4)
    slope = combined_coefficients([data, data], "y", ["x"], "partial").estimates[1]
    assert slope == pytest.approx(np.polyfit([1, 4, 5], [1, 4, 6], 1)[0])


def test_copies_go_with_the_rules() -> None:
    generator = np.random.default_rng(3)
    x, y = sample(generator, 400)
    data = discreet.read({"x": x, "y": y}, roles={"x": "quasi-identifier", "y": "confidential"})
    made = [r.data for r in copies(data, "fully-synthetic", 6, seed=4)]
    found = combined_coefficients(made, "y", ["x"], "full")
    assert abs(found.estimates[1] - np.polyfit(x, y, 1)[0]) < 4 * found.errors[1]
    again = [r.data for r in copies(data, "fully-synthetic", 6, seed=4)]
    assert all((a["x"] == b["x"]).all() for a, b in zip(made, again, strict=True))
    assert len({float(table["x"][0]) for table in made}) == 6


def test_what_cannot_be_combined_is_explained() -> None:
    one = discreet.read({"x": [1.0, 2.0, 3.0], "z": [2.0, 4.0, 6.0], "town": ["a", "b", "a"]})
    with pytest.raises(UsageError, match="at least two releases"):
        combined_means([one], ["x"], "full")
    with pytest.raises(UsageError, match="'town' is nominal"):
        combined_means([one, one], ["town"], "full")
    with pytest.raises(DataError, match="do not depend on each other"):
        combined_coefficients([one, one], "x", ["z", "town"], "full")
    with pytest.raises(DataError, match="at least two values"):
        combined_means([one.take(np.array([0]))] * 2, ["x"], "full")
    with pytest.raises(UsageError, match="between 0 and 1"):
        combined_means([one, one], ["x"], "full").intervals(95)
    with pytest.raises(UsageError, match="number of copies must be 1 or more"):
        copies(one, "fully-synthetic", 0)
