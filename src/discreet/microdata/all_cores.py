"""The columns of a large file on all cores: what is found in one does not hang on the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Given = TypeVar("Given")
Found = TypeVar("Found")

LARGE = 100_000
"""Records from which on a column takes longer than threads do."""


def for_each(work: Callable[[Given], Found], items: Iterable[Given], records: int) -> list[Found]:
    """Return the outcome for each item in their order; of a file of many records on all cores.

    The first item of which the work fails, in their order, raises its error.

    >>> for_each(abs, [-1, 2], records=10)
    [1, 2]
    """
    if records < LARGE:
        return [work(item) for item in items]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return list(threads.map(work, items))
