"""Regression fit against plain least squares, and the least squares that it rests on."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import Microdata
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import NotApplicable
from discreet.models.design_matrix import DesignMatrix
from discreet.models.regression import LeastSquares, column_regressions, triangular_factor

LAW = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
FIT: Any = build("measure", "regression-fit")


def fit(before: Microdata, after: Microdata) -> Any:
    return FIT.score(before, after, Context())


def plain(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients and standard errors, from the textbook."""
    inverse = np.linalg.inv(x.T @ x)
    coefficients = inverse @ x.T @ y
    rest = y - x @ coefficients
    variance = rest @ rest / (len(y) - x.shape[1])
    return coefficients, np.sqrt(variance * np.diag(inverse))


@LAW
@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(1, 7))
def test_least_squares_on_blocks_is_that_of_the_textbook(seed: int, width: int, block: int) -> None:
    rng = np.random.default_rng(seed)
    x = np.column_stack([np.ones(20), rng.normal(size=(20, width))])
    y = rng.normal(size=20)
    whole = np.column_stack([x, y])
    factor = triangular_factor(whole[at : at + block] for at in range(0, 20, block))
    found = LeastSquares.of(factor[:, :-1], factor[:, -1], 20)
    coefficients, errors = plain(x, y)
    assert found.coefficients == pytest.approx(coefficients, abs=1e-9)
    value, error = found.estimates(np.eye(width + 1))
    assert value == pytest.approx(coefficients, abs=1e-9)
    assert error == pytest.approx(errors, rel=1e-9)
    assert found.free == 20 - width - 1


def test_a_coefficient_that_the_data_do_not_determine_is_not_invented() -> None:
    rng = np.random.default_rng(1)
    a, b, y = rng.normal(size=(3, 30))
    x = np.column_stack([np.ones(30), a, b, a + b, np.zeros(30)])
    factor = triangular_factor([np.column_stack([x, y])])
    found = LeastSquares.of(factor[:, :-1], factor[:, -1], 30)
    assert found.rank == 3
    values, errors = found.estimates(np.eye(5))
    assert np.isnan(values).tolist() == [False, True, True, True, True]
    assert np.isnan(errors).tolist() == [False, True, True, True, True]
    # The difference of the coefficients of a and b is determined, whatever the third is.
    apart, _ = found.estimates(np.array([[0.0, 1, -1, 0, 0]]))
    expected, _ = plain(x[:, :3], y)
    assert apart[0] == pytest.approx(expected[1] - expected[2])


def test_two_columns_by_hand() -> None:
    before = discreet.read({"x": [1, 2, 3, 4], "y": [1, 3, 2, 4]})
    after = discreet.read({"x": [1, 2, 3, 4], "y": [2, 3, 2, 3]})
    found = fit(before, after)
    # Sxx = 5, Sxy = 4 → 1, Syy = 5 → 1. Slopes of y on x: 0.8 → 0.2, of x on y: 0.8 → 1.
    regressions = found.detail["regressions"]
    assert regressions["y"]["coefficients"] == pytest.approx(0.75)
    assert regressions["x"]["coefficients"] == pytest.approx(0.25)
    assert found.value == pytest.approx(0.5)
    # Residual sums of squares of y on x: 5 − 16/5 = 1.8 → 1 − 1/5 = 0.8.
    assert regressions["y"]["standard errors"] == pytest.approx(1 - np.sqrt(0.8 / 1.8))
    assert regressions["y"]["R² before"] == pytest.approx(0.64)
    assert regressions["y"]["R² after"] == pytest.approx(0.2)


def test_slopes_do_not_depend_on_units() -> None:
    rng = np.random.default_rng(2)
    x, y, z = rng.normal(size=(3, 40))
    shifted = {"x": 1000 * x + 5, "y": y / 7 - 3, "z": z}
    noisy = {"x": x + rng.normal(size=40) / 9, "y": y, "z": z}
    one = fit(discreet.read({"x": x, "y": y, "z": z}), discreet.read(noisy))
    other = fit(discreet.read(shifted), discreet.read({**shifted, "x": 1000 * noisy["x"] + 5}))
    assert one.value == pytest.approx(other.value, rel=1e-8)


def test_a_category_is_compared_with_the_mean_of_the_records() -> None:
    data = discreet.read({"y": [1, 3, 5, 9, 2, 4], "town": ["a", "a", "b", "b", "a", "c"]})
    design = DesignMatrix.fit(data, ["y", "town"])
    [found] = column_regressions(data, design, ["y"])
    assert found.labels == ("town = a", "town = b", "town = c")
    # Means 2, 7, 4 about the overall mean 4, in deviations of y.
    expected = np.array([-2.0, 3.0, 0.0]) / np.std([1, 3, 5, 9, 2, 4])
    assert found.coefficients == pytest.approx(expected)


def test_regressions_use_the_records_that_have_the_response() -> None:
    rng = np.random.default_rng(3)
    x, y, z = rng.normal(size=(3, 30))
    gaps = np.where(np.arange(30) % 5 == 0, np.nan, y)
    data = discreet.read({"x": x, "y": gaps, "z": z})
    design = DesignMatrix.fit(data, ["x", "y", "z"])
    found = column_regressions(data, design, ["y"])[0]
    kept = ~np.isnan(gaps)
    expected, errors = plain(np.column_stack([np.ones(kept.sum()), x[kept], z[kept]]), y[kept])
    scale = np.array([x.std(), z.std()]) / y[kept].std()
    assert found.coefficients == pytest.approx(expected[1:] * scale)
    assert found.errors == pytest.approx(errors[1:] * scale)


def test_the_same_means_and_covariances_change_no_coefficient() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=(50, 3)) @ rng.normal(size=(3, 3)) + 5
    y = rng.normal(size=(50, 3))
    y -= y.mean(axis=0)
    y = y @ np.linalg.inv(np.linalg.cholesky(np.cov(y.T))).T
    y = y @ np.linalg.cholesky(np.cov(x.T)).T + x.mean(axis=0)
    before, after = (discreet.read(dict(zip("abc", v.T, strict=True))) for v in (x, y))
    found = fit(before, after)
    assert found.value == pytest.approx(0, abs=1e-9)
    assert found.detail["standard errors"] == pytest.approx(0, abs=1e-9)


def test_dependent_columns_are_left_out_and_counted() -> None:
    rng = np.random.default_rng(5)
    a, b, c = rng.normal(size=(3, 30))
    data = discreet.read({"a": a, "b": b, "sum": a + b, "c": c})
    found = fit(data, data)
    assert found.value == 0
    # Only the regression of c has coefficients that are not determined: those of a, b and sum.
    assert found.detail["left out"] >= 3
    assert "coefficients left out" in found.note


def test_what_cannot_be_measured_is_said() -> None:
    one = discreet.read({"x": [1, 2, 3]})
    with pytest.raises(NotApplicable, match="a continuous column and another one"):
        fit(one, one)
    few = discreet.read({"x": [1, 2], "y": [2, 1], "z": [3, 3]})
    with pytest.raises(NotApplicable, match="too few records"):
        fit(few, few)


def test_columns_with_many_categories_are_left_out() -> None:
    rng = np.random.default_rng(6)
    data = discreet.read(
        {"x": rng.normal(size=80), "y": rng.normal(size=80), "code": [f"c{i}" for i in range(80)]}
    )
    assert fit(data, data).detail["columns left out"] == ["code"]


def test_thyroid_loses_more_with_larger_groups(reference_data: Path) -> None:
    names = ["age", "TSH", "T3", "T4U", "FTI"]
    roles = dict.fromkeys(names, "quasi-identifier")
    data = discreet.read(reference_data / "thyroid_complete_1947.csv", roles=roles)
    data = data.drop([name for name in data.schema.names if name not in names])
    found = []
    for k in (3, 20):
        method = discreet.Microaggregation(discreet.partition.MDAV(k=k))
        release = discreet.protect(data, method, seed=1)
        found.append(fit(data, release.data))
    assert 0 < found[0].value < found[1].value
    assert 0 < found[0].detail["standard errors"] < found[1].detail["standard errors"] < 0.05


def test_one_thread_holds_libraries_that_are_loaded_later_too() -> None:
    # In a process of its own: here SciPy has long been loaded.
    code = """
        from threadpoolctl import threadpool_info
        from discreet.models.regression import one_thread
        def threads():
            return [library["num_threads"] for library in threadpool_info()]
        free = threads()
        with one_thread():
            assert set(threads()) == {1}, threads()
        assert threads() == free
        import scipy.linalg
        with one_thread():
            assert len(threads()) > len(free), "SciPy brings a library of its own"
            assert set(threads()) == {1}, threads()
        print("held")
    """
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "SciPy brings a library of its own" in done.stderr:
        pytest.skip("NumPy and SciPy share one library here")
    assert done.stdout == "held\n", done.stderr
