"""How many settings a search tries in a minute of CPU time, on 10,000 records of six columns.

    python -m bench explore_rate
    python -m bench explore_rate --against OTHER/src     beside another version of the package

One worker uses two quick measures, in two ways. The first tries every value of some candidates,
five times if it is random, and shows the cost of a trial. The second searches for the limit among
the methods for numbers, with the usual repetitions, and shows how many settings are tried in how
much time. Times are CPU times of the search and its worker, without the start of both, which is
measured by a search of one setting and subtracted.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

RECORDS = 10_000
VALUES: dict[str, tuple[str, list[float]]] = {
    "rank-swapping": ("p", [2, 4, 6, 8, 10, 12, 14, 16, 18, 20]),
    "additive-noise": ("alpha", [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]),
    "microaggregation": ("k", [3, 4, 5, 6, 8, 10, 15, 20]),
}
METHODS = (
    "additive-noise",
    "individual-ranking",
    "microaggregation",
    "moment-preserving-noise",
    "nonlinear-noise",
    "rank-swapping",
    "resampling",
)
START, TRIALS, LIMIT = "start", "trials", "limit"
"""What is searched: one setting, every value of a few candidates, or the limit."""


class Tried(NamedTuple):
    """The number of settings and trials, and the CPU seconds of all of them."""

    settings: int
    trials: int
    seconds: float


def _asked(kind: str) -> dict[str, Any]:
    """Return the options of a search."""
    if kind == LIMIT:
        return {"methods": METHODS}
    candidates = []
    for method, (name, values) in VALUES.items():
        some = {"try": values if kind == TRIALS else values[:1]}
        stated = {"partition": {"mdav": {name: some}}} if name == "k" else {name: some}
        candidates.append({method: stated})
    tried = candidates if kind == TRIALS else candidates[:1]
    return {"candidates": tried, "every": True, "repeats": 5 if kind == TRIALS else 1}


def search(kind: str, records: int) -> None:
    """Try settings; print how many were tried."""
    import numpy as np

    import discreet

    rng = np.random.default_rng(1)
    common = rng.normal(size=records)
    columns = {f"x{j}": (common + rng.normal(size=records)).round(4) for j in range(6)}
    roles = dict.fromkeys(columns, "quasi-identifier")
    data = discreet.read(columns, roles=roles)
    risk, goals = {"distance-linkage": 0.05}, ["sse-sst"]
    exploration = discreet.explore(data, risk, goals, cores=1, seed=1, **_asked(kind))
    spent = 0.0
    for process in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(process)
        spent += usage.ru_utime + usage.ru_stime
    print(len(exploration.points), sum(len(point.trials) for point in exploration.points), spent)


def tried(source: Path, records: int) -> dict[str, Tried]:
    """Return what each kind of search tried, without the start."""
    environment = {**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{Path(__file__).parents[1]}"}

    def asked(kind: str) -> Tried:
        command = [sys.executable, "-m", "bench.explore_rate", "--records", str(records)]
        done = subprocess.run(
            [*command, "--search", kind],
            capture_output=True, text=True, check=True, env=environment,
        )  # fmt: skip
        settings, trials, spent = done.stdout.split()[-3:]
        return Tried(int(settings), int(trials), float(spent))

    asked(START)  # compiled, or loaded
    start = asked(START)
    rest = {}
    for kind in (TRIALS, LIMIT):
        whole = asked(kind)
        rest[kind] = Tried(
            whole.settings - start.settings,
            whole.trials - start.trials,
            whole.seconds - start.seconds,
        )
    return rest


def _reported(by_kind: dict[str, Tried]) -> tuple[float, float]:
    """Print what was tried; return trials of all values and settings of a search per second.

    >>> _reported({TRIALS: Tried(28, 113, 3.0), LIMIT: Tried(40, 60, 2.0)})
    113 trials of all values, 0.027 s each, 2260 a minute
    40 settings of a search in 60 trials, 0.050 s each, 1200 a minute
    (37.666..., 20.0)
    """
    every, limit = by_kind[TRIALS], by_kind[LIMIT]
    trials, settings = every.trials / every.seconds, limit.settings / limit.seconds
    print(
        f"{every.trials} trials of all values, {1 / trials:.3f} s each, {60 * trials:.0f} a minute"
    )
    print(
        f"{limit.settings} settings of a search in {limit.trials} trials, {1 / settings:.3f} s "
        f"each, {60 * settings:.0f} a minute"
    )
    return trials, settings


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--against", type=Path, help="the folder src of another version")
    parser.add_argument("--records", type=int, default=RECORDS)
    parser.add_argument("--quick", action="store_true", help="2,000 records")
    parser.add_argument("--search", choices=(START, TRIALS, LIMIT), help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.search is not None:
        search(given.search, given.records)
        return
    records = 2_000 if given.quick else given.records
    print(f"{records:,} records")
    this_version = _reported(tried(Path(__file__).parents[1] / "src", records))
    if given.against:
        print("the other version:")
        other_version = _reported(tried(given.against, records))
        ratios = [a / b for a, b in zip(this_version, other_version, strict=True)]
        print(f"ratio of trials {ratios[0]:.2f}, of settings {ratios[1]:.2f}")


if __name__ == "__main__":
    main()
