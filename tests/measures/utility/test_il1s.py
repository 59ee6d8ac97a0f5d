"""IL1s by hand and beside its formula."""

from __future__ import annotations

from math import sqrt
from statistics import mean, stdev

import numpy as np
import pytest

import discreet
from tests.measures.utility.recoded_files import score

ROLES = {"a": "quasi-identifier", "b": "quasi-identifier"}


@pytest.mark.parametrize("seed", range(3))
def test_beside_the_formula(seed: int) -> None:
    draw = np.random.default_rng(seed)
    x = draw.normal(50, 9, (40, 2))
    y = x + draw.normal(0, 2, (40, 2))
    original, released = (
        discreet.read({"a": v[:, 0].tolist(), "b": v[:, 1].tolist()}, roles=ROLES) for v in (x, y)
    )
    terms = [
        abs(x[i, j] - y[i, j]) / (sqrt(2) * stdev(x[:, j])) for i in range(40) for j in range(2)
    ]
    found = score("il1s", original, released)
    assert found.value == pytest.approx(mean(terms))
    lost = [
        abs(x[i, j] - mean(x[:, j])) / (sqrt(2) * stdev(x[:, j]))
        for i in range(40)
        for j in range(2)
    ]
    assert found.at_loss == pytest.approx(mean(lost))
    assert score("il1s", original, original.drop(["a", "b"])).value == pytest.approx(mean(lost))


def test_gaps_are_left_out_and_suppressed_values_are_at_the_mean() -> None:
    original = discreet.read({"a": [1, 2, 3, None], "b": [7, 7, 7, 7]}, roles=ROLES)
    released = discreet.read({"a": [1, 2, None, 5], "b": [7, 7, 7, 8]}, roles=ROLES)
    found = score("il1s", original, released)
    assert found.value == pytest.approx((3 - 2) / sqrt(2) / 3)
    assert "left out as constant or missing: b" in found.note
