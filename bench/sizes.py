"""Every method on 100,000 x 10 and 1,000,000 x 10: CPU seconds, memory, and forecasts.

    python -m bench sizes                               all methods at 100,000 records, 20 s each
    python -m bench sizes --records 1000000 --within 180
    python -m bench sizes hybrid camp-crest --advised   and again as the forecast advises

A method runs in a process of its own, as a step of a plan with the parameters of its example, on
ten generated columns of its kinds; the memory is the peak of this process. A run that takes twice
as long as it should is abandoned. A method that takes longer than it should must have said so
before it started, with the option that makes it quick if there is one: this is printed below its
line.
"""

from __future__ import annotations

import argparse
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from bench.costs import example, table
from discreet.contracts import Context, Progress, Randomness
from discreet.contracts.registry import entries
from discreet.contracts.threads import one_thread
from discreet.errors import DiscreetError, nearest
from discreet.microdata import Microdata, Role
from discreet.release.by_level import protected
from discreet.release.forecast import announce

COLUMNS = 10
WARM = 300
GIVEN_UP = 2.0
"""How many times longer than it should a run may take."""


class Heard(Progress):
    """Keeps what is reported."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, message: str) -> None:
        """Keep a sentence."""
        self.said.append(message)


def file_of(kinds: Sequence[Any], rows: int) -> Microdata:
    """Return generated records without households, so that they may be cut into blocks."""
    data = table(kinds, rows, COLUMNS)
    home = data.having(Role.HOUSEHOLD)
    return Microdata(column for column in data if column.name not in home)


def run_one(name: str, rows: int, limit: float, advice: str | None) -> None:
    """Run a method; print what it reports before it starts, and its CPU seconds last."""
    (entry,) = (e for e in entries() if e.family == "method" and e.spec.name == name)
    data = file_of(entry.spec.kinds, rows)
    step = example(entry, data)
    if advice is not None:
        option, _, value = advice.partition(": ")
        step = type(step)(**{**step.values(), option: int(value)})
    heard = Heard()
    with one_thread():
        protected(step, data.take(np.arange(WARM)), {}, Context(Randomness(1)))
        if advice is None:
            announce(step, data, {}, Context(Randomness(1), heard))
            for sentence in heard.said:
                print(f"said: {sentence}", flush=True)
        spent = time.process_time()
        most = int(spent + limit) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
        # A partition that reports by itself does so along the way.
        speaking = Heard()
        protected(step, data, {}, Context(Randomness(1), speaking))
    for sentence in speaking.said:
        print(f"said: {sentence}")
    print(f"held: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2:.1f}")
    print(f"took: {time.process_time() - spent:.1f}")


def measured(
    name: str, rows: int, limit: float, advice: str | None = None
) -> tuple[str, float | None, list[str]]:
    """Return the outcome in words, the seconds if it ended, and what was reported beforehand."""
    asked = [sys.executable, "-m", "bench.sizes", name, "--records", str(rows)]
    asked += ["--one", "--within", str(limit)]
    asked += [] if advice is None else ["--advice", advice]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    announced = [line.removeprefix("said: ") for line in lines if line.startswith("said: ")]
    took = [float(line.removeprefix("took: ")) for line in lines if line.startswith("took: ")]
    held = [line.removeprefix("held: ") for line in lines if line.startswith("held: ")]
    if took:
        return f"{took[0]:>7.1f} s {held[0]:>5} GiB", took[0], announced
    if done.returncode == -signal.SIGXCPU:
        return f"not done after {limit:.0f} s", None, announced
    return f"FAILED: {done.stderr.strip().splitlines()[-1:]}", None, announced


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="methods; all if none is named")
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--within", type=float, default=20.0, help="CPU seconds for each")
    parser.add_argument("--advised", action="store_true", help="run again as is advised")
    parser.add_argument("--quick", action="store_true", help="10,000 records, 5 s each")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--advice", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    methods = [entry.spec.name for entry in entries() if entry.family == "method"]
    for name in given.names:
        if name not in methods:
            parser.error(f"there is no method {name}{nearest(name, methods)}")
    if given.one:
        try:
            run_one(given.names[0], given.records, given.within, given.advice)
        except DiscreetError as reason:
            sys.exit(str(reason))
        return
    rows, within = (10_000, 5.0) if given.quick else (given.records, given.within)
    print(f"{rows:,} records, {COLUMNS} columns, {within:.0f} s of CPU time")
    slow = []
    for name in given.names or methods:
        words, seconds, announced = measured(name, rows, GIVEN_UP * within)
        if seconds is None or seconds > within:
            slow.append(name)
        print(f"{name:<32}{words}", flush=True)
        for sentence in announced:
            print(f"    {sentence}", flush=True)
            for advice in re.findall(r"(\w+: \d+) would take", sentence) if given.advised else []:
                again, _, _ = measured(name, rows, GIVEN_UP * within, advice)
                print(f"    {advice} took {again}", flush=True)
    listed = f": {', '.join(slow)}" if slow else ""
    print(f"\n{len(slow)} take longer than {within:.0f} s{listed}")


if __name__ == "__main__":
    main()
