"""JSON lines: objects in, objects out, with the types that JSON has and dates as text."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import DataError
from discreet.io.files import format_for, read_back, read_cells, read_table, write_table

LINES = (
    '{"age": 31, "income": 1.5, "town": "Köln\\n", "born": "1990-12-31", "ok": true}\n'
    '{"age": null, "income": 2.0, "town": "12", "born": "1991-01-31", "ok": null}\n'
)


def test_lines_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(LINES, encoding="utf-8")
    file = read_table(path)
    assert file.table.schema.field("born").type == pa.date32()
    assert file.table.column("age").to_pylist() == [31, None]
    write_table(file.table, tmp_path / "y.jsonl", file.format)
    assert (tmp_path / "y.jsonl").read_text(encoding="utf-8") == LINES
    assert read_cells(path).column("town").to_pylist() == ["Köln\n", "12"]


def test_a_name_that_an_object_lacks_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "x.ndjson"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\n\n{"b": "x"}\n')
    assert read_table(path).table.to_pydict() == {"a": [1, None], "b": [None, "x"]}


def test_types_follow_from_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"a": 1}\n' * 200_000 + '{"a": 1.5}\n')
    assert read_table(path).table.column("a").type == pa.float64()


def test_moments_and_texts_that_look_like_them(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    lines = '{"t": "2020-01-02T03:04:05", "z": "2020-01-02T03:04:05Z", "d": "2020-02-30"}\n'
    path.write_text(lines)
    file = read_table(path)
    assert file.table.to_pydict() == {
        "t": [datetime.datetime(2020, 1, 2, 3, 4, 5)],
        "z": [datetime.datetime(2020, 1, 2, 3, 4, 5)],
        "d": ["2020-02-30"],
    }
    write_table(file.table, path, file.format)
    assert path.read_text() == lines


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.none() | st.integers(-(2**63), 2**63 - 1),
            st.none() | st.floats(allow_nan=False, allow_infinity=False),
            st.none() | st.text(st.characters(exclude_categories=["Cs"])),
            st.none() | st.datetimes(),
        ),
        min_size=1,
    )
)
def test_any_table_comes_back(tmp_path_factory: pytest.TempPathFactory, rows: list[Any]) -> None:
    path = tmp_path_factory.mktemp("x") / "x.jsonl.gz"
    types = [pa.int64(), pa.float64(), pa.string(), pa.timestamp("us")]
    columns = [pa.array([row[i] for row in rows], kind) for i, kind in enumerate(types)]
    table = pa.table(columns, names=list("abcd"))
    write_table(table, path, format_for("jsonl.gz"))
    back = read_back(path, format_for("jsonl.gz"), table.schema)
    assert back.schema == table.schema
    assert repr(back.to_pydict()) == repr(table.to_pydict())


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"a": 1}\n{"a": "secret"}\n', "column 'a' changes its type in record 2"),
        (b'{"a": 1}\n{"a": 2', "must be a JSON object"),
        (b"[1, 2]\n", "must be a JSON object"),
        (b"a,b\n1,2\n", "must be a JSON object"),
        (b"{}\n", "has none"),
        (b"\xff\xfe\n", "must be a JSON object"),
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(DataError, match=words) as caught:
        read_table(path)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("column", [pa.array([float("inf")]), pa.array([b"x"])])
def test_what_json_does_not_hold(tmp_path: Path, column: pa.Array) -> None:
    with pytest.raises(DataError, match="column 'c'"):
        write_table(pa.table({"c": column}), tmp_path / "x.jsonl", format_for("jsonl"))


def test_nan_is_null(tmp_path: Path) -> None:
    write_table(pa.table({"x": [float("nan"), 1.0]}), tmp_path / "x.jsonl", format_for("jsonl"))
    assert (tmp_path / "x.jsonl").read_text() == '{"x": null}\n{"x": 1.0}\n'
