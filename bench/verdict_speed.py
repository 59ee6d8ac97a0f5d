"""The cost of the verdict: CPU seconds and memory of each part of a release, and of each measure.

    python -m bench verdict_speed [ROWS] [--quick]

A file of 15 columns is invented (six categorical keys, three numeric ones, confidential columns,
a household, a weight), read from Parquet, microaggregated in blocks with local suppression on top,
assessed with the usual measures, and written. In this release the strongest attack links nearly
everybody, so the others need not be tried; in a second one, with keys changed at random and ranks
swapped, no attack finds much, so all of them are. The floor is the least that must be done with
such a file: read it, count the classes of its keys, and write it. Memory is what a part adds to
what was held when it began, in multiples of the Arrow table.
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import discreet
from discreet.contracts import Context, Measure, Randomness
from discreet.contracts.registry import entries
from discreet.release.attacking import attacked

KEYS = {"sex": 2, "marital": 5, "region": 8, "industry": 12, "education": 6, "citizen": 3}
NUMBERS = ("age", "hours", "distance")
SECRETS = ("income", "debt", "illness")
ROLES = {
    **dict.fromkeys((*KEYS, *NUMBERS), "quasi-identifier"),
    **dict.fromkeys(SECRETS, "confidential"),
    "weight": "weight",
    "home": "household",
}
WARM = 120_000
"""Rows of the run that compiles: kernels for large files are not compiled for smaller ones."""


def invented(rows: int) -> pa.Table:
    """Return a table whose columns depend on each other as those of people do."""
    rng = np.random.default_rng(20_261_116)
    life = rng.normal(size=rows)
    columns: dict[str, Any] = {}
    for name, width in KEYS.items():
        level = 0.5 * life + rng.normal(size=rows)
        cuts = np.quantile(level[:10_000], np.sort(rng.random(width - 1)))
        texts = np.array([f"{name} {i}" for i in range(width)])
        columns[name] = pa.array(texts[np.searchsorted(cuts, level)])
    columns["age"] = np.clip(np.rint(45 + 15 * life + 8 * rng.normal(size=rows)), 0, 99)
    columns["hours"] = np.clip(np.rint(38 + 4 * life + 9 * rng.normal(size=rows)), 0, 80)
    columns["distance"] = np.round(np.exp(2 + 0.3 * life + rng.normal(size=rows)), 1)
    columns["income"] = np.round(np.exp(10 + 0.6 * life + 0.5 * rng.normal(size=rows)), 2)
    columns["debt"] = np.round(np.exp(8 + 0.2 * life + rng.normal(size=rows)), 2)
    columns["illness"] = pa.array(np.array(list("ABCDEFGH"))[rng.binomial(7, 0.3, rows)])
    columns["home"] = np.sort(rng.integers(0, rows // 3 + 1, rows))
    columns["owner"] = pa.array(np.array(["no", "yes"])[(life + rng.normal(size=rows) > 0) * 1])
    columns["weight"] = np.round(np.exp(3 + 0.3 * rng.normal(size=rows)), 2)
    return pa.table(columns)


def plan(well: bool) -> list[Any]:
    """Return a cheap protection: numbers in groups, and few suppressed cells.

    Or another that is as cheap, after which hardly anybody is found.
    """
    if well:
        return [
            discreet.RankSwapping(p=50, columns=NUMBERS),
            discreet.PRAM(stay=0.3, columns=tuple(KEYS)),
        ]
    return [
        discreet.Microaggregation(discreet.partition.MDAV(k=3, blocks=5_000), columns=NUMBERS),
        discreet.LocalSuppression(k=3, columns=tuple(KEYS), steps=100_000),
    ]


class Watch:
    """Runs parts of the work, and reports the cost of each."""

    def __init__(self, unit: int) -> None:
        self.unit = unit
        self.bare = _resident()
        self.highest = 0.0

    def __call__(self, part: str, work: Callable[[], Any]) -> Any:
        held, peak, done = _resident(), [0], threading.Event()

        def look() -> None:
            while not done.wait(0.01):
                peak[0] = max(peak[0], _resident())

        watcher = threading.Thread(target=look)
        watcher.start()
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            result = work()
        finally:
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
            done.set()
            watcher.join()
        added, whole = ((max(peak[0], held) - base) / self.unit for base in (held, self.bare))
        self.highest = max(self.highest, whole)
        print(f"{part:<28} {cpu:8.2f} s CPU {wall:8.2f} s  +{added:5.1f} ×  {whole:5.1f} ×")
        return result


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def _measures() -> list[Measure]:
    by_default = [entry() for entry in entries("measure") if getattr(entry.spec, "default", False)]
    return [measure for measure in by_default if isinstance(measure, Measure)]


def _whole(folder: Path, rows: int, alone: bool, well: bool = False) -> None:
    """A whole release or, if measures are to be examined alone, each of them by itself."""
    file = folder / f"{rows}.parquet"
    watch = Watch(pq.read_table(file).nbytes)
    kind = "well protected" if well else "easy to link"
    print(f"{rows:,} × 15, {kind}, {watch.unit / 2**20:.0f} MB in Arrow; × is that size")
    data = watch("read", lambda: discreet.read(file, roles=ROLES))
    release = watch("protect", lambda: discreet.protect(data, plan(well), seed=1))
    if alone:
        for measure in _measures():
            _alone(watch, data, release, measure)
        watch("(the report's attack)", lambda: attacked(data, release.data, release.pairing))
        return
    assessment = watch("assess", lambda: discreet.assess(data, release))
    watch("verdict", lambda: assessment.verdict)
    watch("attack of the report", lambda: assessment.attack)
    watch("dependency of the report", lambda: assessment.dependency)
    out = folder / f"release-{rows}"
    watch("write", lambda: release.write(out, assessment=assessment, overwrite=True))
    print(
        f"{'highest':<28} {time.process_time():8.2f} s CPU of the process {watch.highest:15.1f} ×"
    )


def _alone(watch: Watch, data: Any, release: Any, measure: Measure) -> None:
    from discreet.release.assessing import _row

    context = Context(Randomness(1)).within(measure.spec.name)
    watch(measure.spec.name, lambda: _row(measure, data, release.data, release.pairing, context))


def _floor(folder: Path, rows: int) -> None:
    """Read the file, count the classes of its keys, write it."""
    started = time.process_time()
    table = pq.read_table(folder / f"{rows}.parquet")
    table.group_by([*KEYS, *NUMBERS]).aggregate([([], "count_all")])
    pq.write_table(table, folder / "floor.parquet")
    print(f"{'floor':<28} {time.process_time() - started:8.2f} s CPU")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="?", type=int, default=1_000_000)
    parser.add_argument("--quick", action="store_true", help="100,000 rows")
    parser.add_argument("--alone", action="store_true", help="each measure by itself only")
    given = parser.parse_args(arguments)
    rows = 100_000 if given.quick else given.rows
    processes = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for size in (WARM, rows):
            pq.write_table(invented(size), folder / f"{size}.parquet")
        # Each in a process of its own, after a smaller run that compiles and imports.
        parts = [(True, False)] if given.alone else [(False, False), (False, True), (True, False)]
        for alone, well in parts:
            child = processes.Process(target=_warm, args=(folder, rows, alone, well))
            child.start()
            child.join()
        _floor(folder, rows)


def _warm(folder: Path, rows: int, alone: bool, well: bool) -> None:
    import contextlib
    import io

    with contextlib.redirect_stdout(io.StringIO()):
        _whole(folder, WARM, alone, well)
    _whole(folder, rows, alone, well)


if __name__ == "__main__":
    main()
