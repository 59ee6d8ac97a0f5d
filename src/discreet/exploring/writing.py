"""Writing an exploration: the map as page, picture and table, and the recommended plan."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.contracts import Method, Side
from discreet.contracts.registry import build
from discreet.exploring.exploration import Exploration, bounds
from discreet.exploring.point import MASKED, SYNTHETIC, Point
from discreet.exploring.trial import Task
from discreet.io.atomic import write_private
from discreet.report.plain import as_json
from discreet.report.ru_map import (
    Estimate,
    MapContent,
    MapPoint,
    RUMap,
    ru_page,
    ru_picture,
)
from discreet.version import version

if TYPE_CHECKING:
    from discreet.release.plan import Plan

PAGE, PICTURE, TABLE, PLAN = "ru-map.html", "ru-map.svg", "settings.csv", "recommended.yaml"
SETTINGS = "settings.json"


def write(exploration: Exploration, directory: Path, plan: Plan | None) -> Path:
    """Write everything to a directory, readable only by the owner of the data."""
    directory.mkdir(parents=True, exist_ok=True)
    content = collect(exploration)
    _put(directory / PAGE, ru_page(content))
    _put(directory / PICTURE, ru_picture(content, content.maps[0]) if content.maps else None)
    write_table(directory / TABLE, exploration.to_dict())
    _put(directory / SETTINGS, json.dumps(settings(exploration), ensure_ascii=False, indent=1))
    for name, point in plans(exploration).items():
        ready = None if plan is None or point is None else plan_text(plan, point, exploration)
        _put(directory / name, ready)
    return directory


def plans(exploration: Exploration) -> dict[str, Point | None]:
    """Return the recommended setting by the name of its plan, and that of the other kind of
    records.
    """
    other = exploration.alternative
    return {
        PLAN: exploration.recommended,
        **{
            f"recommended-{records}.yaml": other if other and other.records == records else None
            for records in (MASKED, SYNTHETIC)
        },
    }


def _put(path: Path, text: str | None) -> None:
    """Write a text where an earlier search, perhaps with other limits, may have left one.

    Without a text the file is removed: an old recommendation would be mistaken for this search's.
    """
    if text is None:
        path.unlink(missing_ok=True)
        return
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    write_private(fresh, text.encode())
    fresh.replace(path)


def collect(exploration: Exploration) -> MapContent:
    """Return what the map and its page show."""
    methods = list(dict.fromkeys(point.candidate.label for point in exploration.points))
    best, front = {*plans(exploration).values()}, {id(p) for p in exploration.front}
    measured = {id(p): rank for rank, p in enumerate(exploration.by_goal)}
    limits = bounds(exploration.limits)
    risks = [spec for spec in exploration.specs if spec.side is Side.RISK][:1]
    goals = {goal.spec.name for goal in exploration.goals}
    others = [s for s in exploration.specs if s.name in goals and s not in risks]
    return MapContent(
        discreet=version(),
        words=tuple(exploration.words),
        methods=tuple(methods),
        measures=tuple(exploration.specs),
        maps=tuple(RUMap(risk, other, limits.get(risk.name)) for risk in risks for other in others),
        points=tuple(
            MapPoint(
                setting=point.label,
                method=methods.index(point.candidate.label),
                scores={
                    name: Estimate(value.mean, value.low, value.high, value.at_least)
                    for name, value in point.scores.items()
                },
                keeps=point.keeps(exploration.limits),
                front=id(point) in front,
                recommended=point in best,
                rank=measured.get(id(point), len(measured)),
                repetitions=len(point.trials),
                seconds=point.seconds,
                reason=point.reason,
            )
            for point in exploration.points
        ),
    )


def settings(exploration: Exploration) -> dict[str, Any]:
    """Return every setting with its steps and scores as plain data, for further processing."""
    plain = as_json(collect(exploration).points)
    return {
        "limits": dict(bounds(exploration.limits)),
        "goals": [goal.spec.name for goal in exploration.goals],
        "words": list(exploration.words),
        "settings": [
            {**figures, "steps": Task(tuple(point.steps)).plain_steps, "ruin": point.ruin}
            for figures, point in zip(plain, exploration.points, strict=True)
        ],
    }


def plan_text(plan: Plan, best: Point, exploration: Exploration) -> str:
    """Return the user's plan with the recommended steps in place of its own, ready to run.

    The limits are claims of the plan: the release gate measures them on the draw that is to be
    released, and refuses one that happens to exceed them.
    """
    working_folder = Path.cwd()
    recommended = replace(
        plan,
        file=None if plan.file is None else str((plan.folder / plan.file).resolve()),
        steps=tuple(_method(step).files_from(working_folder) for step in best.steps),
        claims=bounds(exploration.limits),
        folder=Path(),
    )
    head = "".join(f"# {line}\n" for line in exploration.words)
    return head + recommended.dump()


def _method(recipe: Mapping[str, Any]) -> Method:
    method = build("method", recipe)
    assert isinstance(method, Method)
    return method


def write_table(path: Path, columns: Mapping[str, list[Any]]) -> None:
    """Write columns as a CSV file that only the owner of the data can read."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    _put(path, out.getvalue())
