"""Editing and saving plans from Python."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from discreet.contracts import Component
from discreet.errors import DataError
from discreet.io.database import is_address
from discreet.io.whole_file import write_whole
from discreet.release.freezing import HEAD
from discreet.release.plan import Plan
from discreet.release.plan_file import dump, parse_plan_text
from discreet.release.plan_parts import parts_of


def edited(plan: Plan, changes: Mapping[str, Any]) -> Plan:
    """Return a plan with other parts, checked as those of a file are.

    >>> edited(Plan.parse("steps: [rounding]\\nclaims: {k-anonymity: 2}"), {"claims": None}).claims
    {}
    """
    text = dump(_merged(plan.content(), changes))
    parts = parts_of(parse_plan_text(text, "the edited plan"), plan.folder)
    return Plan(**parts)


def save(plan: Plan, path: Path, overwrite: bool = False) -> Path:
    """Write a plan to a file; its paths are relative to the folder of that file."""
    if path.exists() and not overwrite:
        raise DataError(
            f"'{path}' exists already; choose another name, or replace it with overwrite=True"
        )

    def moved(file: str) -> str:
        if is_address(file) or Path(file).is_absolute():
            return file
        return Path(os.path.relpath(plan.folder / file, path.parent)).as_posix()

    def seen_from_there(named: str) -> str:
        if Path(named).is_absolute():
            return named
        return Path(os.path.relpath(named, path.parent)).as_posix()

    measures = plan.measures and tuple(m.with_files(seen_from_there) for m in plan.measures)
    placed = replace(
        plan,
        steps=tuple(step.with_files(seen_from_there) for step in plan.steps),
        measures=measures,
        file=None if plan.file is None else moved(plan.file),
        files={name: replace(f, file=moved(f.file)) for name, f in plan.files.items()},
        folder=path.parent,
    )
    head = HEAD if plan.frozen else ""
    write_whole(path, f"{head}{placed.dump()}".encode(), private=plan.frozen)
    return path


def _merged(content: Any, changes: Any) -> Any:
    """Return plain data with changes: mappings entry by entry, all else replaced."""
    if isinstance(content, Mapping) and isinstance(changes, Mapping):
        merged = dict(content)
        for key, change in changes.items():
            if change is None:
                merged.pop(key, None)
            else:
                merged[key] = _merged(merged.get(key), change)
        return merged
    return _plain(changes)


def _plain(value: Any) -> Any:
    if isinstance(value, Component):
        return value.recipe()
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value
