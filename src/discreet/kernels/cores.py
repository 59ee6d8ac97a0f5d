"""How many threads a kernel may use.

Results are the same for any number: a kernel divides work among threads only if the outcome does
not depend on which thread does it, or when.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
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
    with ThreadPoolExecutor(cores(), initializer=stay_on_one_core) as threads:
        yield threads.map


def for_all(each: Each, work: Callable[..., object], items: Iterable[object]) -> None:
    """Do the work for all items, and wait until it is done.

    >>> done = []
    >>> for_all(map, done.append, [1, 2])
    >>> done
    [1, 2]
    """
    for _ in each(work, items):
        pass
