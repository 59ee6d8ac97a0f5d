"""What was tried so far, on one map: the releases of the studio and the settings of the search."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discreet.contracts import MeasureSpec, Side
from discreet.contracts.registry import entries
from discreet.errors import UsageError
from discreet.exploring.trial import Trial
from discreet.exploring.trial_store import finished_trials
from discreet.exploring.writing import SETTINGS
from discreet.report.markup import in_words
from discreet.report.ru_map import Estimate, MapContent, MapPoint, RUMap
from discreet.studio.tasks import EXPLORATION
from discreet.studio.tries import Outcome
from discreet.studio.work import Work
from discreet.version import version

LOSS = "propensity"


@dataclass(frozen=True)
class Tried:
    """A release or a setting that was tried: its name, its steps and its figures.

    `key` names it in an address: `try-3`, or `setting-12`.
    """

    key: str
    title: str
    steps: Sequence[Mapping[str, Any]]
    scores: Mapping[str, Estimate]
    outcome: Outcome | None = None
    keeps: bool = True
    recommended: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Search:
    """What the latest search was about, and its outcome in words."""

    limits: Mapping[str, float]
    words: tuple[str, ...]


def tried_here(work: Work) -> list[Tried]:
    """Return the releases that were made in the studio."""
    from discreet.studio.draft import Draft

    tried = []
    for outcome in work.tries.all():
        if outcome.error:
            continue
        steps = [step.recipe for step in Draft.of(outcome.text).steps if step.on]
        scores = {n: Estimate(after, after, after) for n, (_, after) in outcome.scores.items()}
        title = f"{', '.join(outcome.steps)} ({outcome.number})"
        tried.append(Tried(f"try-{outcome.number}", title, steps, scores, outcome))
    return tried


def searched_settings(work: Work) -> tuple[list[Tried], Search | None]:
    """Return the settings that the latest search tried, and what it was about."""
    try:
        text = (work.folder / EXPLORATION / SETTINGS).read_text(encoding="utf-8")
        plain = json.loads(text)
        listed = [
            Tried(
                f"setting-{number}",
                str(entry["setting"]),
                entry["steps"],
                {name: Estimate(**figures) for name, figures in entry["scores"].items()},
                None,
                bool(entry["keeps"]) and not entry["ruin"],
                bool(entry["recommended"]),
                str(entry["reason"] or entry["ruin"]),
            )
            for number, entry in enumerate(plain["settings"], start=1)
        ]
        return listed, Search(plain["limits"], tuple(plain["words"]))
    except (OSError, ValueError, KeyError, TypeError):
        return [], None


def so_far(work: Work) -> list[Tried]:
    """Return the settings of a search that is under way, or was stopped before its end."""
    folder = work.folder / EXPLORATION
    stores = sorted(folder.glob("trials-*.sqlite"), key=_changed_at)
    if not stores or _changed_at(folder / SETTINGS) >= _changed_at(stores[-1]):
        return []
    settings: dict[str, list[Trial]] = {}
    for trial in finished_trials(stores[-1]):
        settings.setdefault(json.dumps(trial.task.plain_steps), []).append(trial)
    return [_in_brief(text, trials) for text, trials in settings.items()]


def _in_brief(text: str, trials: Sequence[Trial]) -> Tried:
    steps = json.loads(text)
    scored = [trial.scores for trial in trials if trial.scores]
    scores = {
        name: Estimate(sum(values) / len(values), min(values), max(values))
        for name in (scored[0] if scored else {})
        if (values := [each[name] for each in scored if name in each])
    }
    title = " + ".join(_in_words(step) for step in steps)
    key = hashlib.sha256(text.encode()).hexdigest()[:12]
    return Tried(f"trial-{key}", title, steps, scores, reason=trials[-1].reason)


def _in_words(step: Mapping[str, Any]) -> str:
    [(name, values)] = step.items()
    return f"{name} ({in_words(values)})" if values else name


def _changed_at(path: Path) -> float:
    """Return when a file was written; the log beside a store is written first."""
    times = [p.stat().st_mtime for p in (path, path.with_name(f"{path.name}-wal")) if p.exists()]
    return max(times, default=0.0)


def measured(tried: Sequence[Tried], side: Side) -> list[MeasureSpec]:
    """Return the measures of a side for which anything that was tried has a figure."""
    names = {name for each in tried for name in each.scores}
    specs = [entry.spec for entry in entries("measure") if entry.spec.name in names]
    return [spec for spec in specs if isinstance(spec, MeasureSpec) and spec.side is side]


def chosen(specs: Sequence[MeasureSpec], name: str, usual: str) -> MeasureSpec | None:
    """Return the measure of a name, else the usual one, else the first."""
    by_name = {spec.name: spec for spec in specs}
    return by_name.get(name) or by_name.get(usual) or (specs[0] if specs else None)


def mapped(
    tried: Sequence[Tried], search: Search | None, across: MeasureSpec, up: MeasureSpec
) -> tuple[MapContent, RUMap]:
    """Return the map of everything that was tried, and its axes."""
    methods = list(dict.fromkeys(_methods(each) for each in tried))
    points = tuple(
        MapPoint(
            setting=each.title,
            method=methods.index(_methods(each)),
            scores=each.scores,
            keeps=each.keeps,
            front=False,
            recommended=each.recommended,
            rank=number,
            repetitions=1,
            seconds=0.0,
            reason=each.reason,
        )
        for number, each in enumerate(tried)
    )
    limit = search.limits.get(across.name) if search else None
    axes = RUMap(across, up, limit)
    return MapContent(version(), (), tuple(methods), (across, up), (axes,), points), axes


def find(tried: Sequence[Tried], key: str) -> Tried:
    """Return what was tried under a key."""
    for each in tried:
        if each.key == key:
            return each
    raise UsageError("this was not tried in this folder; load the page again")


def _methods(tried: Tried) -> str:
    return " + ".join(next(iter(step)) for step in tried.steps)
