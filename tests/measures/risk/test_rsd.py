"""RSD of eq. 10 on the example of the paper and against an obvious twin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context, Groups, Pairing
from discreet.contracts.registry import build
from discreet.errors import NotApplicable

LAW = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
QI = "quasi-identifier"
MEASURE: Any = build("measure", "rsd")

# Table 1 of the paper, and the leaves of its tree.
INCOME = [38, 42, 45, 50, 51, 59, 52, 66, 68, 60, 69, 72, 74, 77]
ASSET = [65, 70, 79, 84, 88, 94, 85, 116, 129, 110, 124, 133, 137, 143]
LEAVES = [0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5]
PRUNED = [0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 3]


def twin(values: Sequence[float], groups: list[int]) -> float:
    overall = sum(values) / len(values)
    ratios = []
    for group in sorted(set(groups)):
        mine = [v for v, g in zip(values, groups, strict=True) if g == group]
        mean = sum(mine) / len(mine)
        around = sum((v - overall) ** 2 for v in mine)
        if around > 1e-12:
            ratios.append(sum((v - mean) ** 2 for v in mine) / around)
    return sum(ratios) / len(ratios)


def test_the_example_of_the_paper() -> None:
    data = discreet.read(
        {"record": list(range(14)), "income": INCOME, "asset": ASSET},
        roles={"record": QI, "income": "confidential", "asset": "confidential"},
        kinds={"record": "continuous"},
    )
    found = []
    for groups in (LEAVES, PRUNED):
        pairing = Pairing(np.arange(14), Groups(np.array(groups)))
        score = MEASURE.score(data, data, Context(), pairing)
        both = [twin(INCOME, groups), twin(ASSET, groups)]
        assert score.detail["columns"] == pytest.approx({"income": both[0], "asset": both[1]})
        assert score.value == pytest.approx(np.mean(both))
        found.append(score.value)
    assert found[1] > found[0], "pruning the tree is meant to protect"
    # Records 1 and 2: (38 − 40)² + (42 − 40)² = 8, about the mean income 823 / 14 it is 713.81.
    income: Any = build("measure", {"rsd": {"confidential": "income"}})
    pairing = Pairing(np.arange(14), Groups(np.array(LEAVES)))
    score = income.score(data, data, Context(), pairing)
    assert score.per_record[0] == pytest.approx(8 / 713.80612)


def test_one_group_by_hand() -> None:
    data = discreet.read(
        {"age": [1, 1, 2, 2], "pay": [1.0, 3.0, 4.0, 8.0]},
        roles={"age": QI, "pay": "confidential"},
    )
    # About the mean 4: (1 + 1) / (9 + 1) and (4 + 4) / (0 + 16).
    score = MEASURE.score(data, data, Context())
    assert score.per_record == pytest.approx([0.2, 0.2, 0.5, 0.5])
    assert score.value == pytest.approx(0.35)
    assert score.detail["by records"] == pytest.approx(0.35)
    assert score.detail["pooled"] == pytest.approx((2 + 8) / (10 + 16))


def test_small_groups_count_less_by_records_and_pooled() -> None:
    data = discreet.read(
        {"age": [1, 1, 2, 2, 2, 2], "pay": [1.0, 1.0, 2.0, 4.0, 6.0, 10.0]},
        roles={"age": QI, "pay": "confidential"},
    )
    # About the mean 4: 0 / 18 for two records, (12.25 + 2.25 + 0.25 + 20.25) / 44 for four.
    score = MEASURE.score(data, data, Context())
    assert score.value == pytest.approx(35 / 44 / 2)
    assert score.detail["by records"] == pytest.approx(35 / 44 * 4 / 6)
    assert score.detail["pooled"] == pytest.approx(35 / 62)


def test_a_group_at_the_overall_mean_is_left_out_and_counted() -> None:
    data = discreet.read(
        {"age": [1, 1, 2, 2], "pay": [2.0, 6.0, 4.0, 4.0]},
        roles={"age": QI, "pay": "confidential"},
    )
    score = MEASURE.score(data, data, Context())
    assert score.value == pytest.approx(1.0)
    assert score.detail["groups left out"] == 1
    assert np.isnan(score.per_record[2:]).all()
    assert "1 left out" in score.note


@LAW
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(-9, 9)), min_size=2, max_size=30),
    st.sampled_from([1.0, 1e130, 1e-130]),
)
def test_the_twin_agrees_in_any_unit(rows: list[tuple[int, int]], unit: float) -> None:
    ages, pays = [a for a, _ in rows], [float(b) for _, b in rows]
    if len(set(pays)) < 2:
        return
    data = discreet.read(
        {"age": ages, "pay": np.array(pays) * unit}, roles={"age": QI, "pay": "confidential"}
    )
    assert MEASURE.score(data, data, Context()).value == pytest.approx(twin(pays, ages))


def test_missing_values_are_left_out() -> None:
    data = discreet.read(
        {"age": [1, 1, 1, 2, 2, 3], "pay": [1.0, 3.0, None, 4.0, 8.0, None]},
        roles={"age": QI, "pay": "confidential"},
    )
    score = MEASURE.score(data, data, Context())
    assert score.value == pytest.approx(0.35)
    assert score.detail["groups left out"] == 1


def test_records_apart_are_given_away() -> None:
    data = discreet.read(
        {"age": [1, 2, 3], "pay": [1.0, 5.0, 7.0]}, roles={"age": QI, "pay": "confidential"}
    )
    assert MEASURE.score(data, data, Context()).value == 0


def test_where_it_does_not_apply() -> None:
    words = discreet.read(
        {"age": [1, 2], "ill": ["a", "b"]}, roles={"age": QI, "ill": "confidential"}
    )
    with pytest.raises(NotApplicable, match="continuous"):
        MEASURE.score(words, words, Context())
    same = discreet.read(
        {"age": [1, 2], "pay": [0.1, 0.1]}, roles={"age": QI, "pay": "confidential"}
    )
    with pytest.raises(NotApplicable, match="overall mean"):
        MEASURE.score(same, same, Context())
