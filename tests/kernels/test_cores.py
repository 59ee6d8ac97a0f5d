"""How many threads kernels may use."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from discreet.kernels.cores import cores, for_all, on_all_cores, stay_on_one_core, together


def test_as_many_as_there_are_cores_or_as_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_NUM_THREADS", raising=False)
    assert cores() == (os.cpu_count() or 1)
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    assert cores() == 3
    monkeypatch.setenv("NUMBA_NUM_THREADS", "0")
    assert cores() == 1


def test_a_thread_among_others_stays_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    with ThreadPoolExecutor(1, initializer=stay_on_one_core) as threads:
        assert threads.submit(cores).result() == 1
    assert cores() == 3


@pytest.mark.parametrize("threads", ["1", "3"])
def test_work_on_all_cores_keeps_its_order_and_stays_there(
    threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    with on_all_cores() as each:
        assert list(each(pow, [2, 3, 4], [3, 2, 1])) == [8, 9, 4]
        assert list(each(lambda _: cores(), [None])) == [1]
        with pytest.raises(ZeroDivisionError):
            for_all(each, lambda by: 1 / by, [1, 0])


def test_who_takes_the_results_works_too_and_is_free_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    everybody = threading.Barrier(3, timeout=60)

    def who(_: int) -> tuple[int, int]:
        everybody.wait()
        return threading.get_ident(), cores()

    with on_all_cores() as each:
        threads, allowed = zip(*each(who, range(3)), strict=True)
        assert threading.get_ident() in threads
        assert len(set(threads)) == 3
        assert set(allowed) == {1}
        assert cores() == 3


def test_whatever_fails_nobody_is_still_at_work_afterwards() -> None:
    begun, ended = [], []
    second = threading.Event()

    def work(item: int) -> None:
        begun.append(item)
        if item == 0:
            second.wait(60)
            raise KeyboardInterrupt
        second.set()
        ended.append(item)

    with ThreadPoolExecutor(1) as pool:
        with pytest.raises(KeyboardInterrupt):
            list(together(pool, 1)(work, [0, *range(1, 5)]))
        assert sorted(begun) == sorted([0, *ended])
