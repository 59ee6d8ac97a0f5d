"""Sample uniques, counted by hand and by a counter."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import NotApplicable

UNIQUES: Any = build("measure", "sample-uniqueness")
QI = "quasi-identifier"


def test_a_small_table_by_hand() -> None:
    data = discreet.read(
        {"age": [30, 30, 41, None, None], "sex": ["f", "f", "m", "m", "f"]},
        roles={"age": QI, "sex": QI},
    )
    score = UNIQUES.score(data, data, Context())
    assert score.per_record.tolist() == [0, 0, 1, 1, 1]
    assert score.value == pytest.approx(0.6)
    assert score.detail == {"uniques": 3, "share in pairs": pytest.approx(0.4)}


@settings(max_examples=50, deadline=None, derandomize=True, database=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from("abc")), min_size=1, max_size=30))
def test_the_singles_of_a_counter(rows: list[tuple[int, str]]) -> None:
    data = discreet.read(
        {"x": [a for a, _ in rows], "t": [b for _, b in rows]}, roles={"x": QI, "t": QI}
    )
    counts = Counter(rows)
    expected = [float(counts[row] == 1) for row in rows]
    assert UNIQUES.score(data, data, Context()).per_record.tolist() == expected


def test_without_quasi_identifiers_it_does_not_apply() -> None:
    data = discreet.read({"x": [1, 2]})
    with pytest.raises(NotApplicable, match="quasi-identifier"):
        UNIQUES.score(data, data, Context())
