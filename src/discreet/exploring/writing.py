"""Writing an exploration: the map as page, picture and table, and the recommended plan."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from discreet.contracts.registry import find
from discreet.exploring.exploration import Exploration, bounds
from discreet.exploring.point import Point
from discreet.io.atomic import write_private
from discreet.version import version

if TYPE_CHECKING:
    from discreet.release.plan import Plan

PAGE, PICTURE, TABLE, PLAN = "ru-map.html", "ru-map.svg", "settings.csv", "recommended.yaml"


def write(exploration: Exploration, directory: Path, plan: Plan | None) -> Path:
    """Write everything to a directory, for the owner of the data alone."""
    from discreet.report.ru_map import ru_page, ru_picture

    directory.mkdir(parents=True, exist_ok=True)
    content = collect(exploration)
    best, maps = exploration.recommended, content["maps"]
    _put(directory / PAGE, ru_page(content))
    _put(directory / PICTURE, ru_picture(content, maps[0]) if maps else None)
    _put(directory / TABLE, _csv(exploration))
    ready = None if plan is None or best is None else plan_text(plan, best, exploration)
    _put(directory / PLAN, ready)
    return directory


def _put(path: Path, text: str | None) -> None:
    """Write a text where an earlier search, under other limits perhaps, may have left one.

    Without a text nothing stays there: an old recommendation would be taken for this search's.
    """
    if text is None:
        path.unlink(missing_ok=True)
        return
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    write_private(fresh, text.encode())
    fresh.replace(path)


def collect(exploration: Exploration) -> dict[str, Any]:
    """Return the exploration as plain data."""
    methods = list(dict.fromkeys(point.candidate.label for point in exploration.points))
    best, front = exploration.recommended, {id(p) for p in exploration.front}
    measured = {id(p): rank for rank, p in enumerate(exploration.by_goal)}
    limits = bounds(exploration.limits)
    specs = [
        {
            "name": spec.name,
            "title": spec.title,
            "percent": spec.percent,
            "better": spec.better.value,
            "side": spec.side.value,
            "limit": limits.get(spec.name),
        }
        for spec in exploration.specs
    ]
    risks = [spec for spec in specs if spec["side"] == "risk"]
    goals = {goal.spec.name for goal in exploration.goals}
    others = [spec for spec in specs if spec["name"] in goals and spec not in risks[:1]]
    return {
        "discreet": version(),
        "words": exploration.words,
        "methods": methods,
        "measures": specs,
        "maps": [{"risk": risk, "utility": other} for risk in risks[:1] for other in others],
        "points": [
            {
                "setting": point.label,
                "method": methods.index(point.candidate.label),
                "scores": {
                    name: {"mean": value.mean, "low": value.low, "high": value.high}
                    for name, value in point.scores.items()
                },
                "keeps": point.keeps(exploration.limits),
                "front": id(point) in front,
                "recommended": point is best,
                "rank": measured.get(id(point), len(measured)),
                "repetitions": len(point.trials),
                "seconds": point.seconds,
                "reason": point.reason,
            }
            for point in exploration.points
        ],
    }


def plan_text(plan: Plan, best: Point, exploration: Exploration) -> str:
    """Return the user's plan with the recommended steps in place of its own, ready to run.

    The limits are claims of the plan: the release gate measures them on the very draw that is to
    be released, and refuses one that happens to break them.
    """
    content: dict[str, Any] = {"version": 1}
    if plan.file is not None:
        file = (plan.folder / plan.file).resolve()
        content["data"] = {"file": str(file), **dict(plan.options)}
    content["columns"] = {
        name: {
            key: value
            for key, value in (
                ("role", plan.roles.get(name)),
                ("kind", None if isinstance(plan.kinds.get(name), list) else plan.kinds.get(name)),
                (
                    "categories",
                    plan.kinds.get(name) if isinstance(plan.kinds.get(name), list) else None,
                ),
            )
            if value is not None
        }
        for name in dict.fromkeys([*plan.roles, *plan.kinds])
    }
    content["steps"] = [_with_whole_paths("method", step) for step in best.steps]
    content["claims"] = bounds(exploration.limits)
    if plan.measures is not None:
        content["measures"] = [measure.recipe() for measure in plan.measures]
    content["release"] = {"shuffle": plan.shuffle}
    if plan.format is not None:
        content["release"]["format"] = plan.format
    head = "".join(f"# {line}\n" for line in exploration.words)
    return head + yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100)


def _with_whole_paths(family: str, recipe: Mapping[str, Any]) -> dict[str, Any]:
    """Return the recipe with every file named from the root, so that it runs from anywhere."""
    ((name, values),) = recipe.items()
    params = find(family, name).params()
    found = dict(values or {})
    for key, value in found.items():
        inner = getattr(params[key].type, "family", None)
        if params[key].path and value is not None:
            entries = (entry.partition("=") for entry in value)
            found[key] = [f"{word}={Path(path.strip()).resolve()}" for word, _, path in entries]
        elif inner is not None and isinstance(value, Mapping):
            found[key] = _with_whole_paths(inner, value)
    return {name: found}


def _csv(exploration: Exploration) -> str:
    table = exploration.to_dict()
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(zip(*table.values(), strict=True))
    return out.getvalue()
