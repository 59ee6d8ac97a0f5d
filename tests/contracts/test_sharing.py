"""What is shared is found once, whichever thread asks first."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from discreet.contracts.sharing import Shared


def test_threads_that_ask_at_the_same_time_wait_for_the_first() -> None:
    shared, done = Shared(), []

    def work() -> int:
        time.sleep(0.05)
        done.append(1)
        return len(done)

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda _: shared.once("sum", work), range(4))) == [1] * 4


def test_one_result_may_need_another() -> None:
    shared = Shared()
    assert shared.once("twice", lambda: 2 * shared.once("once", lambda: 3)) == 6


def test_work_that_failed_is_tried_again() -> None:
    shared = Shared()

    def fails() -> int:
        raise ValueError("not now")

    with pytest.raises(ValueError, match="not now"):
        shared.once("sum", fails)
    assert shared.once("sum", lambda: 5) == 5


def test_what_is_forgotten_is_found_again() -> None:
    shared = Shared()
    shared.once("sum", lambda: 1)
    shared.clear()
    assert shared.once("sum", lambda: 2) == 2
