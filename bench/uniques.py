"""Population uniques: how often the interval contains the truth, with whole files as populations.

    python -m bench uniques [--quick]

Some columns are drawn at random as quasi-identifiers, and samples of 2 to 30 % of the American
Community Survey and of the synthetic population of EU-SILC; the population's own uniques are
the truth. The old interval is the spread of the four parametric estimators.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

import discreet
from bench.data import reference_data
from discreet.contracts import Context
from discreet.contracts.registry import build
from discreet.measures.risk.population_uniqueness import PopulationUniqueness
from discreet.microdata import Microdata

FRACTIONS = (0.02, 0.05, 0.1, 0.3)
FILES = {
    "gov_census_acs2018.parquet": (
        "sex", "age", "race", "marital", "education_level", "economic_region", "occupation",
        "industry", "family_size", "citizenship", "hours_worked",
    ),
    "eusilcP.parquet": (
        "region", "hsize", "age", "gender", "ecoStat", "citizenship",
    ),
}  # fmt: skip
PARAMETRIC = ("pitman", "ewens", "poisson-gamma", "zayatz")


def settings(names: Sequence[str], sets: int) -> Iterator[list[str]]:
    """Yield sets of three to five columns; the first is the hardest for the models."""
    draw = np.random.default_rng(1)
    if {"age", "sex", "race", "marital"} <= set(names):
        yield ["age", "sex", "race", "marital"]
        sets -= 1
    for _ in range(sets):
        yield [str(n) for n in draw.choice(names, draw.integers(3, 6), replace=False)]


def tried(path: Path, names: Sequence[str], sets: int) -> Iterator[tuple[float, ...]]:
    """Yield truth, estimate, its interval, and the spread of the parametric estimators."""
    everybody = pq.read_table(path, columns=list(names))
    uniques = build("measure", "sample-uniqueness")
    draw = np.random.default_rng(2)
    for columns in settings(names, sets):
        roles = dict.fromkeys(columns, "quasi-identifier")
        people = discreet.read(everybody.select(columns), roles=roles)
        truth = uniques.score(people, people, Context()).value  # type: ignore[attr-defined]
        for fraction in FRACTIONS:
            yield _once(people, truth, fraction, draw)


def _once(
    people: Microdata, truth: float, fraction: float, draw: np.random.Generator
) -> tuple[float, ...]:
    rows = np.sort(draw.permutation(len(people))[: int(fraction * len(people))])
    sample = people.take(rows)
    score = PopulationUniqueness(fraction=fraction).score(sample, sample, Context())
    assert score.interval is not None
    old = [score.detail["estimates"][name] for name in PARAMETRIC]
    return fraction, truth, score.value, *score.interval, min(old), max(old)


def main(argv: Sequence[str] | None = None) -> None:
    """Print how often intervals contain the truth."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args(argv).quick
    folder = reference_data()
    if folder is None:
        print("the reference data are missing")
        return
    for file, names in FILES.items():
        intervals = np.array(list(tried(folder / file, names, 3 if quick else 15)))
        fraction, truth, value, low, high, least, most = intervals.T
        some = truth > 0
        held = (low <= truth) & (truth <= high)
        before = (least <= truth) & (truth <= most)
        print(f"{file}: {held.sum()} of {len(intervals)} hold, before {before.sum()}")
        for share in FRACTIONS:
            at = some & (fraction == share)
            error = np.abs(np.log(value[at] / truth[at]))
            width = high[at] / value[at]
            print(
                f"  {share:.0%}: {held[at].sum()} of {at.sum()}; off by a factor of "
                f"{np.exp(np.median(error)):.2f}, upper end by {np.median(width):.2f} (medians)"
            )
