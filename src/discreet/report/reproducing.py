"""How a release can be made again, and where its methods and measures come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from discreet.release.plan_file import dump
from discreet.report.content import Column, Content, PlannedStep
from discreet.report.public_form import Part, PublicColumn, PublicContent, PublicScore, Step


def plan(content: PublicContent) -> str:
    """Return the plan of the release, without the seed."""
    written: dict[str, Any] = {"version": 1}
    if isinstance(content, Content) and content.file.name:
        written["data"] = {"file": content.file.name}
    columns = {column.name: _planned(column) for column in content.columns}
    if isinstance(content, Content) and content.file.joined:
        written["files"] = {
            part.name: {
                "file": part.file,
                "columns": {name: columns[name] for name in part.columns},
            }
            for part in content.file.joined
        }
    else:
        written["columns"] = columns
    if isinstance(content, Content) and content.allowed:
        written["allow"] = list(content.allowed)
    if isinstance(content, Content) and content.rules:
        written["rules"] = list(content.rules)
    written["steps"] = [{step.name: parameters(step)} for step in content.steps]
    if isinstance(content, Content) and content.calibrate:
        written["calibrate"] = list(content.calibrate)
    if content.claims:
        written["claims"] = {claim.measure: claim.bound for claim in content.claims}
    release = {
        **({} if content.shuffled else {"shuffle": False}),
        **({} if content.keep_decimals else {"decimals": "free"}),
    }
    if isinstance(content, Content) and content.hold_back is not None:
        release["hold_back"] = content.hold_back
    if release:
        written["release"] = release
    if content.released_file is not None and content.released_file.spreadsheet_safe:
        written["csv"] = {"spreadsheet_safe": True}
    return dump(written)


def parameters(step: Step) -> Mapping[str, Any]:
    """Return the parameters that a form of the report shows: all of them, or the public ones."""
    planned = step.planned if isinstance(step, PlannedStep) else None
    return step.parameters if planned is None else planned


def _planned(column: PublicColumn) -> dict[str, Any]:
    if not isinstance(column, Column):
        assert column.released is not None
        return {"role": column.role, "kind": column.released.kind}
    planned: dict[str, Any] = {"role": column.role, "kind": column.kind}
    return {**planned, "categories": list(column.categories)} if column.categories else planned


def cited(content: PublicContent) -> dict[str, list[str]]:
    """Return where the methods and measures come from, each source once with what it is for."""
    sources: dict[str, list[str]] = {}
    described: list[Step | Part | PublicScore] = [*content.steps]
    described += [part for step in content.steps for part in step.parts]
    for entry in [*described, *content.scores]:
        titles = sources.setdefault(entry.citation, [])
        if entry.title not in titles:
            titles.append(entry.title)
    return {citation: titles for citation, titles in sources.items() if citation}
