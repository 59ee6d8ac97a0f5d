"""A format whose library is not installed names the extra that brings it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from discreet.errors import UsageError
from discreet.io.files import read_table


@pytest.mark.parametrize(
    ("name", "library", "extra"),
    [
        ("x.xlsx", "python_calamine", "excel"),
        ("x.duckdb", "duckdb", "duckdb"),
        ("x.rds", "pyreadr", "r"),
    ],
)
def test_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, library: str, extra: str
) -> None:
    (tmp_path / name).write_bytes(b"content")
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UsageError, match=rf"pip install 'discreet\[{extra}\]'"):
        read_table(tmp_path / name)
