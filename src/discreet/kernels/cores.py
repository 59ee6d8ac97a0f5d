"""How many threads a kernel may use.

Results are the same for any number: a kernel divides work among threads only if the outcome does
not depend on which thread does it, or when.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

Each = Callable[..., Iterable[Any]]
"""Calls a function with each of some things, as `map` does."""

_thread = threading.local()


def stay_on_one_core() -> None:
    """Declare this thread one of many that fill the cores: its kernels stay on it."""
    _thread.shares = True


def cores() -> int:
    """Return the number of threads: one per core, or NUMBA_NUM_THREADS if that is set.

    >>> cores() >= 1
    True
    """
    if getattr(_thread, "shares", False):
        return 1
    named = os.environ.get("NUMBA_NUM_THREADS", "")
    return max(1, int(named)) if named.isdigit() else os.cpu_count() or 1


@contextmanager
def _staying() -> Iterator[None]:
    """Have this thread's kernels stay on its core while this lasts."""
    before = getattr(_thread, "shares", False)
    _thread.shares = True
    try:
        yield
    finally:
        _thread.shares = before


def together(pool: ThreadPoolExecutor, others: int) -> Each:
    """Return a `map` that is done by this many threads of a pool and by the one that iterates.

    If that one only waited, two threads of the pool would often wake up on the same core: it takes
    the system milliseconds to move one of them to a core that is free.

    >>> with ThreadPoolExecutor(1) as pool:
    ...     list(together(pool, 1)(abs, [-1, 2, -3]))
    [1, 2, 3]
    """

    def each(work: Callable[..., Any], *items: Iterable[Any]) -> Iterator[Any]:
        tasks = list(zip(*items, strict=False))
        results: list[Future[Any]] = [Future() for _ in tasks]
        lock, unclaimed = threading.Lock(), list(reversed(range(len(tasks))))

        def take_one() -> bool:
            with lock:
                if not unclaimed:
                    return False
                task = unclaimed.pop()
            try:
                results[task].set_result(work(*tasks[task]))
            except BaseException as error:
                results[task].set_exception(error)
                if not isinstance(error, Exception):
                    raise
            return True

        def take_all() -> None:
            with _staying():
                while take_one():
                    pass

        helping = [pool.submit(take_all) for _ in range(min(others, len(tasks) - 1))]

        def in_order() -> Iterator[Any]:
            try:
                for result in results:
                    with _staying():
                        while not result.done() and take_one():
                            pass
                    yield result.result()
            finally:
                with lock:
                    unclaimed.clear()
                wait(helping)

        return in_order()

    return each


@contextmanager
def on_all_cores(worthwhile: bool = True) -> Iterator[Each]:
    """Provide a `map` that works on all cores: it begins at once and keeps the order.

    Whatever it calls stays on its core. If the work is not `worthwhile`, `map` itself is provided.

    >>> with on_all_cores() as each:
    ...     list(each(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    if cores() == 1 or not worthwhile:
        yield map
        return
    others = cores() - 1
    with ThreadPoolExecutor(others) as pool:
        yield together(pool, others)


def for_all(each: Each, work: Callable[..., object], items: Iterable[object]) -> None:
    """Do the work for all items, and wait until it is done.

    >>> done = []
    >>> for_all(map, done.append, [1, 2])
    >>> done
    [1, 2]
    """
    for _ in each(work, items):
        pass
