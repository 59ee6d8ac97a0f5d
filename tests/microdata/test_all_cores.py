"""Columns on all cores."""

from __future__ import annotations

import threading

import pytest

from discreet.microdata.all_cores import LARGE, computed_once, for_each


@pytest.mark.parametrize("records", [0, LARGE])
def test_outcomes_are_in_order_and_the_first_error_is_raised(records: int) -> None:
    assert for_each(lambda item: item * 2, range(50), records) == [2 * i for i in range(50)]

    def refuse(item: int) -> int:
        if item in (3, 7):
            raise ValueError(str(item))
        return item

    with pytest.raises(ValueError, match="3"):
        for_each(refuse, range(10), records)


def test_only_many_records_are_worth_a_thread() -> None:
    def where(_: int) -> bool:
        return threading.current_thread() is threading.main_thread()

    assert for_each(where, [1, 2], LARGE - 1) == [True, True]
    assert for_each(where, [1, 2], LARGE) == [False, False]


def test_one_object_does_not_wait_for_what_another_computes() -> None:
    both = threading.Barrier(2, timeout=30)

    class Waiting:
        @computed_once
        def place(self) -> int:
            return both.wait()

    first, second = Waiting(), Waiting()
    assert sorted(for_each(lambda one: one.place, [first, second], LARGE)) == [0, 1]
    assert {first.place, second.place} == {0, 1}
