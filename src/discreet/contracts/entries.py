"""Entries: names with values below them, as a parameter takes them from a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

Entries = Mapping[str, Any] | None


class Table(Mapping[Any, Any]):
    """Named entries, possibly nested, as a plan writes them; immutable.

    >>> table = Table({"sex": {"f": {"f": 0.9, "m": 0.1}}})
    >>> table["sex"]["f"]["m"], table.plain()
    (0.1, {'sex': {'f': {'f': 0.9, 'm': 0.1}}})
    """

    def __init__(self, entries: Mapping[Any, Any]) -> None:
        self._entries = {key: _frozen(value) for key, value in entries.items()}

    def __getitem__(self, key: Any) -> Any:
        return self._entries[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __hash__(self) -> int:
        return hash(frozenset(self._entries.items()))

    def __repr__(self) -> str:
        return repr(self.plain())

    def plain(self) -> dict[Any, Any]:
        """Return the entries as a plan writes them."""
        return {key: _as_written(value) for key, value in self._entries.items()}


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return Table(value)
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


def _as_written(value: Any) -> Any:
    if isinstance(value, Table):
        return value.plain()
    return [_as_written(part) for part in value] if isinstance(value, tuple) else value


def file_name(entry: str) -> str:
    """Return `column=path` with the name of the file in place of its path.

    >>> file_name("town=/home/me/towns.csv")
    'town=towns.csv'
    """
    column, _, path = entry.partition("=")
    return f"{column}={PurePath(path.replace(chr(92), '/')).name}"
