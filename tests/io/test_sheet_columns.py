"""The cells of a sheet as columns of one type."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from discreet.io.sheet_columns import sheet_column

DAY, MOMENT = datetime.date(1990, 1, 2), datetime.datetime(1990, 1, 2, 3, 4)


@pytest.mark.parametrize(
    ("cells", "values", "missing", "mixed"),
    [
        ([1.0, 2.0], [1, 2], None, False),
        ([1, 2.5], [1.0, 2.5], None, False),
        ([2.0**60, 1.0], [2.0**60, 1.0], None, False),
        (["NA", "DE"], ["NA", "DE"], None, False),
        (["NA", 1.0], [None, 1], "NA", False),
        (["NA", ".", 1.0], ["NA", ".", "1"], None, True),
        ([True, ""], [True, None], None, False),
        ([True, 1.0], ["True", "1"], None, True),
        ([DAY, MOMENT], [datetime.datetime(1990, 1, 2), MOMENT], None, False),
        ([DAY, "unknown"], ["1990-01-02", "unknown"], None, True),
        (["", ""], [None, None], None, False),
    ],
)
def test_columns(cells: list[Any], values: list[Any], missing: str | None, mixed: bool) -> None:
    column = sheet_column(cells)
    assert repr(column.values.to_pylist()) == repr(values)
    assert (column.missing, column.mixed) == (missing, mixed)
