"""Distances between two-way tables, by hand and against counting."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import NotApplicable

PAIRS: Any = build("measure", "pairs")
MARGINALS: Any = build("measure", "marginals")


def score(before: Any, after: Any, measure: Any = PAIRS) -> Any:
    return measure.score(discreet.read(before), discreet.read(after), Context())


def test_the_same_marginals_with_another_joint_distribution() -> None:
    before = {"a": ["x", "x", "y", "y"], "b": ["p", "p", "q", "q"]}
    after = {"a": ["x", "x", "y", "y"], "b": ["p", "q", "p", "q"]}
    assert score(before, after, MARGINALS).value == 0
    assert score(before, after).value == 0.5


rows = st.lists(st.tuples(*[st.sampled_from(["a", "b", "c", None])] * 3), min_size=2, max_size=15)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(rows, rows)
def test_the_slow_twin_agrees(before: list[Any], after: list[Any]) -> None:
    names = ["x", "y", "z"]
    # Every category and a missing value occur in the original, and some value in each column of the
    # release.
    before = [*before, ("a",) * 3, ("b",) * 3, ("c",) * 3, (None,) * 3]
    after = [*after, ("a",) * 3]
    tables = [
        dict(zip(names, (list(c) for c in zip(*t, strict=True)), strict=True))
        for t in (before, after)
    ]
    found = score(*tables)
    for i, j in combinations(range(3), 2):
        counts = [Counter((row[i], row[j]) for row in table) for table in (before, after)]
        expected = sum(
            abs(counts[0][cell] / len(before) - counts[1][cell] / len(after))
            for cell in counts[0] | counts[1]
        )
        value = found.detail["total-variation"][f"{names[i]} × {names[j]}"]
        assert value == pytest.approx(expected / 2)


def test_a_pair_is_never_nearer_than_its_columns() -> None:
    rng = np.random.default_rng(1)
    before, after = ({n: rng.normal(size=200) for n in "ab"} for _ in range(2))
    single = score(before, after, MARGINALS).detail["total-variation"]
    assert score(before, after).value >= max(single.values())


def test_a_lost_column_takes_its_pairs_along() -> None:
    data = {"a": ["x", "y"] * 20, "b": ["p", "q"] * 20, "c": list(range(40))}
    found = score(data, {**data, "b": ["*"] * 40})
    assert found.parts == pytest.approx({("a", "b"): 1, ("a", "c"): 0, ("b", "c"): 1})


def test_one_column_has_no_pair() -> None:
    with pytest.raises(NotApplicable, match="two columns"):
        score({"a": ["x", "y"]}, {"a": ["x", "y"]})
