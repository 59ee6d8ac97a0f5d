"""Prosecutor risk: one over the size of the class."""

from __future__ import annotations

from typing import Any

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
