"""Comparing: methods, parameters and seeds on one or several files, as one tidy table.

While `explore` looks for a release within limits and stops as soon as it can, a comparison runs
every setting with every seed, and recommends nothing. It is for studying methods.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discreet.contracts import Measure, Progress, Seed
from discreet.contracts.flattening import columns_of, flat, of_one_type
from discreet.contracts.progress import for_terminal
from discreet.errors import UsageError
from discreet.exploring.asking import Measures, measure_of
from discreet.exploring.candidates import from_list
from discreet.exploring.point import Point
from discreet.exploring.search import sweep
from discreet.exploring.searching import Effort, Search
from discreet.io.columns import Kinds
from discreet.io.reading import read
from discreet.io.stated_roles import Roles
from discreet.microdata import Microdata
from discreet.release.gate import refuse_overlooked_identifiers, refuse_unusable


@dataclass(frozen=True, eq=False)
class Comparison:
    """The settings that were run on each file, with what every measure found."""

    points: Mapping[str, tuple[Point, ...]]
    measures: tuple[str, ...]

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each file, setting and measure: the mean with its 95 % interval.

        A setting that gave no figure has one row, with the reason.
        """
        rows = []
        for file, points in self.points.items():
            for point in points:
                about = _about(file, point)
                scores = {name: point.scores.get(name) for name in self.measures}
                for name, value in scores.items():
                    if value is not None:
                        figures = {"mean": value.mean, "low": value.low, "high": value.high}
                        rows.append(about | {"measure": name, **figures} | _end(point))
                if not any(scores.values()):
                    empty = dict.fromkeys(("measure", "mean", "low", "high"))
                    rows.append(about | empty | _end(point))
        return rows

    def draws(self) -> list[dict[str, Any]]:
        """Return a row for each file, setting, seed and measure."""
        return [
            _about(file, point) | {"draw": number, "measure": name, "value": trial.scores[name]}
            for file, points in self.points.items()
            for point in points
            for number, trial in enumerate(point.trials)
            for name in self.measures
            if name in trial.scores
        ]

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the rows as plain columns, with one for each parameter."""
        return columns_of(self.rows())

    def to_frame(self) -> Any:
        """Return the rows as a pyarrow table."""
        import pyarrow as pa

        return pa.table(of_one_type(self.to_dict()))

    def __repr__(self) -> str:
        lines = [("file", "setting", "measure", "mean", "95 % interval", "draws")]
        for row in self.rows():
            known = row["mean"] is not None
            interval = f"{row['low']:.4g} – {row['high']:.4g}" if known else row["reason"]
            mean = f"{row['mean']:.4g}" if known else ""
            words = (row["file"], row["setting"], row["measure"] or "", mean, interval)
            lines.append((*words, str(row["draws"])))
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        return "\n".join(
            "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        )


def compare(
    data: Any,
    candidates: Sequence[Any],
    measures: Measures | Sequence[Measures],
    *,
    seeds: int = 5,
    cores: int | None = None,
    store: str | os.PathLike[str] | None = None,
    trial_budget: float | str = "10m",
    trial_megabytes: float = 4096.0,
    seed: Seed = None,
    roles: Roles | None = None,
    kinds: Kinds | None = None,
    progress: Progress | None = None,
    allow: Sequence[str] = (),
) -> Comparison:
    """Run every candidate with every value of its parameters and several seeds, and measure each.

    `data` is what `discreet.read` returns, a frame or a path with `roles`; or a mapping of names to
    such data, for several files. `candidates` are steps with values to try, as `explore` takes
    them; `measures` are named, or given as objects. A method that draws nothing is run once.
    Intervals are those of a mean of `seeds` draws (Student's t, 95 %). With `store`, a folder, what
    was run is kept, and a comparison that was interrupted resumes.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 21, 40, 41, 60, 61]}, roles={"age": "quasi-identifier"})
    >>> steps = [{"rounding": {"base": {"try": [5, 10]}}}]
    >>> comparison = discreet.compare(data, steps, ["sse-sst"], cores=1)
    >>> [(row["rounding.base"], row["draws"]) for row in comparison.rows()]
    [(5, 1), (10, 1)]
    """
    files = _files(data, roles, kinds)
    chosen = [
        measure_of(name)
        for name in ([measures] if isinstance(measures, str | Measure | Mapping) else measures)
    ]
    if not chosen:
        raise UsageError("a comparison needs a measure; name one, such as sse-sst")
    made = from_list(candidates)
    if not made:
        raise UsageError("a comparison needs a candidate; list one, such as 'rank-swapping'")
    effort = Effort(seeds, cores, trial_budget, trial_megabytes)
    shows = for_terminal() if progress is None else progress
    folder = None if store is None else Path(store)
    if folder is not None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    points: dict[str, tuple[Point, ...]] = {}
    for name, table in files.items():
        place = None if folder is None else folder / f"{name}.sqlite"
        with Search(table, made, (), chosen, effort, place, seed, shows, allow) as search:
            search.go([sweep(settings) for settings in search.settings])
            points[name] = search.outcome().points
    return Comparison(points, tuple(measure.spec.name for measure in chosen))


def _files(data: Any, roles: Roles | None, kinds: Kinds | None) -> dict[str, Microdata]:
    """Return the data by name."""
    several = isinstance(data, Mapping) and all(
        isinstance(table, Microdata | str | os.PathLike) for table in data.values()
    )
    named = data if several else {"data": data}
    made = {}
    for name, table in named.items():
        if not isinstance(table, Microdata):
            table = read(table, roles=roles, kinds=kinds)
        refuse_unusable(table)
        refuse_overlooked_identifiers(table)
        made[str(name)] = table
    return made


def _about(file: str, point: Point) -> dict[str, Any]:
    about: dict[str, Any] = {
        "file": file,
        "setting": point.label,
        "method": " + ".join(name for step in point.steps for name in step),
    }
    for step in point.steps:
        about |= flat(step)
    return about


def _end(point: Point) -> dict[str, Any]:
    return {"draws": len(point.trials), "seconds": point.seconds, "reason": point.reason}
