"""Marketer risk: the mean over the records, the same as a sum over the classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build

QI = "quasi-identifier"
MARKETER: Any = build("measure", "marketer-risk")


def test_the_sum_over_classes() -> None:
    draw = np.random.default_rng(2)
    everybody = draw.integers(0, 30, 500)
    sample = everybody[draw.permutation(500)[:60]]
    data = discreet.read({"age": sample}, roles={"age": QI})
    score = MARKETER.from_population({"age": everybody}).score(data, data, Context())
    expected = sum((sample == j).sum() / (everybody == j).sum() for j in set(sample.tolist()))
    assert score.value == pytest.approx(expected / 60)
    assert score.detail["expected re-identifications"] == pytest.approx(expected)


def test_with_weights_it_is_the_individual_risk() -> None:
    data = discreet.read({"age": [30, 30, 41], "w": [60, 50, 8]}, roles={"age": QI, "w": "weight"})
    individual: Any = build("measure", "individual-risk")
    expected = individual.score(data, data, Context()).value
    assert MARKETER.score(data, data, Context()).value == pytest.approx(expected)
