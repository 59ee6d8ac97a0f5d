"""Example 1.4 of the survey: methods and parameters ranked by the Score, on Census (CASC).

The survey reports that rank swapping with p near 15 and microaggregation of three attributes at a
time were good performers. Here they are compared with everything else that treats numbers; the
parts of the Score are shown beside it. The file has no class to protect, so thirds of PTOTVAL
(total personal income) serve as the confidential class of CAMP-CREST.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

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
from discreet.contracts import Context, Method, Randomness
from discreet.contracts.measure import paired
from discreet.contracts.registry import build
from discreet.errors import NotApplicable
from discreet.io.reading import read
from discreet.measures.utility.score import TradeOffScore
from discreet.microdata import Microdata

PAPER = Paper(
    name="survey",
    short="The survey's Score (Domingo-Ferrer 2008)",
    citation="Domingo-Ferrer: A survey of inference control methods for privacy-preserving data "
    "mining. In Aggarwal & Yu (eds.), Privacy-Preserving Data Mining, 2008, Example 1.4.",
    absent=(
        (
            "The survey gives the outcome of an earlier study in words, without the Scores; the "
            "methods and the intruder's knowledge in that study are not described fully. What is "
            "compared is the outcome."
        ),
    ),
)
CENSUS = "casc_census.csv"
SCORE, PARTS = "Score", ("IL", "DLD", "PLD", "ID")
REPEATS = 5
CLASS = "income class"
SWAPPING = "rank swapping"
THREE, ALL = "microaggregation, three attributes at a time", "microaggregation, all attributes"
AROUND_15 = range(12, 19)
"""What counts as "p around 15"."""


@dataclass(frozen=True)
class Tried:
    """One setting: the Score and its parts by seed, in percent, or why there is none."""

    method: str
    parameter: str
    value: float
    figures: Mapping[str, Sequence[float]]
    reason: str = ""

    @property
    def label(self) -> str:
        """The method with its setting."""
        return (
            f"{self.method}, {self.parameter} = {self.value:g}" if self.parameter else self.method
        )

    def mean(self, figure: str) -> float:
        """Return the mean of the Score or a part over the seeds."""
        return float(np.mean(self.figures[figure]))

    def draw(self, repeat: int) -> float:
        """Return the Score of one seed; a method that draws nothing has the same for all."""
        return self.figures[SCORE][repeat % len(self.figures[SCORE])]


def census(folder: Path) -> Microdata:
    """Return the file with all its attributes as quasi-identifiers, and a class beside them."""
    data = read(folder / CENSUS)
    columns: dict[str, Any] = {name: data[name] for name in data.schema.names}
    third = np.quantile(columns["PTOTVAL"], [1 / 3, 2 / 3])
    roles = dict.fromkeys(columns, "quasi-identifier")
    names = np.array(["low", "middle", "high"])
    columns[CLASS] = names[np.searchsorted(third, columns["PTOTVAL"], side="right")].tolist()
    return read(columns, roles={**roles, CLASS: "confidential"})


def _mdav(k: int, size: int) -> dict[str, Any]:
    return {"microaggregation": {"attributes_at_a_time": size, "partition": {"mdav": {"k": k}}}}


def _noise(alpha: float, variant: str) -> dict[str, Any]:
    return {"additive-noise": {"variant": variant, "alpha": alpha}}


def settings(quick: bool) -> list[tuple[str, str, float, dict[str, Any]]]:
    """Return the survey's two winners over their whole range, and other methods that treat numbers.

    Each has the method in words, the parameter that varies, its value, and the step of a plan.
    """
    ps = (5, 10, 15, 20) if quick else (2, 4, 6, 8, 10, 12, 15, 18, 20)
    ks = (3, 5, 10, 20) if quick else (3, 5, 8, 10, 15, 20)
    few = (3, 10) if quick else (3, 5, 10)
    some = (0.05, 0.5) if quick else (0.05, 0.2, 0.5)
    return [
        *((SWAPPING, "p", p, {"rank-swapping": {"p": p}}) for p in ps),
        *((THREE, "k", k, _mdav(k, 3)) for k in ks),
        *((ALL, "k", k, _mdav(k, 13)) for k in ks),
        *(("individual ranking", "k", k, {"individual-ranking": {"k": k}}) for k in few),
        *(
            (f"{variant} noise", "alpha", alpha, _noise(alpha, variant))
            for variant in ("correlated", "uncorrelated")
            for alpha in some
        ),
        *(("moment-preserving noise", "c", c, {"moment-preserving-noise": {"c": c}}) for c in some),
        *(("nonlinear noise", "alpha", a, {"nonlinear-noise": {"alpha": a}}) for a in some),
        *(("resampling", "samples", n, {"resampling": {"samples": n}}) for n in (1, 3)),
        *(("CAMP-CREST", "k", k, {"camp-crest": {"k": k}}) for k in few),
        *(("Partial CAMP-CREST", "k", k, {"partial-camp-crest": {"k": k}}) for k in few),
        ("HybridMicro", "k", 20, {"hybrid-micro": {"k": 20}}),
        ("local synthesis", "k", 20, {"local-synthesis": {"k": 20, "families": "EII"}}),
        ("sequential regressions", "", 0, {"sequential-regression": {"scale": "raw"}}),
    ]


def tried(data: Microdata, quick: bool) -> list[Tried]:
    """Return all settings with their Scores; methods that draw random numbers have several."""
    results = []
    for words, parameter, value, step in settings(quick):
        method = cast(Method, build("method", step))
        seeds = range(REPEATS if method.spec.random and not quick else 1)
        figures: dict[str, list[float]] = {}
        reason = ""
        try:
            for seed in seeds:
                for name, figure in scored(data, method, seed).items():
                    figures.setdefault(name, []).append(figure)
        except NotApplicable as error:
            reason = str(error)
        results.append(Tried(words, parameter, value, figures, reason))
    return results


def scored(data: Microdata, method: Method, seed: int) -> dict[str, float]:
    """Return the Score of one release and its parts, in percent."""
    context = Context(Randomness(seed))
    masked = method.protect(data, context.within("protect"))
    origin = np.arange(len(data)) if masked.origin is None else masked.origin
    pairing = paired(origin, masked.groups)
    score = TradeOffScore().score(data, masked.data, context.within("score"), pairing)
    return {SCORE: score.value, **{part: score.detail[part] for part in PARTS}}


def best_of_each(results: Sequence[Tried]) -> dict[str, Tried]:
    """Return the best setting of each method, the best method first."""
    best: dict[str, Tried] = {}
    measured = (result for result in results if result.figures)
    for result in sorted(measured, key=lambda result: result.mean(SCORE)):
        best.setdefault(result.method, result)
    return best


def example(results: Sequence[Tried]) -> Section:
    """Return Example 1.4 from the settings that were tried."""
    best = best_of_each(results)
    rows = tuple(
        Row(result.label, tuple(Pair(None, result.mean(name)) for name in (SCORE, *PARTS)))
        for result in best.values()
    )
    quantities = (Quantity(SCORE), Quantity(PARTS[0]), *map(share, PARTS[1:]))
    repeats = max(len(result.figures.get(SCORE, ())) for result in results)
    return Section(
        title="Example 1.4: the Score on Census",
        says="The Score is half information loss (IL) and half disclosure risk, the latter half "
        "record linkage (DLD by distance, PLD probabilistic) and half interval disclosure (ID); "
        f"smaller is better. Means over {repeats} seeds where a method draws random numbers.",
        findings=_findings(results, best),
        tables=(Table("The best setting of each method", "setting", quantities, rows),),
        charts=_charts(results),
        remarks=(
            *_remarks(best),
            *(
                f"No Score for {result.method}: {result.reason}."
                for result in results
                if result.reason
            ),
        ),
    )


def _findings(results: Sequence[Tried], best: dict[str, Tried]) -> tuple[Finding, ...]:
    third = max(1, len(best) // 3)
    swapped = [result for result in results if result.method == SWAPPING]
    repeats = range(len(swapped[0].figures[SCORE]))
    winners = [min(swapped, key=partial(Tried.draw, repeat=repeat)).value for repeat in repeats]
    values = ", ".join(f"{result.value:g}" for result in swapped)
    at_15 = next(result for result in swapped if result.value == 15)
    placed = {method: places(best, method) for method in (SWAPPING, THREE)}
    return (
        Finding(
            "Rank swapping is a good performer.",
            decided([third + 0.5 - place for place in placed[SWAPPING]]),
            f"place {_span(placed[SWAPPING])} of {len(best)} methods; the best third would suffice",
        ),
        Finding(
            "Its best p is around 15.",
            decided([0.5 if value in AROUND_15 else -0.5 for value in winners]),
            f"the least Score is at p = {_span(winners)}, seed by seed; its mean is "
            f"{best[SWAPPING].mean(SCORE):.2f} at p = {best[SWAPPING].value:g} and "
            f"{at_15.mean(SCORE):.2f} at p = 15 (tried: {values}; {AROUND_15[0]} to "
            f"{AROUND_15[-1]} would suffice)",
        ),
        Finding(
            "Microaggregation of three attributes at a time is a good performer.",
            decided([third + 0.5 - place for place in placed[THREE]]),
            f"place {_span(placed[THREE])} of {len(best)} methods, with k = "
            f"{best[THREE].value:g}; the best third would suffice",
        ),
    )


def places(best: dict[str, Tried], method: str) -> list[int]:
    """Return the place of a method among the best settings of all, seed by seed."""
    seeds = max(len(result.figures[SCORE]) for result in best.values())
    return [
        1 + sum(result.draw(seed) < best[method].draw(seed) for result in best.values())
        for seed in range(seeds)
    ]


def _span(numbers: Sequence[float]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _remarks(best: dict[str, Tried]) -> tuple[str, ...]:
    three, whole = best[THREE], best[ALL]
    if whole.mean(SCORE) >= three.mean(SCORE):
        return ()
    return (
        (
            f"Three attributes at a time leave {three.mean('DLD'):.0f} % of the records linked at "
            f"IL {three.mean('IL'):.1f} (k = {three.value:g}); all together leave "
            f"{whole.mean('DLD'):.0f} % at IL {whole.mean('IL'):.1f} (k = {whole.value:g})."
        ),
        (
            "Our intruder knows all thirteen attributes; the survey does not say what the study's "
            "intruder knew."
        ),
    )


def _charts(results: Sequence[Tried]) -> tuple[Chart, ...]:
    measured = [result for result in results if result.figures]
    everything, scores = [], []
    for method in dict.fromkeys(result.method for result in measured):
        of_method = [result for result in measured if result.method == method]
        spots = sorted((_risk(result), result.mean("IL")) for result in of_method)
        everything.append(Curve(method, tuple(spots), joined=False))
        if method in (SWAPPING, THREE):
            line = sorted((float(result.value), result.mean(SCORE)) for result in of_method)
            scores.append(Curve(f"{method}, over {of_method[0].parameter}", tuple(line)))
    return (
        Chart(
            "R-U map of all settings",
            "disclosure risk: (½ DLD + ½ PLD + ID) / 2, %",
            "IL",
            tuple(everything),
            logarithmic=True,
        ),
        Chart("The Score over p and over k", "p or k", SCORE, tuple(scores)),
    )


def _risk(result: Tried) -> float:
    return ((result.mean("DLD") + result.mean("PLD")) / 2 + result.mean("ID")) / 2


def sections(folder: Path | None, quick: bool, context: Context) -> list[Section]:
    """Return Example 1.4."""

    def run() -> list[Section]:
        assert folder is not None
        return [example(tried(census(folder), quick))]

    return carry_out([Step("Example 1.4: the Score on Census", (CENSUS,), run)], folder, context)
