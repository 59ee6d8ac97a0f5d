"""Example 1.4 of the survey: methods and parameters ranked by the Score, on Census (CASC).

The survey reports that rank swapping with p near 15 and microaggregation of three attributes at a
time were good performers. Here they stand among everything else that treats numbers; the parts of
the Score are beside it. The file has no class to protect, so thirds of PTOTVAL (total personal
income) serve as the confidential class of CAMP-CREST.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from bench.papers.running import Step, carry_out
from bench.papers.section import (
    Chart,
    Curve,
    Finding,
    Pair,
    Paper,
    Quantity,
    Row,
    Section,
    Table,
    decided,
    share,
)
from discreet.contracts import Context, Progress
from discreet.exploring.exploration import Exploration
from discreet.exploring.point import Point
from discreet.exploring.running import explore
from discreet.io.reading import read
from discreet.microdata import Microdata

PAPER = Paper(
    name="survey",
    short="The survey's Score (Domingo-Ferrer 2008)",
    citation="Domingo-Ferrer: A survey of inference control methods for privacy-preserving data "
    "mining. In Aggarwal & Yu (eds.), Privacy-Preserving Data Mining, 2008, Example 1.4.",
    absent=(
        (
            "The survey gives the outcome of an earlier study in words, without the Scores; the "
            "methods and the intruder's knowledge of that study are not told in full. What is "
            "compared is the outcome."
        ),
    ),
)
CENSUS = "casc_census.csv"
SCORE = "trade-off-score"
PARTS = ("information-loss", "distance-linkage", "probabilistic-linkage", "interval-disclosure")
REPEATS = 3
CLASS = "income class"
SWAPPING, THREE = "rank-swapping", "microaggregation (attributes_at_a_time 3, mdav)"
AROUND_15 = range(12, 19)
"""What "p around 15" is taken for."""


def census(folder: Path) -> Microdata:
    """Return the file with all its attributes as quasi-identifiers, and a class beside them."""
    data = read(folder / CENSUS)
    columns: dict[str, Any] = {name: data[name] for name in data.schema.names}
    third = np.quantile(columns["PTOTVAL"], [1 / 3, 2 / 3])
    roles = dict.fromkeys(columns, "quasi-identifier")
    names = np.array(["low", "middle", "high"])
    columns[CLASS] = names[np.searchsorted(third, columns["PTOTVAL"], side="right")].tolist()
    return read(columns, roles={**roles, CLASS: "confidential"})


def candidates(quick: bool) -> list[Any]:
    """Return the survey's two winners over their whole range, and others that take numbers."""
    p = {"try": [5, 10, 15, 20] if quick else [2, 4, 6, 8, 10, 12, 15, 18, 20]}
    k = {"try": [3, 5, 10, 20] if quick else [3, 5, 8, 10, 15, 20]}
    few = {"try": [3, 10]} if quick else {"try": [3, 5, 10]}
    some = {"try": [0.05, 0.5]} if quick else {"try": [0.05, 0.2, 0.5]}
    return [
        {"rank-swapping": {"p": p}},
        *(
            {"microaggregation": {"attributes_at_a_time": size, "partition": {"mdav": {"k": k}}}}
            for size in (3, 13)
        ),
        {"individual-ranking": {"k": few}},
        *(
            {"additive-noise": {"variant": v, "alpha": some}}
            for v in ("correlated", "uncorrelated")
        ),
        {"moment-preserving-noise": {"c": some}},
        {"nonlinear-noise": {"alpha": some}},
        {"resampling": {"samples": {"try": [1, 3]}}},
        {"camp-crest": {"k": few}},
        {"partial-camp-crest": {"k": few}},
        {"hybrid-micro": {"k": {"try": [10, 20]}}},
        {"local-synthesis": {"k": {"try": [20, 50]}}},
        {"sequential-regression": {"scale": "raw"}},
    ]


def explored(folder: Path, quick: bool) -> Exploration:
    """Run the example."""
    return explore(
        census(folder),
        {},
        [SCORE, *PARTS],
        candidates=candidates(quick),
        every=True,
        repeats=1 if quick else REPEATS,
        seed=2013,
        trial_budget="10m",
        progress=Progress(),
    )


def best_of_each(found: Exploration) -> dict[str, Point]:
    """Return the best setting of each method, the best method first."""
    best: dict[str, Point] = {}
    for point in found.by_goal:
        best.setdefault(point.candidate.label, point)
    return best


def example(found: Exploration) -> Section:
    """Return Example 1.4 from what was tried."""
    best = best_of_each(found)
    rows = []
    for point in best.values():
        mean = {name: point.scores[name].mean for name in (SCORE, *PARTS)}
        shares = tuple(Pair(None, 100 * mean[name]) for name in PARTS[1:])
        rows.append(
            Row(point.label, (Pair(None, mean[SCORE]), Pair(None, mean[PARTS[0]]), *shares))
        )
    quantities = (
        Quantity("Score"),
        Quantity("IL"),
        share("DLD"),
        share("PLD"),
        share("ID"),
    )
    left = [
        f"{point.label} has no Score: {_why(point.reason)}."
        for point in found.points
        if point.reason
    ]
    return Section(
        title="Example 1.4: the Score on Census",
        says="The Score is half information loss (IL) and half disclosure risk, the latter half "
        "record linkage (DLD by distance, PLD probabilistic) and half interval disclosure (ID); "
        "smaller is better.",
        findings=_findings(found, best),
        tables=(Table("The best setting of each method", "setting", quantities, tuple(rows)),),
        charts=_charts(found),
        remarks=(*_remarks(best), *dict.fromkeys(left)),
    )


def _findings(found: Exploration, best: dict[str, Point]) -> tuple[Finding, ...]:
    third = max(1, len(best) // 3)
    by_label = {
        label: [point for point in found.measured if point.candidate.label == label]
        for label in (SWAPPING, THREE)
    }
    winners = [
        min(by_label[SWAPPING], key=lambda point: draws(point)[repeat % len(draws(point))]).value
        for repeat in range(REPEATS)
    ]
    tried = ", ".join(str(value) for value in sorted(p.value for p in by_label[SWAPPING]))
    at_15 = next(p for p in by_label[SWAPPING] if p.value == 15).scores[SCORE].mean
    swapping = best[SWAPPING]
    placed = {label: places(best, label) for label in (SWAPPING, THREE)}
    return (
        Finding(
            "Rank swapping is a good performer.",
            decided([third + 0.5 - place for place in placed[SWAPPING]]),
            f"place {_span(placed[SWAPPING])} of {len(best)} methods; the best third would do",
        ),
        Finding(
            "Its best p is around 15.",
            decided([0.5 if value in AROUND_15 else -0.5 for value in winners]),
            f"the least Score, {swapping.scores[SCORE].mean:.2f}, is at p = {swapping.value} (of "
            f"{tried}; {AROUND_15[0]} to {AROUND_15[-1]} would do); at p = 15 it is {at_15:.2f}",
        ),
        Finding(
            "Microaggregation of three attributes at a time is a good performer.",
            decided([third + 0.5 - place for place in placed[THREE]]),
            f"place {_span(placed[THREE])} of {len(best)} methods, with k = {best[THREE].value}; "
            "the best third would do",
        ),
    )


def draws(point: Point) -> list[float]:
    """Return the Score of every repetition."""
    return [trial.scores[SCORE] for trial in point.trials]


def places(best: dict[str, Point], label: str) -> list[int]:
    """Return the place of a method among the best settings of all, repetition by repetition."""
    scores = {name: draws(point) for name, point in best.items()}
    return [
        1 + sum(own[i % len(own)] < scores[label][i % len(scores[label])]
                for name, own in scores.items() if name != label)
        for i in range(max(map(len, scores.values())))
    ]  # fmt: skip


def _span(numbers: list[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low}" if low == high else f"{low} to {high}"


def _remarks(best: dict[str, Point]) -> tuple[str, ...]:
    three = best[THREE].scores
    ahead = [point for point in best.values() if point.scores[SCORE].mean < three[SCORE].mean]
    whole = best.get("microaggregation (attributes_at_a_time 13, mdav)")
    if not ahead or whole is None or whole not in ahead:
        return ()
    return (
        (
            f"Three attributes at a time lose little (IL {three[PARTS[0]].mean:.1f}) but leave "
            f"{100 * three[PARTS[1]].mean:.0f} % of the records linked, since each group of "
            "attributes is masked by other groups of records; all attributes together "
            f"({whole.label.rpartition(', ')[2]}) leave {100 * whole.scores[PARTS[1]].mean:.0f} "
            f"% at IL {whole.scores[PARTS[0]].mean:.1f}. Our intruder knows all thirteen "
            "attributes; what that of the study knew, the survey does not tell."
        ),
    )


def _charts(found: Exploration) -> tuple[Chart, ...]:
    labels = dict.fromkeys(point.candidate.label for point in found.measured)
    everything, scores = [], []
    for label in labels:
        own = [point for point in found.measured if point.candidate.label == label]
        spots = sorted((_risk(point), point.scores[PARTS[0]].mean) for point in own)
        everything.append(Curve(label, tuple(spots), joined=False))
        if label in (SWAPPING, THREE):
            line = sorted((float(point.value), point.scores[SCORE].mean) for point in own)
            name = "p" if label == SWAPPING else "k"
            scores.append(Curve(f"{label}, over {name}", tuple(line)))
    return (
        Chart(
            "R-U map of all settings",
            "disclosure risk: (½ DLD + ½ PLD + ID) / 2, %",
            "IL",
            tuple(everything),
            logarithmic=True,
        ),
        Chart("The Score over p and over k", "p or k", "Score", tuple(scores)),
    )


def _why(reason: str) -> str:
    """Return the reason that the first measure gives, without its name."""
    first = reason.split(";")[0]
    return first.partition(": ")[2] or first


def _risk(point: Point) -> float:
    dld, pld, disclosed = (100 * point.scores[name].mean for name in PARTS[1:])
    return ((dld + pld) / 2 + disclosed) / 2


def sections(folder: Path | None, quick: bool, context: Context) -> list[Section]:
    """Return Example 1.4."""

    def run() -> list[Section]:
        assert folder is not None
        return [example(explored(folder, quick))]

    return carry_out([Step("Example 1.4: the Score on Census", (CENSUS,), run)], folder, context)
