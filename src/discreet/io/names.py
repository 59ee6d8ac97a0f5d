"""The names of a file's columns: each has one, and no two are the same."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from discreet.errors import DataError

__all__ = ["require_names"]


def require_names(names: Iterable[str], path: Path) -> None:
    """Refuse columns without a name, or with the same one.

    >>> require_names(["age", "age"], Path("people.parquet"))
    Traceback (most recent call last):
    discreet.errors.DataError: column names must differ, but 'people.parquet' has 'age' twice;
    rename one of them and write the file again
    """
    seen: set[str] = set()
    for position, name in enumerate(names, start=1):
        if not name.strip():
            raise DataError(
                f"each column needs a name, and column {position} of '{path.name}' has none; "
                "name it and write the file again"
            )
        if name in seen:
            raise DataError(
                f"column names must differ, but '{path.name}' has '{name}' twice; "
                "rename one of them and write the file again"
            )
        seen.add(name)
    if not seen:
        raise DataError(f"a table needs columns, but '{path.name}' has none")
