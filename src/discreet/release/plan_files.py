"""The files of a plan: two that are joined by a key, each with its own columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from discreet.io.files import read_table
from discreet.io.formats import FileTable
from discreet.io.joining import Joined, joined_files
from discreet.microdata import Role
from discreet.release.plan_columns import StatedColumns, columns_of
from discreet.release.plan_file import PlanText, refuse_foreign

KEYS = (Role.HOUSEHOLD.value, Role.PERSON.value)
NAME = "letters, digits, '-' and '_'"


@dataclass(frozen=True)
class PlannedFile:
    """One of the files: where it is, how it is read, and which columns the plan names of it."""

    file: str
    options: Mapping[str, Any]
    columns: tuple[str, ...]

    def read(self, folder: Path, every: bool) -> FileTable:
        """Read the columns that the plan names, or every column."""
        path = folder / self.file
        refuse_foreign(path, None)
        return read_table(path, columns=None if every else list(self.columns), **self.options)


def files_of(
    text: PlanText, value: Any, strict: bool = False
) -> tuple[dict[str, PlannedFile], StatedColumns]:
    """Return the files of a plan, and what it states about the columns of both.

    >>> from discreet.release.plan_file import parse_plan_text
    >>> text = parse_plan_text('''
    ... homes: {file: homes.csv, columns: {hid: household, town: quasi-identifier}}
    ... people: {file: people.csv, columns: {hid: household, age: quasi-identifier}}
    ... ''')
    >>> files, stated = files_of(text, text.content)
    >>> files["people"].columns, stated.roles
    (('hid', 'age'), {'hid': 'household', 'town': 'quasi-identifier', 'age': 'quasi-identifier'})
    """
    if value is None:
        return {}, StatedColumns()
    content = text.mapping(("files",), value, None)
    if len(content) != 2:
        text.wrong(
            ("files",),
            "name two files here, such as households and persons, each with 'file:' and 'columns:'",
        )
    files: dict[str, PlannedFile] = {}
    stated = StatedColumns()
    for name, entry in content.items():
        if not name.replace("-", "").replace("_", "").isalnum() or not name.isascii():
            text.wrong(("files", name), f"the released file gets this name: use {NAME} only")
        options = dict(text.mapping(("files", name), entry, None))
        columns = options.pop("columns", None)
        file = options.pop("file", None)
        if not isinstance(file, str):
            text.wrong(("files", name), "this needs 'file:' with the name of the file")
        part = columns_of(text, columns, strict, ("files", name, "columns"))
        names = tuple(text.mapping(("files", name, "columns"), columns or {}, None))
        for field in fields(StatedColumns):
            getattr(stated, field.name).update(getattr(part, field.name))
        files[name] = PlannedFile(file, options, names)
    _key(text, files, stated)
    return files, stated


def _key(text: PlanText, files: Mapping[str, PlannedFile], stated: StatedColumns) -> str:
    one, other = (set(file.columns) for file in files.values())
    both = [name for name in sorted(one & other) if stated.roles.get(name) in KEYS]
    if len(both) != 1 or one & other != {both[0]}:
        text.wrong(
            ("files",),
            "the files have one column in common, the key, with the role household or person in "
            "both; other columns need different names",
        )
    return both[0]


def read_files(
    files: Mapping[str, PlannedFile], folder: Path, roles: Mapping[str, str], every: bool
) -> tuple[FileTable, Joined]:
    """Read the files of a plan and join them by their key."""
    one, other = (set(file.columns) for file in files.values())
    key = next(name for name in one & other if roles.get(name) in KEYS)
    tables = {name: file.read(folder, every) for name, file in files.items()}
    return joined_files(tables, key, tuple(folder / file.file for file in files.values()))
