"""CAMP-CREST, Partial CAMP-CREST and the t-closeness benchmark: Table 1, Figure 6 and §7.

Diabetes and Medicare, at a linkage of at most 5 % and 1 %, five seeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from bench.papers.camp_crest_remarks import (
    default_remarks,
    findings,
    percent,
    printed_remarks,
    small_k,
)
from bench.papers.camp_crest_runs import Run, Shares, Study
from bench.papers.li_sarkar import BENCHMARK, FILES, FULL, LEVELS, TABLE_1
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
from discreet.contracts import Context

PAPER = Paper(
    name="camp_crest",
    short="CAMP-CREST (Li & Sarkar 2013)",
    citation="Li & Sarkar: Class-restricted clustering and microperturbation for data privacy. "
    "Management Science 59 (4), 2013.",
    absent=(
        (
            "Offer, the paper's third file (salaries; 403 records in its Table 1, 443 in its "
            "text; a linkage of 1.13 % is 5 of 443 and no share of 403), is not public."
        ),
        (
            "Figure 6 is printed as a plot without figures; the two points that Table 1 has of "
            "each curve are drawn beside ours."
        ),
    ),
)
RISK = (
    Quantity("time for the groups", "s", compared=False, printed=1),
    share("linkage", printed=2),
    Quantity("X²", printed=2),
)
LOSS = tuple(share(name, printed=2) for name in ("ABIM", "ABISD", "ABICO"))
UNSCALED = share("linkage, unscaled columns")
MUCH = 4
"""What counts as "considerably": this many times as much."""


class Files:
    """The files of the paper, each read and searched once."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._studies: dict[str, Study] = {}

    def study(self, name: str) -> Study:
        """Return the study of a file."""
        if name not in self._studies:
            assert self._folder is not None
            self._studies[name] = Study(name, FILES[name][1](self._folder))
        return self._studies[name]

    def as_printed(self, name: str) -> list[Section]:
        """Return Table 1 for one file, following the paper's procedure to the letter."""
        study = self.study(name)
        rows = study.table_1(as_printed=True)
        return [
            Section(
                title=f"Table 1: {name}, as printed",
                says="At the same share of linked records, X² (how far the classes within groups "
                "are from those of the file) and the changes of means (ABIM), standard deviations "
                "(ABISD) and correlations (ABICO). Noise as in Figure 5, not centred within "
                "groups; the benchmark with the t whose X² is nearest the paper's.",
                findings=findings(study, rows, as_printed=True),
                tables=(
                    table(name, rows, "Risk", (*RISK, UNSCALED)),
                    table(name, rows, "Information loss", LOSS),
                    small_k(study),
                ),
                remarks=printed_remarks(study, rows),
            )
        ]

    def by_default(self, name: str) -> list[Section]:
        """Return Table 1 for one file with the defaults."""
        study = self.study(name)
        rows = study.table_1(as_printed=False)
        return [
            Section(
                title=f"Table 1: {name}, by the defaults",
                says="The same with noise that is centred within groups. 'Benchmark, as mixed' is "
                "ours.",
                findings=findings(study, rows, as_printed=False),
                tables=(
                    table(name, rows, "Risk", (*RISK, UNSCALED)),
                    table(name, rows, "Information loss", LOSS),
                ),
                remarks=default_remarks(rows),
            )
        ]

    def figure_6(self) -> list[Section]:
        """Return ABICO against linkage, on Diabetes."""
        runs = self.study("Diabetes").figure_6()
        curves = [
            Curve(f"{way}, ours", tuple((100 * row.linkage, 100 * row.abico) for row in rows))
            for way, rows in runs.items()
        ]
        for number, way in enumerate(runs):
            printed = [TABLE_1["Diabetes", level, way] for level in LEVELS]
            spots = tuple((figures[1], figures[5]) for figures in printed)
            curves.append(Curve(f"{way}, Table 1 of the paper", spots, joined=False, beside=number))
        # A row for each seed, a column for each level.
        abico = np.column_stack([row.drawn[:, 4] for row in runs[FULL]])
        bench = np.array([row.abico for row in runs[BENCHMARK]])
        rise, rises = bench[-1] - bench[0], abico[:, -1] - abico[:, 0]
        lower = (bench - abico).min(axis=1)
        return [
            Section(
                title="Figure 6: Diabetes, linkage against ABICO",
                findings=(
                    Finding(
                        "From 10 % to 1 % linkage, ABICO rises considerably with the benchmark and "
                        "only a little with microperturbation.",
                        decided((rise - MUCH * np.abs(rises)).tolist()),
                        f"by {100 * rise:.0f} points, and by {100 * rises.min():.0f} to "
                        f"{100 * rises.max():.0f} over {len(rises)} seeds ({MUCH} times as much "
                        "would suffice)",
                    ),
                    Finding(
                        "ABICO is lower with microperturbation throughout.",
                        decided(lower.tolist()),
                        f"at all {len(bench)} levels in {(lower > 0).sum()} of {len(lower)} seeds",
                    ),
                ),
                charts=(
                    Chart("Figure 6", "linked records, %", "ABICO, %", tuple(curves), falling=True),
                ),
            )
        ]

    def section_7(self) -> list[Section]:
        """Return what traditional microaggregation leaves to an intruder, on Diabetes."""
        rows = self.study("Diabetes").section_7()
        last = rows[-1]
        linked, second, alone = last.means
        return [
            Section(
                title="§7: Diabetes, linked records and groups of one class",
                says="Traditional microaggregation with k = 5 links 83 of 768 records and puts 163 "
                "into groups of one class. The paper names neither the algorithm nor its scaling: "
                "MST, on which its own is built, is compared.",
                findings=(
                    Finding(
                        "With CAMP-CREST fewer than 1 % of records are linked and no group is of "
                        "one class.",
                        decided([min(0.01 - two, -one or 1) for _, two, one in last.drawn]),
                        f"{100 * linked:.2f} % linked, {100 * second:.2f} % linked or second (up "
                        f"to {100 * last.drawn[:, 1].max():.2f} % in one of {len(last.drawn)} "
                        f"seeds), {100 * alone:.2f} % in groups of one class",
                    ),
                ),
                tables=(shares(rows),),
            )
        ]


def table(name: str, rows: Sequence[Run], caption: str, quantities: tuple[Quantity, ...]) -> Table:
    """Return some quantities of runs next to those of the paper's Table 1."""
    listed = []
    for row in rows:
        printed = TABLE_1.get((name, row.level, row.method), (None,) * 6)
        by_quantity = {
            RISK[0]: Pair(printed[0], row.seconds),
            RISK[1]: Pair(printed[1], 100 * row.linkage),
            RISK[2]: Pair(printed[2], row.x2),
            LOSS[0]: Pair(printed[3], 100 * row.abim),
            LOSS[1]: Pair(printed[4], 100 * row.abisd),
            LOSS[2]: Pair(printed[5], 100 * row.abico),
            UNSCALED: Pair(None, 100 * row.unscaled),
        }
        setting = f"k = {row.k}" + ("" if row.t is None else f", t = {row.t:g}")
        listed.append(
            Row(
                f"{percent(row.level)}: {row.method}",
                tuple(by_quantity[quantity] for quantity in quantities),
                f"{setting}; {row.groups} groups",
            )
        )
    return Table(caption, "linkage at most: method", quantities, tuple(listed))


def shares(rows: Sequence[Shares]) -> Table:
    """Return the shares of §7, the paper's beside those of the traditional method."""
    listed = []
    for number, row in enumerate(rows):
        linked, second, alone = (100 * value for value in row.means)
        printed = (10.8, 21.2) if number == 0 else (None, None)
        pairs = (Pair(printed[0], linked), Pair(printed[1], alone), Pair(None, second))
        listed.append(Row(row.method, pairs))
    quantities = (share("linked"), share("in groups of one class"), share("linked or second"))
    return Table("Shares of the 768 records", "method", quantities, tuple(listed))


def example() -> Section:
    """Return the worked example of §3 and §4: three groups of nine patients.

    >>> [round(row.pairs[0].ours, 3) for row in example().tables[0].rows]
    [0.585, 0.459, 0.191, 0.0, 0.28]
    """
    from discreet.kernels.divergence import (
        jensen_shannon,
        kullback_leibler,
        weighted_jensen_shannon,
    )

    file = np.array([3 / 9, 6 / 9])
    middle = np.array([2 / 3, 1 / 3])
    groups = np.array([[3, 0], [0, 3], [0, 3]])
    figures = {
        "KLD of the all-circle group": (0.585, kullback_leibler(np.array([1.0, 0.0]), middle)),
        "JSD of the all-circle group": (0.459, jensen_shannon(groups[0], 3, file)),
        "JSD of an all-square group": (0.191, jensen_shannon(groups[1], 3, file)),
        "JSD of a mixed group": (0.0, jensen_shannon(np.array([1, 2]), 3, file)),
        "weighted JSD of Figure 1": (0.323, weighted_jensen_shannon(groups, file)),
    }
    return Section(
        title="§3 and §4: the divergence of the nine patients",
        tables=(
            Table(
                "Divergence of groups of three, logarithm to base 2",
                "",
                (Quantity("bits", relative=False, decimals=3, printed=3),),
                tuple(
                    Row(words, (Pair(printed, float(computed)),))
                    for words, (printed, computed) in figures.items()
                ),
            ),
        ),
        remarks=(
            (
                "The paper's weighted JSD has the KLD of the all-circle group, 0.585, where its "
                "JSD of 0.459 belongs."
            ),
        ),
    )


def sections(folder: Path | None, quick: bool, context: Context) -> list[Section]:
    """Return the worked example, Table 1, Figure 6 and §7; --quick takes Diabetes only."""
    files = Files(folder)
    steps = [Step("§3 and §4: the divergence of the nine patients", (), lambda: [example()])]
    for name in ("Diabetes",) if quick else FILES:
        needs = (FILES[name][0],)
        steps += [
            Step(f"Table 1: {name}, as printed", needs, partial(files.as_printed, name)),
            Step(f"Table 1: {name}, by the defaults", needs, partial(files.by_default, name)),
        ]
    needs = (FILES["Diabetes"][0],)
    steps += [
        Step("Figure 6: Diabetes", needs, files.figure_6),
        Step("§7: Diabetes", needs, files.section_7),
    ]
    return carry_out(steps, folder, context)
