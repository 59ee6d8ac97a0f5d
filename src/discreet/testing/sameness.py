"""Comparing tables in checks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from discreet.errors import DiscreetError
from discreet.microdata import Microdata

Result = TypeVar("Result")
_forgetting: list[Callable[[], None]] = []


def once_for_all_checks(run: Callable[..., Result]) -> Callable[[Hashable], Result]:
    """Run a component on a table once, for all the checks that look at what it did.

    >>> tried = once_for_all_checks(lambda component: [component])
    >>> tried("a") is tried("a"), tried("a") is tried("b")
    (True, False)
    """
    kept = lru_cache(maxsize=1)(run)
    _forgetting.append(kept.cache_clear)
    return kept


def forget_runs() -> None:
    """Let the next check run its component again."""
    for forget in _forgetting:
        forget()


def snapshot(data: Microdata) -> dict[str, Any]:
    """Return a copy of everything that a table holds."""
    return {column.name: (column.attribute, column.values.copy()) for column in data}


def assert_unchanged(data: Microdata, before: dict[str, Any], but: Collection[str] = ()) -> None:
    """Assert that a table is as it was, apart from some columns."""
    assert list(data.schema.names) == list(before), "columns were added, dropped or moved"
    for column in data:
        if column.name in but:
            continue
        attribute, values = before[column.name]
        assert column.attribute == attribute, f"column {column.name} has another attribute"
        equal = np.array_equal(column.values, values, equal_nan=attribute.continuous)
        assert equal, f"column {column.name} was changed"


def assert_same(data: Microdata, other: Microdata) -> None:
    """Assert that two tables hold the same, bit for bit."""
    assert_unchanged(data, snapshot(other))


def succeeds_or_explains(work: Callable[[], Any], circumstance: str) -> Any:
    """Return the outcome of the work, or None if it was refused in a sentence."""
    try:
        return work()
    except DiscreetError as error:
        text = str(error)
        assert len(text) > 20, f"{circumstance}: the message is too short to help: {text!r}"
        # As text, every message is one line.
        written = "".join(map(str, error.args))
        assert "\n" not in written, f"{circumstance}: the message is longer than a sentence"
        return None
