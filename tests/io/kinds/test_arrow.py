"""Arrow IPC files keep their types, and lose their metadata."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from discreet.errors import DataError
from discreet.io.files import format_for, read_cells, read_table, write_table
from tests.io.kinds.test_parquet import everything


@pytest.mark.parametrize("suffix", [".arrow", ".feather", ".ipc"])
@pytest.mark.parametrize("kind", ["file", "stream"])
def test_types_are_kept_and_metadata_are_not(tmp_path: Path, suffix: str, kind: str) -> None:
    path = tmp_path / f"x{suffix}"
    table = everything()
    make = pa.ipc.new_file if kind == "file" else pa.ipc.new_stream
    with pa.OSFile(str(path), "w") as sink, make(sink, table.schema) as writer:
        writer.write_table(table)
    read = read_table(path)
    assert read.format == format_for(suffix)
    write_table(read.table, tmp_path / f"out{suffix}", read.format)
    again = read_cells(tmp_path / f"out{suffix}")
    assert again.equals(table)
    assert not again.schema.metadata
    assert not any(field.metadata for field in again.schema)


def test_categories_that_no_record_has_are_left_out(tmp_path: Path) -> None:
    table = pa.table({"x": pa.DictionaryArray.from_arrays([0, 0], ["here", "gone"])})
    write_table(table, tmp_path / "x.arrow", format_for("arrow"))
    assert b"gone" not in (tmp_path / "x.arrow").read_bytes()


def test_chosen_columns_in_the_order_of_the_file(tmp_path: Path) -> None:
    write_table(pa.table({"a": [1], "b": [2], "c": [3]}), tmp_path / "x.arrow", format_for("arrow"))
    assert read_table(tmp_path / "x.arrow", columns=["c", "a"]).table.column_names == ["a", "c"]


@pytest.mark.parametrize("share", [0.0, 0.5, 0.95])
def test_a_broken_file_is_refused(tmp_path: Path, share: float) -> None:
    path = tmp_path / "x.feather"
    write_table(pa.table({"a": list(range(1000))}), path, format_for("feather"))
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))] or b"no Arrow file at all")
    with pytest.raises(DataError, match="is not a complete Arrow file"):
        read_table(path)
