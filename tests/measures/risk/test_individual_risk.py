"""Individual risk: the published example to eight digits, and the series it is the sum of."""

from __future__ import annotations

from typing import Any

import pytest

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import NotApplicable

RISK: Any = build("measure", "individual-risk")
QI = "quasi-identifier"


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
