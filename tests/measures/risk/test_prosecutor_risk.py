"""Prosecutor risk: one over the size of the class."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build


@pytest.mark.parametrize(("summary", "value"), [("highest", 0.5), ("average", 0.4), ("above", 0.4)])
def test_five_records_in_two_classes(summary: str, value: float) -> None:
    data = discreet.read({"sex": list("ffmmm")}, roles={"sex": "quasi-identifier"})
    recipe = {"prosecutor-risk": {"summary": summary, "threshold": 0.4}}
    measure: Any = build("measure", recipe)
    score = measure.score(data, data, Context())
    assert score.value == pytest.approx(value)
    assert score.per_record.tolist() == pytest.approx([1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3])


@pytest.mark.parametrize("seed", range(3))
def test_beside_counting(seed: int) -> None:
    draw = np.random.default_rng(seed)
    ages, sexes = (
        draw.integers(0, 6, 40).tolist(),
        [["f", "m", None][i] for i in draw.integers(0, 3, 40)],
    )
    rows = list(zip(ages, sexes, strict=True))
    roles = {"age": "quasi-identifier", "sex": "quasi-identifier"}
    data = discreet.read({"age": ages, "sex": sexes}, roles=roles)
    chances = [1 / Counter(rows)[row] for row in rows]
    for summary, expected in (
        ("highest", max(chances)),
        ("average", len(set(rows)) / 40),
        ("above", sum(c > 0.3 for c in chances) / 40),
    ):
        recipe = {"prosecutor-risk": {"summary": summary, "threshold": 0.3}}
        measure: Any = build("measure", recipe)
        assert measure.score(data, data, Context()).value == pytest.approx(expected)
