"""Exploration: the settings that were tried, which of them are worth considering, and which won."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from discreet.contracts import Better, Measure, MeasureSpec, Side
from discreet.contracts.flattening import columns_of, flat, of_one_type
from discreet.exploring.point import EITHER, MASKED, SYNTHETIC, Limit, Point, Value
from discreet.microdata.notebook import html_table
from discreet.release.assessment import shown


@dataclass(frozen=True, eq=False)
class Exploration:
    """The R-U map of a file: points, their Pareto front, and the recommended release.

    `limits` bound the risk (and whatever else the user bounds), `goals` are the measures to
    optimise, and the first one decides. Among settings whose intervals reach the best one the next
    goal decides, and finally how little the association between columns changed. `unfinished` says
    why not everything was tried, and is empty if everything was. A release in which a column has
    lost everything, or the columns more than half of their association, is not recommended unless
    `may_lose` is set.

    `records` says whether masked or synthetic records are recommended where both keep the limits,
    or that the goals decide (`either`). Synthetic records are nobody's, so a limit on links hardly
    restricts them: the figures of the two kinds do not mean the same.
    """

    points: tuple[Point, ...]
    limits: tuple[Limit, ...]
    goals: tuple[Measure, ...]
    unfinished: str = ""
    may_lose: bool = False
    records: str = MASKED

    @property
    def specs(self) -> tuple[MeasureSpec, ...]:
        """The measures that the map has: those with a limit, then the goals."""
        measures = (*(limit.measure for limit in self.limits), *self.goals)
        return tuple({m.spec.name: m.spec for m in measures}.values())

    @property
    def measured(self) -> tuple[Point, ...]:
        """The points for which every measure has a value."""
        wanted = {spec.name for spec in self.specs}
        return tuple(point for point in self.points if wanted <= set(point.scores))

    @property
    def ranked(self) -> list[Point]:
        """The points that may be recommended, the best by the first goal first.

        By a first goal such as propensity, many good syntheses have no loss in most draws and a
        little in others: luck must not decide which of them comes first.
        """
        allowed, as_good = self._allowed, self.as_good
        return as_good + [point for point in allowed if point not in as_good]

    @property
    def as_good(self) -> list[Point]:
        """The points that the first goal cannot distinguish from the best, ordered by the other
        goals.
        """
        allowed = self._allowed
        as_good = [point for point in allowed if self._reaches(point, allowed[0])]
        return sorted(as_good, key=self._otherwise)

    @cached_property
    def _allowed(self) -> list[Point]:
        return [
            point
            for point in self.by_goal
            if point.keeps(self.limits) and (self.may_lose or not point.ruin)
        ]

    @property
    def by_goal(self) -> list[Point]:
        """The points for which every measure has a value, the best by the first goal first."""
        return sorted(self.measured, key=self._worth)

    @cached_property
    def recommended(self) -> Point | None:
        """The best point within the limits, of the requested kind of records if there is one.

        None if no point is within the limits.
        """
        wished = self.only(self.records).ranked if self.records != EITHER else []
        return next(iter(wished or self.ranked), None)

    @cached_property
    def alternative(self) -> Point | None:
        """The best point of the other kind of records: masked if synthetic ones are recommended,
        and synthetic if masked ones are; None if there is none.
        """
        best = self.recommended
        if best is None:
            return None
        other = SYNTHETIC if best.records == MASKED else MASKED
        return self.only(other).recommended

    def only(self, records: str) -> Exploration:
        """Return the exploration of the settings that release masked or synthetic records."""
        points = tuple(p for p in self.points if p.records == records)
        return replace(self, points=points, records=EITHER)

    @property
    def undecided(self) -> list[Point]:
        """The points that would be recommended if their intervals were narrower, the best first."""
        best = self.recommended
        return [
            point
            for point in self.by_goal
            if point.undecided(self.limits)
            and (self.may_lose or not point.ruin)
            and (best is None or self._comes_before(point, best))
        ]

    @property
    def closest(self) -> Point | None:
        """The point that comes closest to the limits."""
        known = [p for p in self.measured if math.isfinite(p.excess(self.limits))]
        return min(known, key=lambda p: (self._relative_excess(p), self._worth(p)), default=None)

    @property
    def front(self) -> list[Point]:
        """The points that no other point dominates: none is better in one measure and no worse in
        the rest."""
        undominated = []
        for point in self.measured:
            if not any(self._beats(other, point) for other in self.measured):
                undominated.append(point)
        return sorted(undominated, key=self._worth)

    def cost(self, point: Point, spec: MeasureSpec) -> float:
        """Return the mean of a measure, with its sign set so that less is better.

        Rounded to nine digits: differences beyond them come from the order of additions. What is
        only known to be large enough counts as the worst possible.
        """
        value = point.scores[spec.name]
        mean = float(f"{value.high if value.at_least else value.mean:.9g}")
        return -mean if spec.better is Better.HIGHER else mean

    @property
    def sides(self) -> tuple[MeasureSpec, MeasureSpec] | None:
        """The axes of the map: the first risk and the first goal."""
        risks = [spec for spec in self.specs if spec.side is Side.RISK]
        others = [goal.spec for goal in self.goals if goal.spec not in risks[:1]]
        return (risks[0], others[0]) if risks and others else None

    def _worth(self, point: Point) -> tuple[Any, ...]:
        order = [*(goal.spec for goal in self.goals), *(limit.spec for limit in self.limits)]
        # Points with equal figures are ordered by name, whichever finished first.
        return (*(self.cost(point, spec) for spec in order), point.label)

    def _reaches(self, point: Point, best: Point) -> bool:
        """Whether the first goal cannot distinguish a point from the best one."""
        goal = self.goals[0].spec
        value, best_value = point.scores[goal.name], best.scores[goal.name]
        return (
            value.high >= best_value.low
            if goal.better is Better.HIGHER
            else value.low <= best_value.high
        )

    def _comes_before(self, point: Point, other: Point) -> bool:
        """Whether a point would be recommended rather than another."""
        if self._reaches(point, other) and self._reaches(other, point):
            return self._otherwise(point) < self._otherwise(other)
        return self._worth(point) < self._worth(other)

    def _otherwise(self, point: Point) -> tuple[Any, ...]:
        """What decides among points that the first goal cannot distinguish."""
        others = [self.cost(point, goal.spec) for goal in self.goals[1:]]
        changed = 1.0 if point.changed is None else float(f"{point.changed:.9g}")
        return (*others, changed, *self._worth(point))

    def _relative_excess(self, point: Point) -> float:
        worst = -math.inf
        for limit in self.limits:
            scale = abs(limit.bound) or 1.0
            worst = max(worst, limit.excess(point.scores[limit.spec.name]) / scale)
        return worst

    def _beats(self, point: Point, other: Point) -> bool:
        pairs = [(self.cost(point, spec), self.cost(other, spec)) for spec in self.specs]
        return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return every point as a row of plain columns, with one for each parameter."""
        rows: list[dict[str, Any]] = []
        front = {id(point) for point in self.front}
        for point in self.points:
            row: dict[str, Any] = {
                "setting": point.label,
                "method": " + ".join(name for step in point.steps for name in step),
                "keeps the limits": point.keeps(self.limits),
                "on the front": id(point) in front,
                "columns lost": ", ".join(point.lost),
                "association kept": point.kept,
            }
            for spec in self.specs:
                value = point.scores.get(spec.name)
                row[spec.name] = None if value is None else value.mean
                row[f"{spec.name} low"] = None if value is None else value.low
                row[f"{spec.name} high"] = None if value is None else value.high
            row["repetitions"] = len(point.trials)
            row["seconds"] = point.seconds
            row["reason"] = point.reason
            for step in point.steps:
                row |= flat(step)
            rows.append(row)
        return columns_of(rows)

    def to_frame(self) -> Any:
        """Return the table as a pyarrow table."""
        import pyarrow as pa

        return pa.table(of_one_type(self.to_dict()))

    @property
    def words(self) -> list[str]:
        """Why the recommended release won and what another one trades, in sentences."""
        from discreet.exploring.outcome_in_words import explained

        return explained(self)

    def write(self, directory: str | Path, plan: Any = None) -> Path:
        """Write the map (page, picture, table) and, for a plan, the recommended plan."""
        from discreet.exploring.writing import write

        return write(self, Path(directory), plan)

    def _shown(self) -> list[list[str]]:
        """Return the best points as a table with a head."""
        head = ["setting", *(spec.name for spec in self.specs), "keeps"]
        chosen = [p for p in (self.recommended, self.alternative, *self.ranked) if p is not None]
        best = list(dict.fromkeys(chosen))[:10]
        shown_points = best or ([self.closest] if self.closest else [])
        rows = [
            [
                point.label,
                *(in_words(point.scores[spec.name], spec) for spec in self.specs),
                "yes" if point.keeps(self.limits) else "no",
            ]
            for point in shown_points
        ]
        return [head, *rows]

    def _repr_html_(self) -> str:
        head, *rows = self._shown()
        return html_table(f"Exploration: {len(self.points)} settings tried", head, rows)

    def __repr__(self) -> str:
        table = self._shown()
        head = table[0]
        widths = [max(len(row[i]) for row in table) for i in range(len(head))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in table
        ]
        return "\n".join([*self.words, "", *lines])


def in_words(value: Value, spec: MeasureSpec) -> str:
    """Return a mean with its interval, or how much it is at least."""
    text = shown(value.mean, spec)
    if value.at_least:
        return f"at least {text}"
    if value.high > value.low:
        text += f" ({shown(value.low, spec)} to {shown(value.high, spec)})"
    return text


def bounds(limits: Sequence[Limit]) -> Mapping[str, float]:
    """Return the limits as claims."""
    return {limit.spec.name: limit.bound for limit in limits}
