"""Third and fourth moments against loops over records."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build, find
from discreet.errors import NotApplicable

LAW = settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
MOMENTS: Any = build("measure", "higher-moments")


def score(before: Any, after: Any) -> Any:
    return MOMENTS.score(discreet.read(before), discreet.read(after), Context())


def slow(table: np.ndarray, centre: np.ndarray, spread: np.ndarray, order: int) -> list[float]:
    found = []
    for columns in combinations_with_replacement(range(table.shape[1]), order):
        products = [
            math.prod((row[c] - centre[c]) / spread[c] for c in columns)
            for row in table.tolist()
            if not any(math.isnan(row[c]) for c in columns)
        ]
        found.append(sum(products) / len(products) if products else math.nan)
    return found


def test_one_column_by_hand() -> None:
    # Mean 1, deviation √3: third moment (−1 −1 −1 + 27)/4/√27, fourth (3 + 81)/4/9.
    found = score({"x": [0, 0, 0, 4]}, {"x": [0, 0, 2, 2]})
    assert found.detail["order 3"]["relative"] == pytest.approx(1.0)  # it became 0
    assert found.detail["order 3"]["absolute"] == pytest.approx(6 / math.sqrt(27))
    assert found.detail["order 4"]["relative"] == pytest.approx((21 / 9 - 1 / 9) / (21 / 9))
    assert found.value == pytest.approx((1 + 20 / 21) / 2)


numbers = st.one_of(st.integers(-9, 9).map(float), st.just(math.nan))


@LAW
@given(
    hnp.arrays(np.float64, (7, 3), elements=numbers),
    hnp.arrays(np.float64, (5, 3), elements=numbers),
)
def test_the_slow_twin_agrees(before: np.ndarray, after: np.ndarray) -> None:
    present = [column[~np.isnan(column)] for column in before.T]
    if any(len(set(column.tolist())) < 2 for column in present):
        return
    centre = np.array([column.mean() for column in present])
    spread = np.array([column.std() for column in present])
    names = ["x", "y", "z"]
    found = MOMENTS.score(
        discreet.read(dict(zip(names, before.T.copy(), strict=True))),
        discreet.read(dict(zip(names, after.T.copy(), strict=True)),
                      kinds=dict.fromkeys(names, "continuous")),
        Context(),
    )  # fmt: skip
    for order in (3, 4):
        old = np.array(slow(before, centre, spread, order))
        new = np.array(slow(after, centre, spread, order))
        used = ~np.isnan(old) & ~np.isnan(new) & (np.abs(old) > 1e-9)
        part = found.detail[f"order {order}"]
        if not used.any():
            continue
        if part["moments"] == used.sum():
            changes = np.abs(new[used] - old[used])
            assert part["absolute"] == pytest.approx(changes.mean())
            assert part["relative"] == pytest.approx((changes / np.abs(old[used])).mean())


def test_every_moment_counts_once() -> None:
    rng = np.random.default_rng(1)
    data = dict(zip("abcd", rng.exponential(size=(4, 30)), strict=True))
    found = score(data, data)
    assert found.value == 0
    assert found.detail["order 3"]["moments"] == 20
    assert found.detail["order 4"]["moments"] == 35


def test_large_files_go_through_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    before = dict(zip("ab", rng.exponential(size=(2, 100)), strict=True))
    after = dict(zip("ab", rng.exponential(size=(2, 70)), strict=True))
    whole = score(before, after).value
    monkeypatch.setattr("discreet.measures.utility.higher_moments.BLOCK", 9)
    assert score(before, after).value == pytest.approx(whole)


def test_zero_moments_are_left_out() -> None:
    found = score({"x": [-1, 1, -1, 1]}, {"x": [-1, 1, 1, 1]})
    assert found.detail["order 3"] == {"moments": 0, "left out": 1}
    assert found.note == "1 moments left out: zero or missing"


def test_too_many_columns_are_refused_with_the_way_out() -> None:
    rng = np.random.default_rng(3)
    wide = discreet.read({f"c{i}": rng.normal(size=5) for i in range(41)})
    with pytest.raises(NotApplicable, match="'columns'"):
        MOMENTS.score(wide, wide, Context())
    few: Any = find("measure", "higher-moments")(columns=("c0", "c1"))
    assert few.score(wide, wide, Context()).detail["columns"] == ["c0", "c1"]


def test_a_lost_column_has_lost_its_moments() -> None:
    rng = np.random.default_rng(3)
    data = dict(zip("ab", rng.exponential(size=(2, 300)), strict=True))
    gone = score(data, {"a": data["a"]})
    # Of the 4 third and 5 fourth moments one each is of "a" alone.
    assert gone.value == pytest.approx((3 / 4 + 4 / 5) / 2)
    assert "says nothing about b" in gone.note
    assert score(data, {n: np.full(300, v.mean()) for n, v in data.items()}).value == pytest.approx(
        1
    )


def test_words_have_no_moments() -> None:
    with pytest.raises(NotApplicable, match="no column is continuous"):
        score({"x": ["a", "b"]}, {"x": ["a", "b"]})
