"""How many threads a kernel may use.

Whatever the number, the results are the same: a kernel only divides work among threads whose
outcome does not depend on who does it, or when.
"""

from __future__ import annotations

import os
import threading

_thread = threading.local()


def stay_on_one_core() -> None:
    """Say that this thread is one of many that fill the cores: its kernels stay on it."""
    _thread.shares = True


def cores() -> int:
    """Return the number of threads: one per core, or as many as NUMBA_NUM_THREADS says.

    >>> cores() >= 1
    True
    """
    if getattr(_thread, "shares", False):
        return 1
    named = os.environ.get("NUMBA_NUM_THREADS", "")
    return max(1, int(named)) if named.isdigit() else os.cpu_count() or 1
