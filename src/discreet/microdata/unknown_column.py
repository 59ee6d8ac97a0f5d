"""The sentence for a column that is not there. It quotes the other names only if they are names.

The first line of a file that lost its header is a record, and no message quotes values of a record.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from discreet.errors import nearest

__all__ = ["look_like_values", "named_by_header", "unknown_column"]

MOST_LISTED = 12

_MOMENT = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\D.*")


def unknown_column(
    name: str,
    known: Iterable[str],
    *,
    asked_by: str = "",
    asked: Collection[str] = (),
    repeated_below: bool = False,
) -> str:
    """Return the sentence for a column that is not in the file.

    `asked` are all names that are looked for, and `repeated_below` says that the name of a column
    is also one of its values.

    >>> unknown_column("agee", ["age", "sex"])
    "there is no column 'agee'; did you mean 'age'? (columns: 'age', 'sex')"

    Names that look like values are not quoted; nor are any where none of several is found.

    >>> unknown_column("age", ["31", "Ayle"])
    "there is no column 'age', and the first line of the file looks like a record; check ..."
    >>> unknown_column("age", ["Bron", "Ayle"], asked=["age", "town"], asked_by="the plan")
    "the plan names column 'age', which is not in the data, nor is any other that it names; ..."

    A quotation mark that is not closed makes a record part of the header. Then a name spans several
    lines and holds a delimiter, or is the only one, and no name is repeated.

    >>> unknown_column("age", ["ge,sex\\n30", "f"], asked_by="the plan")
    "the plan names column 'age', which is not in the data; a name in the header spans ..."
    """
    known = list(known)
    prefix = f"{asked_by} names" if asked_by else "there is no"
    suffix = ", which is not in the data" if asked_by else ""
    over_a_line = [column for column in known if "\n" in column or "\r" in column]
    if any(len(known) == 1 or set(",;|\t") & set(column) for column in over_a_line):
        return (
            f"{asked_by or 'the plan'} names column '{name}', which is not in the data; a name in "
            "the header spans several lines: check its quotation marks, or write the name as it is"
        )
    if not named_by_header(asked, known):
        way_out = "check that it is the right file and that its first line names the columns"
        if len(set(asked)) > 1:
            return f"{prefix} column '{name}'{suffix}, nor is any other that it names; {way_out}"
        if repeated_below or look_like_values(known):
            return (
                f"{prefix} column '{name}'{suffix}, and the first line of the file looks like a "
                f"record; {way_out}"
            )
    listed = ", ".join(f"'{column}'" for column in known[:MOST_LISTED])
    listed += ", …" if len(known) > MOST_LISTED else ""
    return f"{prefix} column '{name}'{suffix}{nearest(name, known)} (columns: {listed})"


def named_by_header(asked: Iterable[str], known: Iterable[str]) -> bool:
    """Whether one of the names is there, ignoring case and blanks: then the header is a header.

    >>> named_by_header(["Age", "town"], ["age ", "Town name"]), named_by_header(["age"], ["31"])
    (True, False)
    """
    header_names = {column.strip().casefold() for column in known}
    return any(str(name).strip().casefold() in header_names for name in asked)


def look_like_values(names: Iterable[str]) -> bool:
    """Whether one of the names is a number, a date or a time, as in a record.

    >>> [look_like_values([name]) for name in ("31", "1e5", "1.200,50 €", "2020-01-31 10:00 Z")]
    [True, True, True, True]
    >>> look_like_values(["age", "x1", "1st visit"])
    False
    """
    return any(_like_a_value(name.strip()) for name in names)


def _like_a_value(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        digits = any(letter.isdigit() for letter in name)
        letters = any(letter.isalpha() for letter in name)
        return digits and (not letters or _MOMENT.fullmatch(name) is not None)
    return True
