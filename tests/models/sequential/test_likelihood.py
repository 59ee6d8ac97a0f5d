"""Likelihoods and their gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from discreet.models.sequential import categorical
from discreet.models.sequential.categorical import Multinomial, Ordered
from discreet.models.sequential.count import Count

ROWS = 4000


def predictors(rows: int = ROWS, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((rows, 2))


@pytest.mark.parametrize("kind", [Multinomial, Ordered, Count])
def test_gradients_are_those_of_differences(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    caught: dict[str, Any] = {}

    def catch(objective: Any, start: np.ndarray, penalised: Any) -> np.ndarray:
        caught.update(objective=objective, start=start)
        return start

    monkeypatch.setattr(categorical, "maximise", catch)
    monkeypatch.setattr("discreet.models.sequential.count.maximise", catch)
    x = predictors(40)
    y = np.random.default_rng(6).integers(0, 4, 40)
    generator = np.random.default_rng(7)
    if kind is Count:
        Count.drawn(x, y.astype(float), generator)
    else:
        kind.drawn(x, y, 4, generator)
    at = caught["start"] + np.random.default_rng(8).normal(0, 0.2, len(caught["start"]))

    def value(beta: np.ndarray) -> float:
        return float(caught["objective"](beta)[0])

    expected = approx_fprime(at, value, 1e-6)
    assert caught["objective"](at)[1] == pytest.approx(expected, rel=1e-3, abs=1e-3)
