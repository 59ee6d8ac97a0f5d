"""Comparing tables in checks."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from discreet.errors import DiscreetError
from discreet.microdata import Microdata


def snapshot(data: Microdata) -> dict[str, Any]:
    """Return a copy of everything that a table holds."""
    return {column.name: (column.attribute, column.values.copy()) for column in data}


def assert_unchanged(data: Microdata, before: dict[str, Any], but: Collection[str] = ()) -> None:
    """Assert that a table is as it was, some columns aside."""
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


def succeeds_or_explains(work: Callable[[], Any], what: str) -> Any:
    """Return the outcome of the work, or None if it was refused in a sentence."""
    try:
        return work()
    except DiscreetError as error:
        text = str(error)
        assert len(text) > 20, f"{what}: the message is too short to help: {text!r}"
        # As text, every message is one line.
        written = "".join(map(str, error.args))
        assert "\n" not in written, f"{what}: the message is longer than a sentence"
        return None
