"""Dates that a format keeps as text, and types that come back from a file."""

from __future__ import annotations

import datetime

import pyarrow as pa
import pytest

from discreet.io.stored_types import like_schema, with_moments


@pytest.mark.parametrize(
    ("texts", "type"),
    [
        (["1990-12-31", None], pa.date32()),
        (["1990-12-31", "1990-13-31"], pa.string()),
        (["1990-02-30"], pa.string()),
        (["1990-12-31 14:05:00"], pa.timestamp("s")),
        (["1990-12-31", "1990-12-31T14:05:00"], pa.string()),
        ([None, None], pa.string()),
        ([], pa.string()),
    ],
)
def test_a_column_holds_moments_only_if_all_are(texts: list[str | None], type: pa.DataType) -> None:
    assert (
        with_moments(pa.table({"x": pa.array(texts, pa.string())})).schema.field("x").type == type
    )


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["1990-12-31", None]),
        pa.array([datetime.time(3, 4, 5), None], pa.time64("us")),
        pa.array([1.0, 2.0]),
        pa.array([True, False]),
    ],
)
def test_what_was_written_comes_back_in_its_type(column: pa.Array) -> None:
    # JSON and SQLite keep times as text and may keep truths as numbers.
    kept = [v.isoformat() if isinstance(v, datetime.time) else v for v in column.to_pylist()]
    kept = [int(v) if isinstance(v, bool | float) else v for v in kept]
    table = with_moments(pa.table({"x": kept}))
    back = like_schema(table, pa.schema({"x": column.type})).column("x")
    assert back.type == column.type
    assert back.to_pylist() == column.to_pylist()


def test_what_does_not_fit_stays() -> None:
    table = pa.table({"x": ["a"]})
    assert like_schema(table, pa.schema({"x": pa.float64()})).equals(table)
