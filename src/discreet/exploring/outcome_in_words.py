"""The outcome of a search in sentences: what won, why, and what another release trades."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from discreet.contracts import Better, MeasureSpec
from discreet.exploring.point import MASKED, Limit, Point
from discreet.release.assessment import shown
from discreet.release.describing import counted

if TYPE_CHECKING:
    from discreet.exploring.exploration import Exploration


def explained(exploration: Exploration) -> list[str]:
    """Return the outcome in sentences."""
    tried = len(exploration.points)
    failed = sum(not point.scores for point in exploration.points)
    methods = {tuple(next(iter(step)) for step in p.steps) for p in exploration.points}
    sentences = [
        f"{counted(tried, 'setting')} of {counted(len(methods), 'method')} "
        f"{'was' if tried == 1 else 'were'} tried"
        + (f", {failed} of them without a release" if failed else "")
        + (f"; {exploration.unfinished}" if exploration.unfinished else "")
    ]
    best = exploration.recommended
    if best is None:
        return [*sentences, *_not_met(exploration), *_losing(exploration)]
    sentences.append(f"recommended: {best.label}")
    kept = ", ".join(_kept(best, limit) for limit in exploration.limits)
    goals = ", ".join(f"{g.spec.title} {_mean(best, g.spec)}" for g in exploration.goals)
    sentences.append(f"it has {goals}" + (f", and keeps {kept}" if kept else ""))
    if best.changed is not None:
        sentences.append(
            f"{100 * best.changed:.0f} % of the association between columns changed"
            + _as_good(exploration.only(best.records))
        )
    other = exploration.alternative
    if other is not None:
        sentences.append(_alternative(exploration, best, other))
    else:
        sentences.extend(_runner_up(exploration, best))
    return [*sentences, *_losing(exploration.only(best.records))]


def _as_good(exploration: Exploration) -> str:
    """Say that others are as good by the only goal, if the association decided."""
    others = len(exploration.as_good) - 1
    if others < 1 or len(exploration.goals) > 1:
        return ""
    title = exploration.goals[0].spec.title
    return (
        f"; {title} cannot distinguish it from {counted(others, 'other setting')} in which more did"
    )


def _alternative(exploration: Exploration, best: Point, other: Point) -> str:
    """Describe the best release of the other kind of records, and what it would gain and lose."""
    if other.records == MASKED:
        wish = "if every record is to come from one of the file"
    else:
        wish = "if records may be drawn anew"
    traded = _traded(exploration, best, other)
    return f"recommended {wish}: {other.label}; compared with {best.label}, it {traded}"


def _runner_up(exploration: Exploration, best: Point) -> list[str]:
    """Describe the best release by another kind of method, or else by another method."""
    others = [p for p in exploration.ranked if p.candidate is not best.candidate]
    unlike = [p for p in others if p.methods != best.methods]
    return [
        f"the runner-up, {other.label}, {_traded(exploration, best, other)}"
        for other in [*unlike, *others][:1]
    ]


def _losing(exploration: Exploration) -> list[str]:
    """Describe the better figures that were passed over because of other losses."""
    if exploration.may_lose:
        return []
    passed = [p for p in exploration.by_goal if p.keeps(exploration.limits) and p.ruin]
    ranked = exploration.by_goal
    best = exploration.recommended
    better = [p for p in passed if best is None or ranked.index(p) < ranked.index(best)]
    if not better:
        return []
    return [f"{better[0].label} has better figures and was passed over: {better[0].ruin}"]


def _not_met(exploration: Exploration) -> list[str]:
    if not exploration.measured:
        reasons = Counter(point.reason for point in exploration.points if point.reason)
        why = [f", most often because: {reason}" for reason, _ in reasons.most_common(1)]
        return ["no setting was measured" + "".join(why)]
    if any(point.keeps(exploration.limits) for point in exploration.measured):
        return ["no setting that keeps the limits can be recommended"]
    limits = ", ".join(_limit(limit) for limit in exploration.limits)
    sentences = [f"no setting keeps the limits ({limits})"]
    closest = exploration.closest
    if closest is not None:
        figures = ", ".join(
            f"{limit.spec.title} {_mean(closest, limit.spec)}" for limit in exploration.limits
        )
        sentences.append(f"the closest is {closest.label} with {figures}")
    return sentences


def _limit(limit: Limit) -> str:
    word = "at least" if limit.spec.better is Better.HIGHER else "at most"
    return f"{limit.spec.name} {word} {shown(limit.bound, limit.spec)}"


def _kept(point: Point, limit: Limit) -> str:
    return f"{_limit(limit)} with {_mean(point, limit.spec)}"


def _mean(point: Point, spec: MeasureSpec) -> str:
    value = point.scores[spec.name]
    return f"at least {shown(value.mean, spec)}" if value.at_least else shown(value.mean, spec)


def _traded(exploration: Exploration, best: Point, other: Point) -> str:
    """Describe what another release would gain and lose."""
    better: list[str] = []
    worse: list[str] = []
    for spec in exploration.specs:
        best_cost, other_cost = exploration.cost(best, spec), exploration.cost(other, spec)
        if best_cost == other_cost:
            continue
        figures = f"{spec.name} {_mean(other, spec)} instead of {_mean(best, spec)}"
        (better if other_cost < best_cost else worse).append(figures)
    lost = f"loses {' and '.join(worse)}" if worse else "loses nothing that was measured"
    gained = f"gains {' and '.join(better)}" if better else "gains nothing that was measured"
    return f"{lost}, and {gained}"
