"""Records for each combination of quasi-identifiers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import NotApplicable

MEASURE: Any = build("measure", "average-group-size")


def test_records_by_groups() -> None:
    data = discreet.read(
        {"a": [1, 1, 2, 2, 2, None, None], "b": ["x", "x", "x", "x", "y", "x", "x"]},
        roles={"a": "quasi-identifier", "b": "quasi-identifier"},
    )
    found = MEASURE.score(data, data, Context())
    assert found.value == 7 / 4
    assert found.detail == {"groups": 4, "least": 1, "largest": 2}
    assert found.per_record.tolist() == [2, 2, 2, 2, 1, 2, 2]


def test_where_it_does_not_apply() -> None:
    with pytest.raises(NotApplicable, match="quasi-identifier"):
        MEASURE.score(*[discreet.read({"a": [1]})] * 2, Context())
    empty = discreet.read({"a": [1]}, roles={"a": "quasi-identifier"}).take(np.zeros(0, int))
    with pytest.raises(NotApplicable, match="no records"):
        MEASURE.score(empty, empty, Context())
