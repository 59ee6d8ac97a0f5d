"""What is written as CSV text comes back in the type that it had."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from discreet.io.files import format_for, read_back, write_table

TYPES = [
    pa.array([1, None, -(2**63), 2**63 - 1]),
    pa.array([0, None, 2**64 - 1], pa.uint64()),
    pa.array([0.1, None, 1e300, 5e-324]),
    pa.array([0.1, None, 3e38], pa.float32()),
    pa.array(np.array([0.1, 6e4], np.float16)),
    pa.array([True, None, False]),
    pa.array([Decimal("1.10"), None], pa.decimal128(30, 2)),
    pa.array([dt.date(2020, 1, 1), None]),
    pa.array([0, None, 86_399_999], pa.time32("ms")),
    pa.array([0, None, 1], pa.time64("ns")),
    pa.array([0, None, 1], pa.timestamp("ns")),
    # The hour that is there twice.
    pa.array([1603585800, 1603589400], pa.timestamp("s", "Europe/Berlin")),
    pa.array(["1.5", "1.50", "007", "NA", "2020-01-01", None]),
]


@pytest.mark.parametrize("values", TYPES, ids=lambda values: str(values.type))
@pytest.mark.parametrize("decimal", [".", ","])
def test_a_column_comes_back(tmp_path: Path, values: pa.Array, decimal: str) -> None:
    format = format_for(".csv", delimiter=";", decimal=decimal)
    table = pa.table({"x": values, "y": list(range(len(values)))})
    write_table(table, tmp_path / "x.csv", format)
    back = read_back(tmp_path / "x.csv", format, table.schema)
    assert back.equals(table)


def test_categories_come_back_as_their_values(tmp_path: Path) -> None:
    table = pa.table({"x": pa.array(["a", "b", "a"]).dictionary_encode()})
    write_table(table, tmp_path / "x.csv", format_for(".csv"))
    back = read_back(tmp_path / "x.csv", format_for(".csv"), table.schema)
    assert back.column("x").to_pylist() == ["a", "b", "a"]


def test_what_does_not_read_as_its_type_is_text(tmp_path: Path) -> None:
    table = pa.table({"x": pa.array([-800_000, 0], pa.date32())})
    write_table(table, tmp_path / "x.csv", format_for(".csv"))
    back = read_back(tmp_path / "x.csv", format_for(".csv"), table.schema)
    assert back.column("x").to_pylist() == ["-0221-09-04", "1970-01-01"]
