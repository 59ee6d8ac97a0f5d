"""Results that several parts of a piece of work need, computed once by the first to ask."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

T = TypeVar("T")


class Shared:
    """Results by their keys; a thread that asks for one being computed by another waits for it.

    >>> shared = Shared()
    >>> shared.once("sum", lambda: 1 + 1), shared.once("sum", lambda: 0)
    (2, 2)
    """

    def __init__(self) -> None:
        self._results: dict[Hashable, Any] = {}
        self._at_work: defaultdict[Hashable, threading.Lock] = defaultdict(threading.Lock)
        self._lock = threading.Lock()

    def once(self, key: Hashable, work: Callable[[], T]) -> T:
        """Return the result of some work, which is done once."""
        with self._lock:
            at_work = self._at_work[key]
        with at_work:
            if key not in self._results:
                self._results[key] = work()
            return cast(T, self._results[key])

    def clear(self) -> None:
        """Forget all results; none may still be being computed."""
        with self._lock:
            self._results.clear()
            self._at_work.clear()
