"""Average bias in standard deviations."""

from __future__ import annotations

from typing import Any

import pytest

import discreet
from discreet import Microdata
from discreet.contracts import Context
from discreet.contracts.registry import build

ABISD: Any = build("measure", "abisd")


def table(**columns: Any) -> Microdata:
    return discreet.read(columns, roles=dict.fromkeys(columns, "quasi-identifier"))


def score(measure: Any, before: Microdata, after: Microdata) -> Any:
    return measure.score(before, after, Context())


def test_deviations_by_hand() -> None:
    # Sums of squares about the mean: 2 and 8; the deviation doubles. 8 and 8: it stays.
    before = table(x=[1, 2, 3], y=[0, 2, 4])
    after = table(x=[0, 2, 4], y=[4, 2, 0])
    found = score(ABISD, before, after)
    assert found.detail["bias"] == pytest.approx({"x": 1.0, "y": 0.0})
    assert found.value == pytest.approx(0.5)
