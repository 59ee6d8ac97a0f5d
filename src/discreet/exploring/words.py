"""The outcome of a search in sentences: what won, why, and what the runner-up trades."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from discreet.contracts import Better, MeasureSpec
from discreet.exploring.point import Limit, Point
from discreet.release.assessment import shown

if TYPE_CHECKING:
    from discreet.exploring.exploration import Exploration


def explained(exploration: Exploration) -> list[str]:
    """Return the outcome in sentences."""
    tried = len(exploration.points)
    failed = sum(not point.scores for point in exploration.points)
    methods = {tuple(next(iter(step)) for step in p.steps) for p in exploration.points}
    said = [
        f"{_counted(tried, 'setting')} of {_counted(len(methods), 'method')} "
        f"{'was' if tried == 1 else 'were'} tried"
        + (f", {failed} of them without a release" if failed else "")
        + (f"; {exploration.unfinished}" if exploration.unfinished else "")
    ]
    best = exploration.recommended
    if best is None:
        return [*said, *_not_met(exploration)]
    said.append(f"recommended: {best.label}")
    kept = ", ".join(_kept(best, limit) for limit in exploration.limits)
    goals = ", ".join(f"{g.spec.title} {_mean(best, g.spec)}" for g in exploration.goals)
    said.append(f"it has {goals}" + (f", and keeps {kept}" if kept else ""))
    others = [p for p in exploration.ranked if p.candidate is not best.candidate]
    if others:
        said.append(_traded(exploration, best, others[0]))
    return said


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _not_met(exploration: Exploration) -> list[str]:
    if not exploration.measured:
        reasons = Counter(point.reason for point in exploration.points if point.reason)
        why = [f", most often because: {reason}" for reason, _ in reasons.most_common(1)]
        return ["no setting was measured" + "".join(why)]
    limits = ", ".join(_limit(limit) for limit in exploration.limits)
    said = [f"no setting keeps the limits ({limits})"]
    closest = exploration.closest
    if closest is not None:
        figures = ", ".join(
            f"{limit.spec.title} {_mean(closest, limit.spec)}" for limit in exploration.limits
        )
        said.append(f"the closest is {closest.label} with {figures}")
    return said


def _limit(limit: Limit) -> str:
    word = "at least" if limit.spec.better is Better.HIGHER else "at most"
    return f"{limit.spec.name} {word} {shown(limit.bound, limit.spec)}"


def _kept(point: Point, limit: Limit) -> str:
    return f"{_limit(limit)} with {_mean(point, limit.spec)}"


def _mean(point: Point, spec: MeasureSpec) -> str:
    return shown(point.scores[spec.name].mean, spec)


def _traded(exploration: Exploration, best: Point, other: Point) -> str:
    """Say what one would win and lose by taking the runner-up."""
    better: list[str] = []
    worse: list[str] = []
    for spec in exploration.specs:
        one, two = exploration.cost(best, spec), exploration.cost(other, spec)
        if one == two:
            continue
        figures = f"{spec.name} {_mean(other, spec)} instead of {_mean(best, spec)}"
        (better if two < one else worse).append(figures)
    lost = f"loses {' and '.join(worse)}" if worse else "loses nothing that was measured"
    won = f"wins {' and '.join(better)}" if better else "wins nothing that was measured"
    return f"the runner-up, {other.label}, {lost}, and {won}"
