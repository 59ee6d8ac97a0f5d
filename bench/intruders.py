"""What the ignorant and the knowing intruder link: every method at three strengths, on Census.

    python -m bench intruders [--quick] [FILE]

A method is run at the first, the middle and the last of the values that it offers to a search. The
ignorant intruder links by distance, by ranks, by learned weights and within tolerances; the knowing
one also runs the method. Both link one to many and one to one, and the better counts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import discreet
from bench.data import reference_data
from discreet.contracts import Context, Method, Randomness
from discreet.contracts.registry import build, entries
from discreet.errors import DiscreetError
from discreet.measures.risk.strongest_linkage import StrongestLinkage
from discreet.microdata import Microdata

QUICK = ("rank-swapping", "additive-noise")


def read(path: Path) -> Microdata:
    """Read a file with all its numbers as quasi-identifiers."""
    data = discreet.read(path)
    numbers = [attribute.name for attribute in data.schema if attribute.continuous]
    data = discreet.read(path, roles=dict.fromkeys(numbers, "quasi-identifier"))
    return data.drop([name for name in data.schema.names if name not in numbers])


def strengths(only: Sequence[str] = ()) -> Iterator[tuple[str, Method]]:
    """Yield each method at the first, the middle and the last of the values it offers."""
    for entry in entries("method"):
        if only and entry.spec.name not in only:
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
    if only:
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


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="two methods only")
    parser.add_argument("file", nargs="?", help="another file of numbers")
    options = parser.parse_args(arguments)
    folder = reference_data()
    if options.file is None and folder is None:
        return
    data = read(Path(options.file) if options.file else Path(folder or ".") / "casc_census.csv")
    print(f"{len(data):,} records, {len(data.schema)} columns; a blind guess: {1 / len(data):.2%}")
    print(f"{'method':56s}{'ignorant':>10s}{'knowing':>10s}  by{'':28s}{'CPU s':>6s}")
    for label, method in strengths(QUICK if options.quick else ()):
        started = time.process_time()
        try:
            release = discreet.protect(data, method, seed=1, allow=None)
        except DiscreetError as error:
            print(f"{label:56s}  {str(error)[:70]}")
            continue
        pairing, context = release.pairing, Context(Randomness(1))
        if pairing is None:
            print(f"{label:56s}  releases records of nobody")
            continue
        knowing = StrongestLinkage().score(data, release.data, context, pairing)
        success = knowing.detail["success"]
        ignorant = max(rate for name, rate in success.items() if name not in _knowing())
        seconds = time.process_time() - started
        print(
            f"{label:56s}{ignorant:10.1%}{knowing.value:10.1%}  "
            f"{knowing.detail['winner']:30s}{seconds:6.1f}"
        )


def _knowing() -> set[str]:
    return {e.spec.name for e in entries("attack") if getattr(e, "knows_method", False)}


if __name__ == "__main__":
    main()
