"""Names of columns in formats that state them: each has one, and no two are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import DataError
from discreet.io.names import require_names


@pytest.mark.parametrize(
    ("names", "words"), [(["a", "a"], "'a' twice"), (["a", " "], "column 2"), ([], "has none")]
)
def test_names_are_needed(names: list[str], words: str) -> None:
    with pytest.raises(DataError, match=words):
        require_names(names, Path("x.parquet"))


def test_names_that_differ_are_accepted() -> None:
    require_names(["a", "A"], Path("x.parquet"))
