"""SUDA scores against an enumeration of every subset of attributes of every record."""

from __future__ import annotations

import time
from itertools import combinations
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build

LAW = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
QI = "quasi-identifier"
Record = tuple[int | None, ...]


def suda(most: int = 3, fraction: float = 0.01) -> Any:
    return build("measure", {"special-uniques": {"most": most, "fraction": fraction}})


def test_unless_told_otherwise_all_sets_are_looked_at() -> None:
    rng = np.random.default_rng(2)
    rows = [tuple(row) for row in rng.integers(0, 3, (40, 5)).tolist()]
    data = table(rows)
    score = build("measure", "special-uniques").score(data, data, Context())  # type: ignore[attr-defined]
    assert score.detail["scores"].tolist() == slow_scores(rows, 5)
    assert set(score.detail["minimal uniques"]) == {1, 2, 3, 4, 5}
    assert score.note == ""
    wide = table([tuple(row) for row in rng.integers(0, 3, (40, 13)).tolist()])
    score = build("measure", "special-uniques").score(wide, wide, Context())  # type: ignore[attr-defined]
    assert max(score.detail["minimal uniques"]) == 6
    assert score.note == "sets of up to 6 attributes"


def table(rows: list[Record]) -> discreet.Microdata:
    columns = {f"x{c}": [row[c] for row in rows] for c in range(len(rows[0]))}
    return discreet.read(
        columns, roles=dict.fromkeys(columns, QI), kinds=dict.fromkeys(columns, "nominal")
    )


def slow_minimal_uniques(rows: list[Record], most: int) -> list[list[tuple[int, ...]]]:
    """Of every record every set of attributes that tells it from all, and no part of which does."""

    def alone(row: Record, columns: tuple[int, ...]) -> bool:
        if any(row[c] is None for c in columns):
            return False
        return sum(all(other[c] == row[c] for c in columns) for other in rows) == 1

    attributes = range(len(rows[0]))
    found = []
    for row in rows:
        sets = [
            columns
            for size in range(1, most + 1)
            for columns in combinations(attributes, size)
            if alone(row, columns)
            and not any(
                alone(row, part)
                for smaller in range(1, size)
                for part in combinations(columns, smaller)
            )
        ]
        found.append(sets)
    return found


def slow_scores(rows: list[Record], most: int) -> list[float]:
    attributes = len(rows[0])
    last = min(most, attributes - 1)
    return [
        float(sum(prod(attributes - i for i in range(len(msu), last + 1)) for msu in sets))
        for sets in slow_minimal_uniques(rows, min(most, attributes))
    ]


def test_the_example_of_sdcmicro() -> None:
    # Its own test: contributions of 50, 37.5 and 37.5 percent.
    score = suda().score(*[table([(2, 0, 0), (1, 3, 6), (1, 0, 0)])] * 2, Context())
    assert score.detail["scores"].tolist() == [2, 4, 2]
    assert score.detail["contribution"] == {"x0": 0.5, "x1": 0.375, "x2": 0.375}
    assert score.detail["minimal uniques"] == {1: 3, 2: 2, 3: 0}
    # No two records are alike, so every match with one of them is right.
    assert score.value == 1.0


def test_dis_suda_by_hand() -> None:
    # Two uniques and a pair; f = 0.1: P (1 − f) / f = 18. One attribute: score 1, Q = 1.35, R = 2.
    score = suda(fraction=0.1).score(*[table([(1,), (2,), (3,), (3,)])] * 2, Context())
    assert score.per_record.tolist() == pytest.approx([1 / (1 + 18 / 2)] * 2 + [0, 0])
    assert score.value == pytest.approx(0.05)
    assert score.detail["share with a minimal unique"] == 0.5


def test_a_higher_score_is_a_higher_risk() -> None:
    rows: list[Record] = [(1, 1, 1), (2, 2, 2), (2, 2, 1), (2, 1, 2), (2, 2, 1), (2, 1, 2)]
    score = suda().score(*[table(rows)] * 2, Context())
    scores, dis = score.detail["scores"], score.per_record
    assert scores[0] > scores[1] > scores[2] == 0
    assert dis[0] > dis[1] > dis[2] == 0


value = st.integers(0, 2) | st.none()


@LAW
@given(
    st.integers(1, 4).flatmap(lambda p: st.lists(st.tuples(*[value] * p), min_size=1, max_size=14)),
    st.integers(1, 4),
)
def test_the_scores_are_those_of_the_enumeration(rows: list[Record], most: int) -> None:
    score = suda(most).score(*[table(rows)] * 2, Context())
    assert score.detail["scores"].tolist() == slow_scores(rows, most)
    sets = slow_minimal_uniques(rows, min(most, len(rows[0])))
    assert sum(score.detail["minimal uniques"].values()) == sum(map(len, sets))
    assert 0 <= score.value <= 1


def test_a_large_table_of_combinations_is_sorted_and_not_counted() -> None:
    rng = np.random.default_rng(2)
    rows = [tuple(row) for row in rng.integers(0, 12, (60, 3)).tolist()]
    score = suda().score(*[table(rows)] * 2, Context())
    assert score.detail["scores"].tolist() == slow_scores(rows, 3)


def test_the_household_survey_in_seconds(data_files: Path) -> None:
    keys = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]
    data = discreet.read(
        data_files / "sdcmicro_testdata.csv",
        roles=dict.fromkeys(keys, QI),
        kinds=dict.fromkeys(keys, "nominal"),
    )
    started = time.process_time()
    score = suda(most=7).score(data, data, Context())
    assert time.process_time() - started < 5
    # The kept pair of each class stands for all of it: the enumeration needs no more records.
    part = data.take(np.arange(1200))
    rows = sorted(zip(*(part[name].tolist() for name in keys), strict=True))
    few = [row for i, row in enumerate(rows) if rows[i - 2 : i] != [row, row]]
    slow = sorted(filter(None, slow_scores(few, 2)))
    fast = suda(most=2).score(part, part, Context()).detail["scores"]
    assert sorted(fast[fast > 0].tolist()) == slow
    alone: Any = build("measure", "sample-uniqueness")
    assert score.detail["share with a minimal unique"] == alone.score(data, data, Context()).value


def test_a_person_alone_with_several_records_is_a_special_unique() -> None:
    rows = {"a": [1, 1, 2, 2, 2], "b": [5, 5, 6, 6, 6]}
    roles = {"a": QI, "b": QI}
    by_record = discreet.read(rows, roles=roles)
    assert suda().score(by_record, by_record, Context()).value == 0
    data = discreet.read({**rows, "who": [1, 1, 2, 2, 3]}, roles={**roles, "who": "person"})
    score = suda().score(data, data, Context())
    assert score.detail["scores"].tolist() == [2.0, 2.0, 0, 0, 0]
    assert score.detail["minimal uniques"] == {1: 2, 2: 0}
    # One person is unique (S = 2), and two are a pair: P = 2, R = 2^-Q, f = 0.01.
    assert score.per_record.tolist() == pytest.approx([1 / (1 + 2 * 99)] * 2 + [0] * 3)
