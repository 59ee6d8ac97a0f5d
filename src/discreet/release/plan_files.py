"""The files of a plan: several that are joined by keys, each with its own columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from discreet.contracts import Method
from discreet.io.files import read_table
from discreet.io.formats import FileTable
from discreet.io.joining import Joined, joined_files
from discreet.microdata import Role
from discreet.release.plan_columns import StatedColumns, columns_of
from discreet.release.plan_components import method_of
from discreet.release.plan_file import Path as Place
from discreet.release.plan_file import PlanText, refuse_foreign

KEYS = (Role.HOUSEHOLD.value, Role.PERSON.value)
NAME = "letters, digits, '-' and '_'"


@dataclass(frozen=True)
class PlannedFile:
    """One of the files: where it is, how it is read, and which of its columns the plan names."""

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
    """Return the files of a plan, and what it states about their columns.

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
    if len(content) < 2:
        text.wrong(
            ("files",),
            "name two files or more here, such as households and persons, each with 'file:' and "
            "'columns:'",
        )
    files: dict[str, PlannedFile] = {}
    stated = StatedColumns()
    for name, entry in content.items():
        if not name.replace("-", "").replace("_", "").isalnum() or not name.isascii():
            text.wrong(("files", name), f"the released file gets this name: use {NAME} only")
        options = dict(text.mapping(("files", name), entry, None))
        columns = options.pop("columns", None)
        options.pop("steps", None)
        file = options.pop("file", None)
        if not isinstance(file, str):
            text.wrong(("files", name), "this needs 'file:' with the name of the file")
        part = columns_of(text, columns, strict, ("files", name, "columns"))
        names = tuple(text.mapping(("files", name, "columns"), columns or {}, None))
        for field in fields(StatedColumns):
            getattr(stated, field.name).update(getattr(part, field.name))
        files[name] = PlannedFile(file, options, names)
    _refuse_without_keys(text, files, stated)
    return files, stated


def steps_of_files(
    text: PlanText, value: Any, files: Mapping[str, PlannedFile], stated: StatedColumns
) -> tuple[Method, ...]:
    """Return the steps that stand below files, each for the columns of its file alone.

    >>> from discreet.release.plan_file import parse_plan_text
    >>> text = parse_plan_text('''
    ... homes: {file: homes.csv, columns: {hid: household, town: quasi-identifier}, steps: [pram]}
    ... people: {file: people.csv, columns: {hid: household, age: quasi-identifier}}
    ... ''')
    >>> steps_of_files(text, text.content, *files_of(text, text.content))[0].values()["columns"]
    ('town',)
    """
    steps = []
    for name, file in files.items():
        listed = value[name].get("steps")
        if listed is None:
            continue
        if not isinstance(listed, list):
            text.wrong(("files", name, "steps"), "this must be a list of methods")
        for i, entry in enumerate(listed):
            place = ("files", name, "steps", i)
            steps.append(_for_file(text, place, method_of(text, place, entry), file, stated))
    return tuple(steps)


def _for_file(
    text: PlanText, place: Place, step: Method, file: PlannedFile, stated: StatedColumns
) -> Method:
    """Return a step that treats columns of one file: those that it names, or the
    quasi-identifiers.
    """
    if "columns" not in step.params():
        text.wrong(
            place,
            f"{step.spec.name} treats whole records, which are those of all files; name it in "
            "'steps:' of the plan",
        )
    asked = step.values()["columns"]
    known = [n for n in file.columns if stated.roles.get(n) == Role.QUASI_IDENTIFIER.value]
    foreign = [name for name in asked or () if name not in file.columns]
    if foreign or not (asked or known):
        reason = f"'{foreign[0]}' is not one" if foreign else "none is a quasi-identifier"
        text.wrong(
            place,
            f"a step below a file treats columns of that file, and {reason}; correct 'columns', or "
            "name the step in 'steps:' of the plan",
        )
    return step if asked else type(step)(**{**step.values(), "columns": known})


def _common(files: Mapping[str, PlannedFile]) -> dict[str, int]:
    """Return the columns of more than one file, and how many files have them."""
    named = Counter(name for file in files.values() for name in file.columns)
    return {name: count for name, count in named.items() if count > 1}


def _refuse_without_keys(
    text: PlanText, files: Mapping[str, PlannedFile], stated: StatedColumns
) -> None:
    """Refuse files that keys do not join in exactly one way, and other columns in common."""
    common = _common(files)
    reached = set(next(iter(files.values())).columns)
    for _ in files:
        for file in files.values():
            if reached & common.keys() & set(file.columns):
                reached.update(file.columns)
    all_reached = all(reached.issuperset(file.columns) for file in files.values())
    in_one_way = sum(count - 1 for count in common.values()) == len(files) - 1
    numbering = all(stated.roles.get(name) in KEYS for name in common)
    if not (all_reached and in_one_way and numbering):
        text.wrong(
            ("files",),
            "each file has one column in common with another, the key, with the role household or "
            "person in both; other columns need different names",
        )


def read_files(
    files: Mapping[str, PlannedFile], folder: Path, every: bool
) -> tuple[FileTable, Joined]:
    """Read the files of a plan and join them by their keys."""
    tables = {name: file.read(folder, every) for name, file in files.items()}
    paths = tuple(folder / file.file for file in files.values())
    return joined_files(tables, list(_common(files)), paths)
