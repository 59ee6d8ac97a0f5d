"""Individual risk: the published example to eight digits, and the series it is the sum of."""

from __future__ import annotations

from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import NotApplicable
from discreet.measures.uniqueness import cells, individual_risks

RISK: Any = build("measure", "individual-risk")
QI = "quasi-identifier"
LAW = settings(max_examples=60, deadline=None, derandomize=True, database=None)


def slow_risk(f: int, p: float) -> float:
    """E(1/F) for the negative binomial F: chance C(F − 1, f − 1) pᶠ (1 − p)^(F − f)."""
    total, size, term = 0.0, f, p**f
    while size < 100_000 and (term > 1e-18 or size < 3 * f / p):
        total += term / size
        term *= (1 - p) * size / (size - f + 1)
        size += 1
    return total


def test_the_example_of_franconi(reference_data: Path) -> None:
    keys = ["Key1", "Key2", "Key3", "Key4"]
    data = discreet.read(
        reference_data / "sdcmicro_francdat.csv",
        roles={**dict.fromkeys(keys, QI), "w": "weight"},
        kinds=dict.fromkeys(keys, "nominal"),
    )
    found = cells(data)
    assert found.sizes.tolist() == [2, 2, 2, 1, 1, 1, 1, 2]
    assert found.population is not None
    assert found.population.tolist() == [110, 84.5, 84.5, 17, 541, 8, 5, 110]
    score = RISK.score(data, data, Context())
    expected = [0.017144262, 0.022042326, 0.022042326, 0.177075834]
    expected += [0.011654480, 0.297063077, 0.402359478, 0.017144262]
    assert score.per_record.tolist() == pytest.approx(expected, abs=6e-10)
    assert score.value == pytest.approx(sum(expected) / 8, abs=1e-9)
    assert score.detail["expected re-identifications"] == pytest.approx(sum(expected), abs=1e-8)


@LAW
@given(st.integers(1, 40), st.floats(0.02, 1.0))
def test_the_risk_is_the_mean_of_one_over_the_population(f: int, p: float) -> None:
    risk = individual_risks(np.array([f]), np.array([f / p]))[0]
    assert risk == pytest.approx(slow_risk(f, p), rel=1e-9)
    assert p / f <= risk * (1 + 1e-9)
    assert risk <= 1 / f + 1e-12


def test_the_closed_forms_for_one_and_two() -> None:
    for p in (0.001, 0.05, 0.5, 0.9, 0.999):
        q = 1 - p
        one, two = individual_risks(np.array([1, 2]), np.array([1, 2]) / p)
        assert one == pytest.approx(-p / q * log(p), rel=1e-9)
        assert two == pytest.approx(p / q + (p / q) ** 2 * log(p), rel=1e-6)


@pytest.mark.parametrize("p", [1e-7, 1e-3, 0.2, 0.499999, 0.5, 0.98])
def test_the_risk_is_the_integral(p: float) -> None:
    from scipy.integrate import quad

    for f in (1, 2, 3, 8, 19, 20, 21, 60, 1000):
        places = [p / 10, p, min(10 * p, 0.999), 1 - 1 / f]
        integral, _ = quad(
            lambda v, f=f: v ** (f - 1) / (p + (1 - p) * v),
            0,
            1,
            epsabs=0,
            epsrel=1e-11,
            limit=400,
            points=places,
        )
        assert individual_risks(np.array([f]), np.array([f / p]))[0] == pytest.approx(
            p * integral, rel=1e-9
        )


def test_large_cells_and_weights_below_one() -> None:
    risks = individual_risks(np.array([100_000, 5, 3]), np.array([1e7, 5.0, 2.0]))
    assert risks[0] == pytest.approx(1e-7, rel=1e-4)  # p / f, but for a little
    assert risks[1:].tolist() == pytest.approx([1 / 5, 1 / 3])


def test_without_weights_the_file_is_the_population() -> None:
    data = discreet.read({"age": [30, 30, 41]}, roles={"age": QI})
    score = RISK.score(data, data, Context())
    assert score.per_record.tolist() == [0.5, 0.5, 1.0]
    assert score.value == pytest.approx(2 / 3)
    assert "no sampling weights" in score.note


def test_weights_that_are_none() -> None:
    roles = {"age": QI, "w": "weight"}
    for values, reason in (([1.0, 0.0], "not above zero"), (["a", "b"], "not hold numbers")):
        data = discreet.read({"age": [1, 2], "w": values}, roles=roles)
        with pytest.raises(NotApplicable, match=reason):
            RISK.score(data, data, Context())
