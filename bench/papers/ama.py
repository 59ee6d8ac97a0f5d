"""AMA against MDAV on all attributes (the paper's MA): Figures 4 to 6 of Sun et al. (2012).

Running time, number of attributes in the distance, and SSE/SST over all attributes, while the
number of records, k, and the number of attributes vary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from bench.papers.ama_example import example
from bench.papers.ama_runs import (
    AMA,
    ATTRIBUTES,
    CENSUS,
    LITTLE,
    MA,
    NAMES,
    ROUNDS,
    WAYS,
    K,
    Outcome,
    Series,
    census,
    outcomes,
)
from bench.papers.ama_subsets import whatever_the_key
from bench.papers.difference import signed
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
    Verdict,
    decided,
    share,
    verdict_of,
)
from discreet.contracts import Context
from discreet.microdata import Microdata

PAPER = Paper(
    name="ama",
    short="Approximate microaggregation (Sun et al. 2012)",
    citation="Sun, Wang, Li & Zhang: An approximate microaggregation approach for microdata "
    "protection. Expert Systems with Applications 39 (2), 2012.",
    absent=(
        (
            "The paper's file CENSUS (500,000 adults, nine attributes, an extract from IPUMS) is "
            "not published in the form that was used. The American Community Survey of 2018 "
            "stands in, with nine attributes as like the paper's as it has."
        ),
        (
            "Figures 4 to 6 are printed as plots without figures: there is nothing to subtract "
            "from, and what is tested is what the text says about them."
        ),
    ),
)
RECORDS = 50_000
"""How many of the 204,309 persons are taken, in random order, to keep the whole run short."""


class Runs:
    """The three series of the paper; --quick takes a tenth of the records."""

    def __init__(self, folder: Path | None, quick: bool) -> None:
        self._folder, self._quick = folder, quick

    @cached_property
    def _data(self) -> Microdata:
        assert self._folder is not None
        data = census(self._folder)
        # Compiles, outside the timing.
        outcomes(data.take(np.arange(500)), ATTRIBUTES, K, 1)
        return data.take(np.arange(RECORDS // 10 if self._quick else RECORDS))

    def _series(self, axis: str, cases: Sequence[tuple[int, int, Sequence[str], int]]) -> Series:
        by_way: dict[str, list[Outcome]] = {way: [] for way in WAYS}
        for _, records, columns, k in cases:
            data = self._data.take(np.arange(records))
            both = outcomes(data, columns, k, 1 if self._quick else ROUNDS)
            for way in WAYS:
                by_way[way].append(both[way])
        return Series(axis, tuple(case[0] for case in cases), by_way)

    def subsets(self) -> list[Section]:
        """Return the loss of the best choice of attributes, and what blocks achieve instead."""
        return [whatever_the_key(self._data)]

    def by_records(self) -> list[Section]:
        """Return Figures 4(a), 5 and 6(a)."""
        sizes = [len(self._data) * percent // 100 for percent in (20, 40, 60, 80, 100)]
        series = self._series("records", [(n, n, ATTRIBUTES, K) for n in sizes])
        seconds, loss = series.each(lambda o: o.seconds), series.each(lambda o: o.loss)
        used = series.each(lambda o: o.attributes)
        gaps = [ma - ama for ma, ama in zip(seconds[MA], seconds[AMA], strict=True)]
        most = max(used[AMA])
        by_round = [
            [ma - ama for ma, ama in zip(series.rounds(MA, i), series.rounds(AMA, i), strict=True)]
            for i in (0, -1)
        ]
        findings = (
            faster(series),
            Finding(
                "The difference in time grows with the number of records.",
                decided([last - first for first, last in zip(*by_round, strict=True)]),
                f"{signed(gaps[0], 3)} s with the fewest records, {signed(gaps[-1], 3)} s with the "
                "most",
            ),
            Finding(
                "AMA uses fewer than half of the attributes (Theorem 2).",
                verdict_of(most < len(ATTRIBUTES) / 2),
                f"at most {most:.0f} of {len(ATTRIBUTES)}",
            ),
            little_more(loss),
            Finding(
                "That difference does not grow with the number of records.",
                verdict_of(loss[AMA][-1] - loss[MA][-1] <= loss[AMA][0] - loss[MA][0]),
                f"{100 * (loss[AMA][0] - loss[MA][0]):.1f} points with the fewest records, "
                f"{100 * (loss[AMA][-1] - loss[MA][-1]):.1f} with the most",
            ),
        )
        title = f"Figures 4(a), 5 and 6(a): number of records (k = {K}, 9 attributes)"
        figures = ("Figure 4(a)", "Figure 5", "Figure 6(a)")
        return [section(title, series, figures, findings, ())]

    def by_k(self) -> list[Section]:
        """Return Figures 4(b) and 6(b)."""
        n = len(self._data)
        series = self._series("k", [(k, n, ATTRIBUTES, k) for k in (3, 5, 10, 20, 50, 100)])
        seconds, loss = series.each(lambda o: o.seconds), series.each(lambda o: o.loss)
        slower = decided([min(rise) for rise in zip(*map(series.rises, WAYS), strict=True)])
        findings = (
            faster(series),
            Finding(
                "The time of both grows with k.",
                slower,
                f"from the least k to the largest MA goes from {seconds[MA][0]:.3f} to "
                f"{seconds[MA][-1]:.3f} s, AMA from {seconds[AMA][0]:.3f} to "
                f"{seconds[AMA][-1]:.3f} s",
            ),
            Finding(
                "The loss of both grows with k.",
                verdict_of(all(loss[way] == sorted(loss[way]) for way in WAYS)),
                f"MA from {100 * loss[MA][0]:.1f} to {100 * loss[MA][-1]:.1f} %, AMA from "
                f"{100 * loss[AMA][0]:.1f} to {100 * loss[AMA][-1]:.1f} %",
            ),
            little_more(loss),
        )
        remarks: tuple[str, ...] = ()
        if slower is Verdict.FAILS:
            remarks += (
                (
                    "MDAV forms about n/k groups and scans all remaining records for each, so "
                    "that larger groups take less work; the paper's Algorithm 2 gives no reason "
                    "for more."
                ),
            )
        title = f"Figures 4(b) and 6(b): k ({n:,} records, 9 attributes)"
        return [section(title, series, ("Figure 4(b)", "", "Figure 6(b)"), findings, remarks)]

    def by_attributes(self) -> list[Section]:
        """Return Figure 4(c)."""
        n = len(self._data)
        series = self._series("attributes", [(m, n, ATTRIBUTES[:m], K) for m in range(5, 10)])
        seconds = series.each(lambda o: o.seconds)
        findings = (
            faster(series),
            Finding(
                "The time of both grows with the number of attributes.",
                decided([min(rise) for rise in zip(*map(series.rises, WAYS), strict=True)]),
                f"from 5 to 9 attributes MA goes from {seconds[MA][0]:.3f} to "
                f"{seconds[MA][-1]:.3f} s, AMA from {seconds[AMA][0]:.3f} to "
                f"{seconds[AMA][-1]:.3f} s",
            ),
        )
        title = f"Figure 4(c): number of attributes ({n:,} records, k = {K})"
        return [section(title, series, ("Figure 4(c)", "", ""), findings, ())]


def faster(series: Series) -> Finding:
    """Return whether AMA takes less time than MA everywhere, round by round."""
    times = [zip(series.rounds(MA, i), series.rounds(AMA, i), strict=True)
             for i in range(len(series.at))]  # fmt: skip
    ratios = [ma / ama for pairs in times for ma, ama in pairs]
    return Finding(
        "AMA takes less time than MA.",
        decided([ratio - 1 for ratio in ratios]),
        f"MA takes {min(ratios):.1f} to {max(ratios):.1f} times as long",
    )


def little_more(loss: dict[str, list[float]]) -> Finding:
    """Return whether AMA loses a little more than MA."""
    ratios = [ama / ma for ma, ama in zip(loss[MA], loss[AMA], strict=True)]
    return Finding(
        "AMA loses a little more than MA (SSE/SST).",
        verdict_of(min(ratios) >= 1 and max(ratios) <= LITTLE),
        f"it loses {min(ratios):.1f} to {max(ratios):.1f} times as much; up to {LITTLE} times "
        "counts as a little",
    )


def section(
    title: str,
    series: Series,
    figures: tuple[str, ...],
    findings: tuple[Finding, ...],
    remarks: tuple[str, ...],
) -> Section:
    """Return the table of one series, and those charts that are figures of the paper."""
    measures: tuple[tuple[Quantity, Callable[[Outcome], float]], ...] = (
        (Quantity("time", "s", decimals=3, compared=False), lambda o: o.seconds),
        (Quantity("attributes", decimals=0), lambda o: float(o.attributes)),
        (share("SSE/SST"), lambda o: 100 * o.loss),
    )
    quantities = tuple(
        Quantity(f"{way} {q.words}", q.unit, q.relative, q.decimals, q.compared)
        for way in WAYS
        for q, _ in measures
    )
    rows = tuple(
        Row(
            f"k = {value}" if series.axis == "k" else f"{value:,} {series.axis}",
            tuple(
                Pair(None, pick(series.outcomes[way][i])) for way in WAYS for _, pick in measures
            ),
        )
        for i, value in enumerate(series.at)
    )
    charts = tuple(
        Chart(
            f"{name}: {quantity.words}",
            series.axis,
            f"{quantity.words}, {quantity.unit}".rstrip(", "),
            tuple(
                Curve(NAMES[way], tuple(zip(map(float, series.at), values, strict=True)))
                for way, values in series.each(pick).items()
            ),
        )
        for name, (quantity, pick) in zip(figures, measures, strict=True)
        if name
    )
    return Section(
        title=title,
        findings=findings,
        tables=(Table("Ours; the paper prints no figures", series.axis, quantities, rows),),
        charts=charts,
        remarks=remarks,
    )


def sections(folder: Path | None, quick: bool, context: Context) -> list[Section]:
    """Return the running example and Figures 4 to 6."""
    runs, files = Runs(folder, quick), (CENSUS,)
    steps = [
        Step("§3: the running example", (), lambda: [example()]),
        Step("Figures 4(a), 5 and 6(a): number of records", files, runs.by_records),
        Step("Figures 4(b) and 6(b): k", files, runs.by_k),
        Step("Figure 4(c): number of attributes", files, runs.by_attributes),
        Step("Figure 6: whatever the key attributes are", files, runs.subsets),
    ]
    return carry_out(steps, folder, context)
