"""The cost that the levels of a household file add to a release.

1,000,000 persons in 400,000 households are protected by correlated noise, by rank swapping and by
MDAV in blocks: once with households known, so that the levels of columns are detected and what
households share is treated once for each household, and once with the same file in which no column
has the role household. The steps alone are compared, and `protect` with its notes and its gate;
with --verdict, also `protect` together with the light of `assess`. Seconds are CPU seconds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

import discreet
from bench.side_by_side import ratio, report
from discreet.contracts import Context, Method, Randomness
from discreet.microdata import Microdata, Role
from discreet.microdata.levels import with_levels
from discreet.release.course import run_steps

QI = "quasi-identifier"
Work = Callable[[Microdata, Method], object]


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
    blocks = discreet.Microaggregation(discreet.partition.MDAV(k=3, blocks=10_000))
    for step in (discreet.AdditiveNoise(), discreet.RankSwapping(), blocks):
        works: dict[str, Work] = {"steps": steps, "protect": protected}
        works |= {"verdict": lit} if chosen.verdict else {}
        for word, work in works.items():
            with_households, without = ratio(
                partial(with_role, Role.HOUSEHOLD, data, work, step),
                partial(with_role, Role.OTHER, data, work, step),
                rounds=1 if word == "verdict" else 3,
                clock=time.process_time,
            )
            on_top = f"{with_households / without - 1:+.0%}"
            report(f"{word}, {step.spec.name}: {on_top}", with_households, without, "no households")


def with_role(role: Role, data: Microdata, work: Work, step: Method) -> None:
    """Work on the file as if it had just been read: nothing is known about its households yet."""
    unknown = data.with_attributes(replace(a, level=None) for a in data.schema)
    work(with_levels(unknown.with_attributes([replace(unknown.schema["hid"], role=role)])), step)


def steps(table: Microdata, step: Method) -> object:
    return run_steps(table, [step], Context(Randomness(1)))


def protected(table: Microdata, step: Method) -> discreet.Release:
    return discreet.protect(table, step, seed=1)


def lit(table: Microdata, step: Method) -> object:
    return discreet.assess(table, protected(table, step)).verdict


if __name__ == "__main__":
    main()
