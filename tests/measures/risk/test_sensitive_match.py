"""Confidential numbers guessed by the mean of the group."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context, Groups, Pairing
from discreet.contracts.registry import build
from discreet.errors import NotApplicable
from discreet.measures.risk.sensitive_match import blind_guess, relative_error

LAW = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
QI = "quasi-identifier"


def measure(**values: Any) -> Any:
    return build("measure", {"sensitive-match": values})


def read(age: list[Any], **columns: list[Any]) -> discreet.Microdata:
    return discreet.read(
        {"age": age, **columns}, roles={"age": QI, **dict.fromkeys(columns, "confidential")}
    )


def test_a_small_table_by_hand() -> None:
    # Means 100 and 60: off by 5.26 % and 4.76 %; by 20 % and 14 %.
    data = read([1, 1, 2, 2], pay=[95.0, 105.0, 50.0, 70.0])
    score = measure().score(data, data, Context(), Pairing.same_order(4))
    assert score.value == 0.25
    assert score.per_record.tolist() == [0, 1, 0, 0]
    found = score.detail["columns"]["pay"]
    assert found["within 5 %"] == 0.25
    assert found["within 10 %"] == 0.5
    # 99.75 is near both 95 and 105.
    assert found["within 5 %, by one number for all"] == 0.5
    wide = measure(within=0.15).score(data, data, Context(), Pairing.same_order(4))
    assert wide.value == 0.75
    assert wide.detail["columns"]["pay"]["within 10 %"] == 0.5


def test_just_within_counts() -> None:
    original = read([1, 2], pay=[100.0, 0.3])
    released = read([1, 2], pay=[95.0, 0.315])
    assert measure().score(original, released, Context(), Pairing.same_order(2)).value == 1


def test_zero_is_met_only_by_zero() -> None:
    data = read([1, 1, 2, 2], pay=[0.0, 0.0, 0.0, 0.001])
    score = measure().score(data, data, Context(), Pairing.same_order(4))
    assert score.per_record.tolist() == [1, 1, 0, 0]


def test_an_error_beyond_what_a_float_holds_is_infinite() -> None:
    errors = relative_error(np.array([1e139, 3e-308]), np.array([1e-160, 1e-308]))
    assert errors.tolist() == [np.inf, 2.0]


def test_a_blind_guess_of_mostly_zeros_is_zero() -> None:
    data = read([1, 1, 1, 2, 2, 2], pay=[0.0, 0.0, 9.0, 0.0, 0.0, 0.0])
    score = measure().score(data, data, Context(), Pairing.same_order(6))
    assert score.value == 0.5
    assert score.blind == pytest.approx(5 / 6)


@LAW
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=12))
def test_no_other_number_is_near_more_values(numbers: list[int]) -> None:
    values = np.array(numbers, dtype=float)

    def near(guess: float) -> int:
        return int((relative_error(np.full(len(values), guess), values) <= 0.3).sum())

    # Some interval begins wherever the most of them meet.
    assert near(blind_guess(values, 0.3)) == max(near(v - 0.3 * abs(v)) for v in values)


def test_negative_values_have_a_size_too() -> None:
    data = read([1, 1], pay=[-100.0, -104.0])
    assert measure().score(data, data, Context(), Pairing.same_order(2)).value == 1


@LAW
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(-20, 20), st.integers(-20, 20)),
        min_size=1,
        max_size=30,
    )
)
def test_the_twin_agrees(rows: list[tuple[int, int, int]]) -> None:
    original = read([a for a, _, _ in rows], pay=[float(y) for _, y, _ in rows])
    released = read([a for a, _, _ in rows], pay=[float(z) for _, _, z in rows])
    near = []
    for age, truth, _ in rows:
        mine = [z for a, _, z in rows if a == age]
        # |mean − truth| ≤ |truth| / 20 in whole numbers.
        near.append(20 * abs(sum(mine) - truth * len(mine)) <= abs(truth) * len(mine))
    score = measure().score(original, released, Context(), Pairing.same_order(len(rows)))
    assert score.per_record.tolist() == [float(x) for x in near]
    assert score.value == pytest.approx(np.mean(near))


def test_the_truth_is_the_original_and_the_groups_follow_the_pairing() -> None:
    original = read([1, 2, 3, 4], pay=[100.0, 100.0, 7.0, 9.0])
    released = read([5, 6, 7, 8], pay=[8.0, 101.0, 8.0, 99.0])
    pairing = Pairing(np.array([2, 0, 3, 1]), Groups(np.array([0, 0, 1, 1])))
    score = measure().score(original, released, Context(), pairing)
    assert score.per_record.tolist() == [0, 1, 0, 1]
    assert "method" in score.note


def test_missing_values_are_left_out() -> None:
    original = read([1, 1, 2, 2], pay=[100.0, None, 50.0, 50.0])
    released = read([1, 1, 2, 2], pay=[100.0, 101.0, None, None])
    score = measure().score(original, released, Context(), Pairing.same_order(4))
    assert score.value == pytest.approx(1 / 3)
    assert np.isnan(score.per_record[1])
    assert score.per_record[2] == 0


def test_the_worst_column_counts() -> None:
    data = read([1, 1], pay=[10.0, 90.0], debt=[10.0, 10.0])
    score = measure().score(data, data, Context(), Pairing.same_order(2))
    assert score.value == 1
    assert score.detail["columns"]["pay"]["within 5 %"] == 0


def test_a_label_is_guessed_by_its_middle() -> None:
    data = read([1, 2, 3], pay=[100.0, 148.0, 300.0])
    bands = read([1, 2, 3], pay=["100–198", "100–198", "300"])
    score = measure().score(data, bands, Context(), Pairing.same_order(3))
    assert score.per_record.tolist() == [0, 1, 1]


def test_where_it_does_not_apply() -> None:
    data = read([1, 2], pay=[1.0, 2.0])
    with pytest.raises(NotApplicable, match="which original"):
        measure().score(data, data, Context())
    words = read([1, 2], pay=["little", "much"])
    with pytest.raises(NotApplicable, match="says nothing about a confidential number"):
        measure().score(data, words, Context(), Pairing.same_order(2))
    empty = read([1, 2], pay=[1.0, None]).take(np.array([1, 1]))
    with pytest.raises(NotApplicable, match="missing"):
        measure().score(empty, empty, Context(), Pairing.same_order(2))
