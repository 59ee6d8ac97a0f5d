"""Average bias in means."""

from __future__ import annotations

from typing import Any

import pytest

import discreet
from discreet import Microdata
from discreet.contracts import Context
from discreet.contracts.registry import build

ABIM: Any = build("measure", "abim")


def table(**columns: Any) -> Microdata:
    return discreet.read(columns, roles=dict.fromkeys(columns, "quasi-identifier"))


def score(measure: Any, before: Microdata, after: Microdata) -> Any:
    return measure.score(before, after, Context())


def test_means_by_hand() -> None:
    before = table(x=[10, 20, 30], y=[-4, -4, -4])
    after = table(x=[10, 20, 36], y=[-4, -4, -1])
    found = score(ABIM, before, after)
    # 20 became 22: a tenth; −4 became −3: a quarter.
    assert found.detail["bias"] == pytest.approx({"x": 0.1, "y": 0.25})
    assert found.value == pytest.approx(0.175)
    assert found.detail["left out"] == []
    assert found.note == ""
