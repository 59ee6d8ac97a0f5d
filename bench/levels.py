"""What the levels of a household file cost on top of a cheap method.

1,000,000 persons in 400,000 households are protected by correlated noise: once with the columns of
households treated once per household, once person by person, as if nobody knew of levels. Finding
the levels and what follows from members is counted with the former. Then the whole of `protect`,
with its notes and its gate, is compared with the same file in which no column has the role
household; with --verdict, also together with the light of `assess`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

import discreet
from bench.side_by_side import ratio, report
from discreet.contracts import Context, Method, Randomness
from discreet.microdata import Level, Microdata, Role
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
    parser.add_argument("--verdict", action="store_true", help="also with the light of the release")
    chosen = parser.parse_args(arguments)
    data = survey(100_000 if chosen.quick else 1_000_000)
    unknown = data.with_attributes(replace(a, level=None) for a in data.schema)
    persons = data.with_attributes(replace(a, level=a.level and Level.PERSON) for a in data.schema)
    for step in (discreet.AdditiveNoise(), discreet.RankSwapping()):

        def by_level(step: Method = step) -> None:
            run_steps(with_levels(unknown), [step], Context(Randomness(1)))

        def by_person(step: Method = step) -> None:
            run_steps(persons, [step], Context(Randomness(1)))

        report(step.spec.name, *ratio(by_level, by_person), "by person")
    without = unknown.with_attributes([replace(unknown.schema["hid"], role=Role.OTHER)])
    blocks = discreet.Microaggregation(discreet.partition.MDAV(k=3, blocks=10_000))
    for step in (discreet.AdditiveNoise(), discreet.RankSwapping(), blocks):

        def whole(table: Microdata, step: Method = step) -> None:
            release = discreet.protect(with_levels(table), step, seed=1)
            if chosen.verdict:
                _ = discreet.assess(table, release).verdict

        ours, other = ratio(lambda: whole(unknown), lambda: whole(without))
        report(f"protect, {step.spec.name}", ours, other, "no households")


if __name__ == "__main__":
    main()
