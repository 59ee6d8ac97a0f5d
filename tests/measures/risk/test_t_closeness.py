"""t-closeness against the worked example of its authors and an obvious twin."""

from __future__ import annotations

import itertools
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.errors import NotApplicable

LAW = settings(
    max_examples=80,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
QI = "quasi-identifier"
T: Any = build("measure", "t-closeness")


def test_the_example_of_li_li_and_venkatasubramanian() -> None:
    # Salaries of 3 to 11 thousand, in three classes: 0.375 and 0.167 in the paper.
    data = discreet.read(
        {"zip": [1, 1, 1, 2, 2, 2, 3, 3, 3], "pay": [3, 4, 5, 6, 11, 8, 7, 9, 10]},
        roles={"zip": QI, "pay": "confidential"},
    )
    score = T.score(data, data, Context())
    assert score.value == 0.375
    assert score.per_record[3] == pytest.approx(1 / 6)
    assert score.detail["classes"] == 3


def test_nominal_shares_by_hand() -> None:
    data = discreet.read(
        {"age": [1, 1, 2, 2], "ill": ["a", "b", "a", "c"]},
        roles={"age": QI, "ill": "confidential"},
    )
    # ½ ½ 0 against ½ ¼ ¼ is ¼, and so is ½ 0 ½.
    assert T.score(data, data, Context()).per_record.tolist() == [0.25] * 4


def test_a_class_that_is_the_whole_is_at_distance_nothing() -> None:
    data = discreet.read(
        {"age": [1, 1, 1], "ill": ["a", "b", None], "pay": [1.5, None, 2.5]},
        roles={"age": QI, "ill": "confidential", "pay": "confidential"},
    )
    assert T.score(data, data, Context()).value == 0


def _distance(here: np.ndarray, whole: np.ndarray, ordered: bool) -> float:
    """The definition, on counts whose last place is "missing"."""
    p, q = here / here.sum(), whole / whole.sum()
    if not ordered:
        return float(np.abs(p - q).sum() / 2)
    missing = abs(p[-1] - q[-1])
    if len(p) < 3 or not here[:-1].sum() or not whole[:-1].sum():
        return float(missing)
    gap = np.cumsum(here[:-1] / here[:-1].sum() - whole[:-1] / whole[:-1].sum())
    order = np.abs(gap).sum() / (len(p) - 2)
    return float(missing + min(1 - p[-1], 1 - q[-1]) * order)


@LAW
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.one_of(st.none(), st.integers(0, 6))),
        min_size=1,
        max_size=40,
    ),
    st.sampled_from(["nominal", "ordinal", "continuous"]),
)
def test_the_twin_agrees(rows: list[tuple[int, int | None]], kind: str) -> None:
    # A reader of the release sees the categories that occur, whatever others were declared.
    levels = sorted({v for _, v in rows if v is not None})
    values: Any = [v for _, v in rows]
    if kind == "continuous":
        values = np.array([np.nan if v is None else v**3 for v in values], dtype=float)
    scale: Any = [str(level) for level in range(7)] if kind == "ordinal" else kind
    if kind != "continuous":
        values = [None if v is None else str(v) for v in values]
    data = discreet.read(
        {"age": [a for a, _ in rows], "y": values},
        roles={"age": QI, "y": "confidential"},
        kinds={"y": scale},
    )
    place = {level: i for i, level in enumerate(levels)}
    counts: dict[int, np.ndarray] = {}
    for age, value in rows:
        found = counts.setdefault(age, np.zeros(len(levels) + 1))
        found[-1 if value is None else place[value]] += 1
    whole = sum(counts.values(), np.zeros(len(levels) + 1))
    expected = {age: _distance(c, whole, kind != "nominal") for age, c in counts.items()}
    score = T.score(data, data, Context())
    assert score.per_record == pytest.approx([expected[age] for age, _ in rows], abs=1e-12)
    assert 0 <= score.value <= 1


@pytest.mark.parametrize("kind", ["nominal", "continuous"])
def test_no_plan_of_moving_earth_is_cheaper(kind: str) -> None:
    rng = np.random.default_rng(8)
    age, value = rng.integers(0, 4, 60), rng.integers(0, 5, 60)
    data = discreet.read(
        {"age": age.astype(float), "y": value.astype(float) if kind == "continuous" else value},
        roles={"age": QI, "y": "confidential"},
        kinds={"y": kind},
    )
    q = np.bincount(value, minlength=5) / 60
    step = np.abs(np.subtract.outer(np.arange(5), np.arange(5)))
    cost = step / 4 if kind == "continuous" else (step > 0).astype(float)
    least = []
    for one in range(4):
        p = np.bincount(value[age == one], minlength=5) / (age == one).sum()
        sums = np.zeros((10, 25))
        for i, j in itertools.product(range(5), range(5)):
            sums[i, 5 * i + j] = sums[5 + j, 5 * i + j] = 1
        least.append(linprog(cost.ravel(), A_eq=sums, b_eq=np.concatenate([p, q])).fun)
    score = T.score(data, data, Context())
    assert score.per_record == pytest.approx([least[a] for a in age])


def test_missing_values_are_a_whole_step_away() -> None:
    data = discreet.read(
        {"age": [1, 1, 2, 2], "pay": [1.0, 2.0, None, None]},
        roles={"age": QI, "pay": "confidential"},
    )
    assert T.score(data, data, Context()).per_record.tolist() == [0.5] * 4


def test_a_bound_is_met_exactly() -> None:
    # 1/10 and 3/10 apart: sums of shares would end a hair above or below.
    data = discreet.read(
        {"age": [1] * 5 + [2] * 5, "ill": ["a", "a", "a", "b", "c", "a", "b", "b", "c", "c"]},
        roles={"age": QI, "ill": "confidential"},
    )
    assert T.score(data, data, Context()).value == 0.2


def test_a_partition_that_keeps_to_t_is_measured_to_keep_it() -> None:
    rng = np.random.default_rng(5)
    data = discreet.read(
        {"age": rng.normal(size=120), "ill": rng.choice(list("abc"), 120).tolist()},
        roles={"age": QI, "ill": "confidential"},
    )
    partition = build("partition", {"t-closeness-mst": {"k": 3, "t": 0.15}})
    release = discreet.protect(
        data, discreet.Microaggregation(partition), seed=1, claims={"t-closeness": 0.15}
    )
    assert release.groups is not None
    assert release.groups.count > 1


def test_thirty_thousand_different_numbers_take_no_time() -> None:
    rng = np.random.default_rng(2)
    data = discreet.read(
        {"age": rng.integers(0, 500, 30_000).astype(float), "pay": rng.normal(size=30_000)},
        roles={"age": QI, "pay": "confidential"},
    )
    started = time.perf_counter()
    assert 0 < T.score(data, data, Context()).value < 1
    assert time.perf_counter() - started < 2


def test_where_it_does_not_apply() -> None:
    data = discreet.read({"age": [1, 2]}, roles={"age": QI})
    with pytest.raises(NotApplicable, match="confidential"):
        T.score(data, data, Context())
