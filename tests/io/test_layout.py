"""Layouts of fixed-width files: what is refused, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import DataError
from discreet.io.layout import Field, layout_for


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,from,to\na,1,2\n", "its name, start and end"),
        ("name,start,end\na,1,x\n", "its name, start and end"),
        ("name,start,end\na,1,3\nb,3,4\n", "'b' has the characters 3 to 4 after .* ends at 3"),
        ("name,start,end\na,0,3\n", "begin at 1"),
        ("name,start,end\na,3,2\n", "'a' has the characters 3 to 2"),
        ("name,start,end\na,1,2\na,3,4\n", "'a' twice"),
        ("name,start,end\n", "has none"),
    ],
)
def test_a_wrong_layout_is_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "x.layout.csv").write_text(text)
    with pytest.raises(DataError, match=words):
        layout_for(tmp_path / "x.dat", None)


def test_a_layout_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match=r"the layout file 'l.csv' cannot be read"):
        layout_for(tmp_path / "x.dat", "l.csv")


def test_columns_in_any_order() -> None:
    given = [{"name": "b", "start": 3, "end": 4}, {"name": "a", "start": 1, "end": 2}]
    assert layout_for(Path("x.dat"), given) == (Field("b", 3, 4), Field("a", 1, 2))
