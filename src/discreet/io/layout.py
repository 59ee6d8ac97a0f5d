"""The layout of a fixed-width file: which characters of a line are which column."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discreet.errors import DataError, UsageError
from discreet.io.names import require_names

__all__ = ["Field", "layout_for", "layout_of"]

KEYS = ("name", "start", "end")


@dataclass(frozen=True)
class Field:
    """A column of a fixed-width file: its name, its first character (from 1) and its last."""

    name: str
    start: int
    end: int


def layout_for(path: Path, given: Any) -> tuple[Field, ...]:
    """Return the layout of a file: the one given, as a file or as plain data, or the one beside it.

    The layout file of people.dat is people.layout.csv in the same folder, unless another is named.
    """
    if given is None:
        beside = path.with_name(f"{path.stem}.layout.csv")
        if not beside.is_file():
            raise UsageError(
                f"a fixed-width file needs a layout file with the columns name, start, end, but "
                f"there is no '{beside.name}' beside '{path.name}'; write one, or name it with "
                "layout="
            )
        return layout_of(_rows(beside), beside)
    if isinstance(given, str | Path):
        file = path.parent / given
        return layout_of(_rows(file), file)
    return layout_of(given, path)


def layout_of(entries: Any, path: Path) -> tuple[Field, ...]:
    """Return the fields that plain data describe.

    >>> layout_of([{"name": "age", "start": "1", "end": "3"}], Path("x.layout.csv"))
    (Field(name='age', start=1, end=3),)
    """
    try:
        fields = tuple(
            Field(str(entry["name"]), int(entry["start"]), int(entry["end"])) for entry in entries
        )
    except (KeyError, TypeError, ValueError):
        raise DataError(
            f"a layout names for each column its name, start and end (the first and last "
            f"character, counted from 1), but that of '{path.name}' does not"
        ) from None
    require_names([field.name for field in fields], path)
    _require_apart(fields, path)
    return fields


def _require_apart(fields: Sequence[Field], path: Path) -> None:
    last = 0
    for field in sorted(fields, key=lambda field: field.start):
        if field.end < field.start or field.start <= last:
            raise DataError(
                f"the columns of a layout begin at 1 and do not overlap, but in '{path.name}' "
                f"'{field.name}' has the characters {field.start} to {field.end} after a column "
                f"that ends at {last}"
            )
        last = field.end


def _rows(file: Path) -> list[Mapping[str, str]]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            return list(csv.DictReader(lines, skipinitialspace=True))
    except (OSError, UnicodeError, csv.Error):
        raise DataError(
            f"the layout file '{file.name}' cannot be read; it is a CSV file (UTF-8) with the "
            f"columns {', '.join(KEYS)}"
        ) from None
