"""The cost of describing a CSV file, compared with just reading it with pyarrow.

    python -m bench describe_speed [ROWS] [--quick]

The file of 15 columns of `verdict_speed` is written as CSV, with and without quotation marks, and
described as the command does it, in a process of its own; pyarrow reads it in another, with its own
memory pool and with that of the system, which is faster. Both have already imported what they need
and read a small file. The ratios are those of the least CPU time and wall time of a few runs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from multiprocessing.queues import SimpleQueue
from pathlib import Path

import pyarrow as pa
from pyarrow import csv

from bench.verdict_speed import invented

Seconds = tuple[float, float]


def described(file: Path) -> None:
    import discreet

    repr(discreet.describe(file))


def read(file: Path) -> None:
    csv.read_csv(file)


def timed(work: Callable[[Path], None], file: Path, small: Path, system: bool) -> Seconds:
    """Return the CPU seconds and wall seconds of some work in a process of its own."""
    context = multiprocessing.get_context("spawn")
    answer: SimpleQueue[Seconds] = context.SimpleQueue()
    child = context.Process(target=_alone, args=(work, file, small, system, answer))
    child.start()
    child.join()
    return answer.get()


def _alone(
    work: Callable[[Path], None],
    file: Path,
    small: Path,
    system: bool,
    answer: SimpleQueue[Seconds],
) -> None:
    if system:
        pa.set_memory_pool(pa.system_memory_pool())
    work(small)
    wall, cpu = time.perf_counter(), _spent()
    work(file)
    answer.put((_spent() - cpu, time.perf_counter() - wall))


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--quick", action="store_true", help="100,000 rows")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args(arguments)
    rows = 100_000 if given.quick else given.rows
    with tempfile.TemporaryDirectory() as place:
        for quoting in ("needed", "none"):
            file, small = Path(place, "large.csv"), Path(place, "small.csv")
            for path, size in ((file, rows), (small, 2_000)):
                csv.write_csv(invented(size), path, csv.WriteOptions(quoting_style=quoting))
            works = {
                "describe": (described, True),
                "pyarrow": (read, False),
                "pyarrow, memory of the system": (read, True),
            }
            taken: dict[str, list[Seconds]] = {name: [] for name in works}
            for _ in range(given.rounds):
                for name, (work, system) in works.items():
                    taken[name].append(timed(work, file, small, system))
            print(f"{rows:,} × 15, quotation marks: {'none' if quoting == 'none' else 'texts'}")
            cpu, wall = (min(seconds[at] for seconds in taken["describe"]) for at in (0, 1))
            print(f"{'describe':<32} {cpu:6.2f} s CPU {wall:6.2f} s")
            for name in list(works)[1:]:
                least = [min(seconds[at] for seconds in taken[name]) for at in (0, 1)]
                print(
                    f"{name:<32} {least[0]:6.2f} s CPU {least[1]:6.2f} s"
                    f"   describe takes {cpu / least[0]:.1f} × and {wall / least[1]:.1f} ×"
                )


if __name__ == "__main__":
    main()
