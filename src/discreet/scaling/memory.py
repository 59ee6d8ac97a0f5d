"""How much memory the work on a large file may take."""

from __future__ import annotations

import re

from discreet.errors import UsageError
from discreet.io.memory_guard import available_memory

UNITS = {"KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
INTERPRETER = 450_000_000
"""What Python, Arrow, DuckDB and the compiled loops take before any record is read."""
LEAST = 1_000_000_000
USUAL = 4_000_000_000
"""The limit if it is not known how much memory is free."""


def for_records(limit: int) -> int:
    """Return the bytes that records may take at once, out of all that the work may take."""
    return limit - INTERPRETER


def counting_memory(records: int) -> int:
    """Return the limit for DuckDB, which exceeds it by a fraction.

    >>> counting_memory(1_000_000_000)
    600000000
    """
    return int(0.6 * records)


def memory_limit(text: str | None) -> int:
    """Return a limit that was written as 2GB or 500 MB; half of what is free if there is none.

    >>> memory_limit("2GB"), memory_limit("1.5 GiB")
    (2000000000, 1610612736)
    >>> memory_limit("two")
    Traceback (most recent call last):
    discreet.errors.UsageError: memory must be a number with a unit, such as 2GB or 1500MB, but
    'two' was given
    """
    if text is None:
        free = available_memory()
        return max(LEAST, USUAL if free is None else free // 2)
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]+)\s*", text)
    if match is None or match[2].upper() not in UNITS:
        raise UsageError(
            f"memory must be a number with a unit, such as 2GB or 1500MB, but '{text}' was given"
        )
    limit = int(float(match[1]) * UNITS[match[2].upper()])
    if limit < LEAST:
        raise UsageError(
            f"memory must be at least 1GB, since Python and its libraries take half of that before "
            f"any record is read, but '{text}' was given"
        )
    return limit
