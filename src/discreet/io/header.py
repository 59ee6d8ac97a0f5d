"""The header of a table as found in practice: a title above it, names missing or repeated."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from discreet.microdata.unknown_column import look_like_values

__all__ = ["ends_in_total", "given_names", "may_be_title", "rows_of_title"]

MOST_TITLE_ROWS = 12
TITLE_CELLS = 2
"""A row of a title has text in at most this many cells; a header has it in all."""
LEAST_COLUMNS = 4
"""In a narrower table, a row of two cells is a record or a header."""

_NUMBER = re.compile(r"[-+]?[\d.,]+%?")


def given_names(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return distinct names, and notes on those that were changed.

    >>> given_names(["", "age", "age"])
    (['column 1', 'age', 'age (2)'], ['columns without a name, or with the same name as another,
    were renamed: column 1, age (2)'])
    """
    taken = {name for name in names if name.strip()}
    named: dict[str, None] = {}
    # With a thousand columns of one name, each search starts where the previous one ended.
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(2))
    for place, name in enumerate(names, start=1):
        wanted = name if name.strip() else f"column {place}"
        if name in named or (not name.strip() and wanted in taken):
            others = (f"{wanted} ({number})" for number in numbers[wanted])
            wanted = next(other for other in others if other not in taken and other not in named)
        named[wanted] = None
    given = [new for old, new in zip(names, named, strict=True) if new != old]
    if not given:
        return list(named), []
    # If a record takes the place of a header, only positions are reported.
    places = (f"column {place}" for place, name in enumerate(named, start=1) if name in given)
    called = ", ".join(places if look_like_values(names) else given)
    return list(named), [
        f"columns without a name, or with the same name as another, were renamed: {called}"
    ]


def may_be_title(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether the first row has so few cells that it may be a title."""
    return bool(rows) and _filled(rows[0]) <= TITLE_CELLS


def _filled(row: Sequence[Any]) -> int:
    return sum(cell not in ("", None) for cell in row)


def rows_of_title(rows: Sequence[Sequence[Any]]) -> int:
    """Return how many rows above the header hold a title, the date of a file and the like.

    >>> table = [["age", "sex", "town", "pay"], [31, "f", "Ayle", 9], [47, "m", "Bron", 8]]
    >>> rows_of_title([["Staff 2023", "", "", ""], ["", "", "", ""], *table]), rows_of_title(table)
    (2, 0)
    """
    if not may_be_title(rows):
        return 0
    filled = [_filled(row) for row in rows]
    above = next((i for i, count in enumerate(filled) if count > TITLE_CELLS), None)
    if above is None or above > MOST_TITLE_ROWS:
        return 0
    header = list(rows[above])
    usual, _ = Counter(map(len, rows[above:])).most_common(1)[0]
    even = len(header) == usual
    while header[-1] in ("", None):  # a delimiter ends each line
        header.pop()
    # One name may be missing, as that of the numbers of the rows often is.
    whole = even and len(header) >= LEAST_COLUMNS and filled[above] >= len(header) - 1
    words = all(not _NUMBER.fullmatch(str(cell).strip()) for cell in header)
    return above if whole and words else 0


def ends_in_total(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether the last row may be a total: it has at most half as many cells as the others.

    >>> ends_in_total([[1, "a", 2, 3]] * 9 + [["Total", "", 20, ""]]), ends_in_total([[1, 2]])
    (True, False)
    """
    if len(rows) < MOST_TITLE_ROWS - 2:
        return False
    *others, last = map(_filled, rows)
    return isinstance(rows[-1][0], str) and 0 < last <= min(others) / 2
