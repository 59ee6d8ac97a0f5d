from __future__ import annotations

import io
from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from discreet.errors import DataError
from discreet.studio.first_bytes import HEAD, refuse_other_content
from tests.studio.client import Client

TABLE = pa.table({"age": [31, 47]})


def parquet() -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(TABLE, out)
    return out.getvalue()[:HEAD]


def arrow() -> bytes:
    out = io.BytesIO()
    pyarrow.feather.write_feather(TABLE, out)
    return out.getvalue()[:HEAD]


def test_what_a_file_is_called_is_what_it_holds() -> None:
    refuse_other_content("a.parquet", parquet())
    refuse_other_content("a.feather", arrow())
    refuse_other_content("a.csv", "MZ;Größe\n1;2\n".encode("cp1252"))
    refuse_other_content("a.csv", "age,sex\n1,f\n".encode("utf-16"))
    refuse_other_content("a.csv.gz", b"\x1f\x8b\x08")
    refuse_other_content("a.csv", b"")


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("a.csv", parquet()),
        ("a.csv", b"PK\x03\x04"),
        ("a.csv", b"age\0sex"),
        ("a.csv", b"%PDF-1.7"),
        ("a.parquet", b"age,sex"),
        ("a.xlsx", parquet()),
        ("a.sav", b"PK\x03\x04"),
        ("a.jsonl", b"\x89PNG\r\n"),
    ],
)
def test_what_is_called_otherwise_is_refused(name: str, head: bytes) -> None:
    with pytest.raises(DataError, match="is called"):
        refuse_other_content(name, head)


def test_neither_opened_nor_kept(tmp_path: Path) -> None:
    client = Client(tmp_path)
    (tmp_path / "a.csv").write_bytes(parquet())
    opened = client.post("/open", {"place": "a.csv"})
    assert (opened.status, "holds a Parquet file" in opened.text) == (422, True)
    put = client.ask("PUT", "/upload?name=b.csv", b"PK\x03\x04" + bytes(50))
    assert (put.status, "holds a spreadsheet" in put.text) == (422, True)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.csv"]
    client.studio.close()
