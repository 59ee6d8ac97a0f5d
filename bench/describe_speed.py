"""The cost of describing a CSV file, compared with just reading it with pyarrow.

    python -m bench describe_speed [ROWS] [--quick]

The file of 15 columns of `verdict_speed` is written as CSV, with and without quotation marks, and
described as the command does it, in a process of its own; pyarrow reads it in another. Both have
already imported what they need and read a small file. How long the system takes to clear the pages
of memory that a process is given varies more than all else, so the processes take turns, and the
ratios are those of the medians and of the least times of several rounds. The command lets Arrow
keep its memory; pyarrow reads as it is installed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from pyarrow import csv

from bench.verdict_speed import invented

TIMED = """
import json, resource, sys, time
def spent():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime, time.perf_counter()
small, file = sys.argv[1:]
work(small)
before = spent()
work(file)
print(json.dumps([after - at for after, at in zip(spent(), before)]))
"""
SIDES = {
    "describe": """
from discreet.io.memory_guard import keep_memory
keep_memory()
import discreet
work = lambda file: repr(discreet.describe(file))
""",
    "pyarrow": """
from pyarrow import csv
work = csv.read_csv
""",
}


def timed(side: str, small: Path, file: Path) -> list[float]:
    """Return the CPU seconds and wall seconds of a side in a process of its own."""
    command = [sys.executable, "-c", SIDES[side] + TIMED, str(small), str(file)]
    answer = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    seconds: list[float] = json.loads(answer)
    return seconds


def compared(small: Path, file: Path, rounds: int) -> None:
    """Print the seconds of both, and how many times as long describing takes."""
    taken = [[timed(side, small, file) for side in SIDES] for _ in range(rounds)]
    seconds = np.array(taken)  # by round and side, CPU time and time
    for name, figures in (("median", np.median(seconds, axis=0)), ("least", seconds.min(axis=0))):
        for side, (cpu, wall) in zip(SIDES, figures, strict=True):
            print(f"{name:<8} {side:<10} {cpu:6.2f} s CPU {wall:6.2f} s")
        cpu, wall = figures[0] / figures[1]
        print(f"{'':<8} describe takes {cpu:.1f} × the CPU time and {wall:.1f} × the time")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--quick", action="store_true", help="100,000 rows")
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args(arguments)
    rows = 100_000 if given.quick else given.rows
    with tempfile.TemporaryDirectory() as place:
        for quoting in ("needed", "none"):
            file, small = Path(place, "large.csv"), Path(place, "small.csv")
            for path, size in ((file, rows), (small, 2_000)):
                csv.write_csv(invented(size), path, csv.WriteOptions(quoting_style=quoting))
            print(f"{rows:,} × 15, quotation marks: {'none' if quoting == 'none' else 'texts'}")
            compared(small, file, given.rounds)


if __name__ == "__main__":
    main()
