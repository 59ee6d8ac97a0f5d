"""What each measure of utility sees of ruined files, as a table.

The figures lie in `blindness.json`, so that a build of the documentation need not measure anything;
`python -m docs.blindness` measures them anew, and a test holds them against what is measured.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from discreet.contracts import Measure, Ruin, Side
from discreet.contracts.registry import entries
from discreet.microdata import Microdata, Role
from discreet.testing.ruins import BLIND, SEEN, shares_seen
from discreet.testing.surveys import SURVEYS
from docs.markup import joined, prose, table

FIGURES = Path(__file__).resolve().parent / "blindness.json"
Shares = Mapping[str, Mapping[str, float]]
"""By survey and ruin."""


def utility_measures() -> list[type[Measure]]:
    """Return the measures of utility that declare what they see."""
    return [
        entry
        for entry in entries("measure")
        if issubclass(entry, Measure)
        and entry.spec.side is Side.UTILITY
        and entry.spec.sees is not None
    ]


def measured(measure: type[Measure]) -> Shares:
    """Return how much of its range a measure reports of each ruin of each survey, unweighted.

    Weights that stay where they are while all else is ruined would tell part of it.
    """
    return {
        survey: {ruin.name: round(share, 3) for ruin, share in seen.items()}
        for survey, data in unweighted_surveys().items()
        if (seen := shares_seen(measure(), data))
    }


@cache
def unweighted_surveys() -> Mapping[str, Microdata]:
    """Return the surveys, made once for all measures."""
    files = {survey: make() for survey, make in SURVEYS.items()}
    return {survey: data.drop(data.having(Role.WEIGHT)) for survey, data in files.items()}


def blindness() -> str:
    """Return the page."""
    figures: Mapping[str, Shares] = json.loads(FIGURES.read_text(encoding="utf-8"))
    rows = [
        (f"[{prose(e.spec.title)}](measure/{e.spec.name}.md)", *_cells(figures[e.spec.name]))
        for e in utility_measures()
    ]
    return joined(
        [
            "# What each measure is blind to",
            (
                "A file can be worthless in several ways, and no utility measure detects them "
                f"all. Four invented surveys ({', '.join(SURVEYS)}), with real dependence between "
                "their columns, were ruined in each of the ways below. The figures say how much of "
                "its range a measure reports; the range runs from the value for the original to "
                "that for a release without information. Two figures are the minimum and maximum "
                f"over the surveys. From {100 * SEEN:.0f} % a measure *sees* the ruin; below "
                f"{100 * BLIND:.0f} % in any survey it can be **blind** to it. Where a single "
                "column is dropped, the worst-hit part of the measure counts."
            ),
            table(("measure", *(ruin.value for ruin in Ruin)), rows),
            (
                "The overlap of intervals in the declared analyses detects only what these "
                "analyses depend on. Every pair is broken by redrawing the values of each column "
                "within the categories, or quartile groups, of one other column."
            ),
        ]
    )


def _cells(shares: Shares) -> list[str]:
    return [_cell([of[ruin.name] for of in shares.values() if ruin.name in of]) for ruin in Ruin]


def _cell(shares: list[float]) -> str:
    if not shares:
        return "–"
    ends = list(dict.fromkeys(f"{100 * share:.0f}" for share in (min(shares), max(shares))))
    return f"{'**blind** ' if min(shares) < BLIND else ''}{'–'.join(ends)} %"


def main() -> None:
    """Measure everything anew."""
    figures = {measure.spec.name: measured(measure) for measure in utility_measures()}
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
