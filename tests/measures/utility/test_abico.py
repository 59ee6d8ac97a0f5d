"""Average bias in correlations."""

from __future__ import annotations

from typing import Any

import pytest

import discreet
from discreet import Microdata
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import NotApplicable

ABICO: Any = build("measure", "abico")


def table(**columns: Any) -> Microdata:
    return discreet.read(columns, roles=dict.fromkeys(columns, "quasi-identifier"))


def score(measure: Any, before: Microdata, after: Microdata) -> Any:
    return measure.score(before, after, Context())


def test_correlations_by_hand() -> None:
    # r(x, y) 1 → 0.5, r(x, z) −1 → −1, r(y, z) −1 → −0.5.
    before = table(x=[1, 2, 3], y=[1, 2, 3], z=[3, 2, 1])
    after = table(x=[1, 2, 3], y=[1, 3, 2], z=[3, 2, 1])
    found = score(ABICO, before, after)
    assert found.detail["bias"] == pytest.approx({"x × y": 0.5, "x × z": 0.0, "y × z": 0.5})
    assert found.value == pytest.approx(1 / 3)


def test_a_correlation_of_zero_is_left_out() -> None:
    before = table(x=[1, 2, 3, 4], y=[1, -1, -1, 1], z=[1, 2, 3, 4])
    found = score(ABICO, before, before)
    assert found.detail["left out"] == ["x × y", "y × z"]


def test_one_column_has_no_correlation() -> None:
    data = table(x=[1, 2, 3])
    with pytest.raises(NotApplicable, match="needs 2 continuous quasi-identifiers, but there is 1"):
        score(ABICO, data, data)
