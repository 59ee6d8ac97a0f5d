"""Measures side by side find what they find one after the other."""

from __future__ import annotations

import threading
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Measure
from discreet.contracts.registry import build
from discreet.release import assessing
from discreet.release.assessment import Row
from discreet.release.side_by_side import at_once, side_by_side

QUICK: list[Any] = [build("measure", name) for name in ("abim", "k-anonymity", "mape", "rsd")]


def _people(records: int) -> discreet.Microdata:
    draw = np.random.default_rng(1)
    values = {
        "age": draw.integers(18, 90, records),
        "sex": draw.choice(["f", "m"], records),
        "pay": np.round(np.exp(draw.normal(10, 1, records)), 2),
        "ill": draw.choice(list("abc"), records),
        "home": np.sort(draw.integers(0, records // 3, records)),
        "weight": draw.integers(1, 9, records),
    }
    roles = {
        **dict.fromkeys(("age", "sex"), "quasi-identifier"),
        **dict.fromkeys(("pay", "ill"), "confidential"),
        "home": "household",
        "weight": "weight",
    }
    return discreet.read(values, roles=roles)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return bool(one.dtype == other.dtype and one.tobytes() == other.tobytes())
    return repr(one) == repr(other)


def test_two_threads_find_the_same_to_the_last_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    data = _people(1_500)
    release = discreet.protect(data, discreet.RankSwapping(p=10, columns=("age",)), seed=1)
    one: list[Row] = []
    two: list[Row] = []
    for threads, rows in ((1, one), (2, two)):
        monkeypatch.setattr(assessing, "at_once", lambda records, threads=threads: threads)
        rows += discreet.assess(data, release).rows
    assert [row.spec.name for row in one] == [row.spec.name for row in two]
    for alone, beside in zip(one, two, strict=True):
        assert (alone.before, alone.left_out) == (beside.before, beside.left_out)
        if alone.after is not None:
            for field in fields(alone.after):
                pair = (getattr(row.after, field.name) for row in (alone, beside))
                assert _same(*pair), (alone.spec.name, field.name)


def test_two_measures_are_at_work_at_the_same_time_and_come_out_in_their_order() -> None:
    both = threading.Barrier(2, timeout=30)

    def row_of(measure: Measure) -> Row:
        both.wait()
        return Row(measure, left_out="tried")

    assert [row.spec for row in side_by_side(row_of, QUICK, 2)] == [m.spec for m in QUICK]


def test_a_measure_that_fills_the_cores_is_alone() -> None:
    attack: Any = build("measure", "distance-linkage")
    seen: list[str] = []

    def row_of(measure: Measure) -> Row:
        seen.append(f"{measure.spec.name} begins")
        seen.append(f"{measure.spec.name} ends")
        return Row(measure, left_out="tried")

    rows = list(side_by_side(row_of, [*QUICK, attack], 2))
    assert rows[-1].spec.name == "distance-linkage"
    assert seen[:2] == ["distance-linkage begins", "distance-linkage ends"]


def test_others_are_at_work_beside_an_attack_that_leaves_room() -> None:
    attack: Any = build("measure", "strongest-linkage")
    both = threading.Barrier(2, timeout=30)

    def row_of(measure: Measure) -> Row:
        if measure.spec.name in ("strongest-linkage", QUICK[0].spec.name):
            both.wait()
        return Row(measure, left_out="tried")

    found = [row.spec for row in side_by_side(row_of, [*QUICK, attack], 2)]
    assert found == [m.spec for m in [*QUICK, attack]]


def test_linear_algebra_stays_on_one_thread_until_the_last_measure_is_done() -> None:
    import sklearn.ensemble  # noqa: F401  (brings its library of threads with it)
    from threadpoolctl import threadpool_info, threadpool_limits

    def threads() -> set[int]:
        return {library["num_threads"] for library in threadpool_info()}

    seen: list[set[int]] = []

    def row_of(measure: Measure) -> Row:
        seen.append(threads())
        return Row(measure, left_out="tried")

    attack: Any = build("measure", "strongest-linkage")
    with threadpool_limits(limits=2):
        before = threads()
        list(side_by_side(row_of, [*QUICK, attack], 2))
        assert threads() == before == {2}
    assert seen == [{1}] * 5


def test_what_a_measure_raises_is_raised() -> None:
    def row_of(measure: Measure) -> Row:
        if measure.spec.name == "mape":
            raise ValueError("of mape")
        return Row(measure, left_out="tried")

    for threads in (1, 2):
        found: list[Row] = []
        with pytest.raises(ValueError, match="of mape"):
            found.extend(side_by_side(row_of, QUICK, threads))


def test_small_files_and_single_cores_take_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", "8")
    assert at_once(1_000) == 1
    assert at_once(1_000_000) == 2
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    assert at_once(1_000_000) == 1
