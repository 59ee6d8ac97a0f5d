"""The own original is the nearest or the second nearest, on tables small enough to link by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

import discreet
from discreet.contracts import Context, Pairing
from discreet.contracts.registry import build

SECOND: Any = build("measure", "linked-or-second")


def ages(values: list[float]) -> discreet.Microdata:
    return discreet.read({"age": values}, roles={"age": "quasi-identifier"})


def test_the_second_by_hand() -> None:
    original = ages([10, 20, 30, 40])
    # 11 → own; 26 → 30 before 20: second; 21 → 20 before 30: second; 19 → 20, 10, 30, 40: neither.
    second = SECOND.score(original, ages([11, 26, 21, 19]), Context(), Pairing.same_order(4))
    assert second.per_record.tolist() == [1, 1, 1, 0]
    assert second.value == 0.75
    assert second.detail["expected by chance"] == 0.5


def test_of_two_that_are_as_near_each_is_first_or_second() -> None:
    original, released = ages([10, 20, 30, 40]), ages([15, 15, 35, 35])
    assert SECOND.score(original, released, Context(), Pairing.same_order(4)).value == 1.0


def test_of_three_that_are_as_near_one_is_left_out() -> None:
    original, released = ages([10, 10, 10, 40]), ages([10, 10, 10, 40])
    score = SECOND.score(original, released, Context(), Pairing.same_order(4))
    assert score.per_record.tolist() == [2 / 3, 2 / 3, 2 / 3, 1]


def test_two_records_are_always_linked() -> None:
    score = SECOND.score(ages([10, 90]), ages([90, 10]), Context(), Pairing.same_order(2))
    assert score.value == score.detail["expected by chance"] == 1.0


def test_a_measure_says_the_same_alone_and_beside_the_other() -> None:
    rng = np.random.default_rng(5)
    columns = {"x": rng.normal(size=400), "y": rng.normal(size=400)}
    data = discreet.read(columns, roles=dict.fromkeys(columns, "quasi-identifier"))
    release = discreet.protect(data, discreet.AdditiveNoise(alpha=0.05), 1)
    names = ["distance-linkage", "linked-or-second"]
    together = discreet.assess(data, release, names).risk
    for name in names:
        alone, beside = discreet.assess(data, release, [name]).risk[name], together[name]
        assert alone.value == beside.value
        assert alone.per_record is not None
        assert beside.per_record is not None
        assert alone.per_record.tolist() == beside.per_record.tolist()
