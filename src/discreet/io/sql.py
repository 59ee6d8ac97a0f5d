"""Names in databases: how they are quoted, and which table is read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from discreet.errors import DataError, UsageError, nearest

__all__ = ["SeveralTables", "chosen_table", "qualified", "quoted"]


class SeveralTables(UsageError):
    """A file has several tables, and none was named."""

    def __init__(self, message: str, names: Sequence[str]) -> None:
        super().__init__(message)
        self.names = tuple(names)


def quoted(name: str) -> str:
    """Return a name as it is written in SQL.

    >>> quoted('a "strange" name')
    '"a ""strange"" name"'
    """
    return '"' + name.replace('"', '""') + '"'


def qualified(name: str) -> str:
    """Return the name of a table as it is written in SQL, with the schema that may precede it.

    >>> qualified("survey.persons")
    '"survey"."persons"'
    """
    return ".".join(map(quoted, name.split(".")))


def chosen_table(names: Sequence[str], wanted: str | None, path: Path) -> str:
    """Return the table to read: the one that is named, else the only one.

    >>> chosen_table(["persons", "visits"], None, Path("study.db"))
    Traceback (most recent call last):
    discreet.io.sql.SeveralTables: a table must be named if a file has several, but 'study.db' has
    persons, visits; name one with table=
    """
    if not names:
        raise DataError(f"a database must hold a table, but '{path.name}' has none")
    if wanted is None:
        if len(names) > 1:
            raise SeveralTables(
                f"a table must be named if a file has several, but '{path.name}' has "
                f"{', '.join(names)}; name one with table=",
                names,
            )
        return names[0]
    if wanted not in names:
        raise UsageError(
            f"'{path.name}' has the tables {', '.join(names)}, but '{wanted}' was "
            f"named{nearest(str(wanted), names)}"
        )
    return wanted
