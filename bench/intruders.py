"""What the ignorant and the knowing intruder link: every method at three strengths, on Census.

    python -m bench intruders [--quick] [--method NAME] [FILE]
    python -m bench intruders --windows

A method is run at the first, the middle and the last of the values that it offers to a search. The
ignorant intruder links by distance, by ranks, by learned weights and within tolerances; the knowing
one also runs the method. Both link one to many and one to one, and choose the attack for each
half of the records by the other half; "at most" is the largest success of any attack, which is the
result if there is more to it than luck. Methods that do not treat numbers, or need a class, are run
on a thousand records of Adult, without the age if necessary.

`--windows` has rank swapping of Census and Tarragona for p = 5, 10, 15, 20 instead: distance
linkage, windows of ranks, and the share of records for which the windows leave one person.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import discreet
from bench.chosen_strengths import UNLINKED, chosen_strengths
from bench.data import reference_data
from discreet.contracts import Attack, Context, Measure, Method, Randomness
from discreet.contracts.registry import build, entries
from discreet.errors import DiscreetError
from discreet.measures.risk.strongest_linkage import StrongestLinkage
from discreet.microdata import Microdata

QUICK = ("rank-swapping", "additive-noise")
ADULT, ADULT_RECORDS = "adult_arx_30162.csv", 1_000
BY_PARTITION = "microaggregation"
WINDOWED = ("casc_census.csv", "casc_tarragona.csv")


def read(path: Path) -> Microdata:
    """Read a file with all its numbers as quasi-identifiers."""
    data = discreet.read(path)
    numbers = [attribute.name for attribute in data.schema if attribute.continuous]
    data = discreet.read(path, roles=dict.fromkeys(numbers, "quasi-identifier"))
    return data.drop([name for name in data.schema.names if name not in numbers])


def strengths(data: Microdata, only: Sequence[str] = ()) -> Iterator[tuple[str, Method]]:
    """Yield each method at the first, the middle and the last of the values that it offers.

    If it offers none, three values are chosen for the data.
    """
    for entry in entries("method"):
        if entry.spec.name == BY_PARTITION or (only and entry.spec.name not in only):
            continue
        for name, parameter in entry.params().items():
            if not parameter.trials:
                continue
            trials: list[Any] = list(parameter.trials)
            for value in dict.fromkeys((trials[0], trials[len(trials) // 2], trials[-1])):
                method = build("method", {entry.spec.name: {name: value}})
                assert isinstance(method, Method)
                yield f"{entry.spec.name} ({name} = {value})", method
            break
    for of, label, method in chosen_strengths(data):
        if not only or of in only:
            yield label, method
    if only and BY_PARTITION not in only:
        return
    for k in (3, 10, 30):
        for columns in (None, 3):
            method = discreet.Microaggregation(
                discreet.partition.MDAV(k=k), attributes_at_a_time=columns
            )
            yield (
                f"microaggregation (k = {k}{', three columns at a time' if columns else ''})",
                method,
            )


def categories(path: Path) -> Microdata:
    """Read the first records of Adult: eight quasi-identifiers and the class of the salary."""
    import numpy as np

    data = discreet.read(path)
    *known, secret = data.schema.names
    roles = {**dict.fromkeys(known, "quasi-identifier"), secret: "confidential"}
    return discreet.read(path, roles=roles).take(np.arange(ADULT_RECORDS))


def weighted(data: Microdata) -> Microdata:
    """Return a file with a column of equal weights, for methods that need one."""
    columns = data.frame().to_pydict()
    roles = {attribute.name: attribute.role for attribute in data.schema} | {"weight": "weight"}
    return discreet.read(columns | {"weight": [10.0] * len(data)}, roles=roles)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two methods only")
    parser.add_argument("--method", action="append", help="this method only (repeatable)")
    parser.add_argument("--windows", action="store_true", help="rank swapping at four windows")
    parser.add_argument("file", nargs="?", help="another file of numbers")
    options = parser.parse_args(arguments)
    folder = reference_data()
    if options.file is None and folder is None:
        return
    if options.windows and folder is not None:
        windows([Path(folder) / name for name in WINDOWED])
        return
    tables = [read(Path(options.file) if options.file else Path(folder or ".") / WINDOWED[0])]
    if folder is not None and not options.file:
        adult = categories(Path(folder) / ADULT)
        categorical = adult.drop([a.name for a in adult.schema if a.continuous])
        tables += [adult, categorical, weighted(categorical)]
    data = tables[0]
    print(f"{len(data):,} records, {len(data.schema)} columns; a blind guess: {1 / len(data):.2%}")
    print(
        f"{'method':56s}{'ignorant':>10s}{'knowing':>10s}{'at most':>10s}  by{'':28s}{'CPU s':>6s}"
    )
    only = options.method or (QUICK if options.quick else ())
    for label, method in strengths(data, only):
        print(_line(label, method, tables), flush=True)
    for name, reason in UNLINKED.items():
        if not only or name in only:
            print(f"{name}: {reason}")


def _line(label: str, method: Method, tables: Sequence[Microdata]) -> str:
    started = time.process_time()
    for number, data in enumerate(tables):
        try:
            release = discreet.protect(data, method, seed=1, allow=None)
        except DiscreetError as error:
            refused = str(error)
            continue
        label = f"{label}, Adult" if number else label
        if release.pairing is None:
            return f"{label:56s}  releases records of nobody"
        context = Context(Randomness(1))
        knowing = StrongestLinkage().score(data, release.data, context, release.pairing)
        chosen = knowing.detail["chosen by the other half"]
        most = knowing.at_worst(StrongestLinkage.spec.better)
        seconds = time.process_time() - started
        return (
            f"{label:56s}{chosen['ignorant']:10.1%}{chosen['knowing']:10.1%}{most:10.1%}  "
            f"{knowing.detail['winner']:30s}{seconds:6.1f}"
        )
    return f"{label:56s}  {refused[:70]}"


def windows(paths: Sequence[Path]) -> None:
    """Print how successful distance linkage and windows of ranks are against rank swapping."""
    distance = build("measure", "distance-linkage")
    attack = build("attack", "rank-window-linkage")
    assert isinstance(distance, Measure)
    assert isinstance(attack, Attack)
    print(f"{'file':22s}{'p':>4s}{'distance':>10s}{'windows':>10s}{'certain':>10s}{'CPU s':>7s}")
    for path in paths:
        data = read(path)
        for p in (5, 10, 15, 20):
            started = time.process_time()
            release = discreet.protect(data, discreet.RankSwapping(p=p), seed=1, allow=None)
            context, target = Context(Randomness(1)), release.target
            near = distance.score(data, release.data, context, release.pairing)
            outcome = attack.attempt(target, context)
            seconds = time.process_time() - started
            print(
                f"{path.stem:22s}{p:4d}{near.value:10.1%}{outcome.success:10.1%}"
                f"{outcome.certain or 0:10.1%}{seconds:7.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
