"""The size of a CSV file, before it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.io import csv_size as module
from discreet.io.csv_size import csv_size
from discreet.io.files import read_table


@pytest.mark.parametrize(
    ("head", "line", "encoding"),
    [
        ("age,sex,town\n", "31,f,Ulm\n", "utf-8"),
        ("sep=;\nage;sex;town\n", "31;f;Köln\n", "cp1252"),
        ("Staff;;\n\nage;sex;town\n", "31;f;Ulm\n", "utf-8-sig"),
    ],
)
def test_the_head_tells_about_how_many_records_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str, line: str, encoding: str
) -> None:
    monkeypatch.setattr(module, "HEAD", 1 << 14)
    file = tmp_path / "people.csv"
    file.write_text(head + line * 20_000, encoding=encoding)
    found = csv_size(file)
    assert found is not None
    assert found[0] == pytest.approx(20_000, rel=0.01)
    assert found[1] == 3 == read_table(file).table.num_columns


def test_what_does_not_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HEAD", 1 << 10)
    one_line = tmp_path / "line.csv"
    one_line.write_text("a" * 5000)
    assert csv_size(one_line) is None
    packed = tmp_path / "people.csv.gz"
    packed.write_bytes(b"packed")
    assert csv_size(packed) is None
    stated = tmp_path / "stated.csv"
    stated.write_text("a|b,c\n1|2,3\n")
    assert csv_size(stated, {"delimiter": "|"}) == (1, 2)
