"""What the levels of a household file cost on top of a cheap method.

1,000,000 persons in 400,000 households are protected by correlated noise: once with the columns of
households treated once per household, once person by person, as if nobody knew of levels. Finding
the levels and what follows from members is counted with the former.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

import discreet
from bench.side_by_side import ratio, report
from discreet.contracts import Context, Method, Randomness
from discreet.microdata import Level, Microdata
from discreet.microdata.levels import with_levels
from discreet.release.course import run_steps

QI = "quasi-identifier"


def survey(persons: int) -> Microdata:
    rng = np.random.default_rng(1)
    homes = persons * 2 // 5
    home = np.sort(np.concatenate([np.arange(homes), rng.integers(0, homes, persons - homes)]))
    columns = {
        "hid": home.astype(float),
        "rent": rng.normal(600, 100, homes)[home],
        "rooms": rng.integers(1, 9, homes)[home].astype(float),
        "hsize": np.bincount(home)[home].astype(float),
        "age": rng.integers(0, 90, persons).astype(float),
        "income": rng.normal(2000, 500, persons),
    }
    roles = {"hid": "household", **dict.fromkeys(["rent", "rooms", "age", "income"], QI)}
    return discreet.read(columns, roles=roles, kinds={"hid": "continuous"})


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the persons")
    quick = parser.parse_args(arguments).quick
    data = survey(100_000 if quick else 1_000_000)
    unknown = data.with_attributes(replace(a, level=None) for a in data.schema)
    persons = data.with_attributes(replace(a, level=a.level and Level.PERSON) for a in data.schema)
    for step in (discreet.AdditiveNoise(), discreet.RankSwapping()):

        def by_level(step: Method = step) -> None:
            run_steps(with_levels(unknown), [step], Context(Randomness(1)))

        def by_person(step: Method = step) -> None:
            run_steps(persons, [step], Context(Randomness(1)))

        report(step.spec.name, *ratio(by_level, by_person), "by person")


if __name__ == "__main__":
    main()
