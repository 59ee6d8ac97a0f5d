"""k-anonymity of a release, counted by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import NotApplicable

LAW = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
K: Any = build("measure", "k-anonymity")
QI = "quasi-identifier"


def test_a_small_table_by_hand() -> None:
    data = discreet.read(
        {
            "age": [30, 30, 30, 41, 41, None],
            "sex": ["f", "f", "m", "m", "m", "m"],
            "ill": list("abcdef"),
        },
        roles={"age": QI, "sex": QI, "ill": "confidential"},
    )
    score = K.score(data, data, Context())
    assert score.value == 1.0
    assert score.per_record.tolist() == [2, 2, 1, 2, 2, 1]
    assert score.detail["share of records alone"] == pytest.approx(2 / 6)
    assert score.detail["classes"] == 4
    assert score.detail["mean class size"] == pytest.approx(10 / 6)


@LAW
@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from("ab")), min_size=1, max_size=30))
def test_the_least_class_of_a_counter(rows: list[tuple[int, str]]) -> None:
    columns = {"x": [a for a, _ in rows], "t": [b for _, b in rows]}
    data = discreet.read(columns, roles={"x": QI, "t": QI})
    counts = Counter(rows)
    score = K.score(data, data, Context())
    assert score.value == min(counts.values())
    assert score.detail["classes"] == len(counts)


def test_only_released_quasi_identifiers_count() -> None:
    data = discreet.read({"x": [1, 2], "y": [1, 1]}, roles={"x": QI, "y": QI})
    assert K.score(data, data, Context()).value == 1
    assert K.score(data, data.drop(["x"]), Context()).value == 2


def test_without_quasi_identifiers_or_records_it_does_not_apply() -> None:
    data = discreet.read({"x": [1, 2]}, roles={"x": QI})
    with pytest.raises(NotApplicable, match="no released column"):
        K.score(data, discreet.read({"x": [1, 2]}), Context())
    with pytest.raises(NotApplicable, match="no records"):
        K.score(data, data.take(np.zeros(0, dtype=np.int64)), Context())
