"""The studio at full size: whole jobs in a browser, twenty kills, role changes, first page, memory.

    python -m bench studio [jobs|keys|kills|speed] [--quick]

`jobs` does the whole job on sdcMicro's testdata (weights and households) and on Adult (hierarchies
from files) in a real Chromium, `keys` does it on a small file without a mouse, `kills` kills the
server at twenty random moments and checks what is left, `speed` measures the first page, changes of
roles and the memory of the server, in CPU seconds and by the clock.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.data import reference_data
from tests.studio.browser import Driven, address_of, start, studio_process
from tests.studio.client import people
from tests.studio.killing import PLACE, Session, kill_at_random
from tests.studio.whole_jobs import (
    ADULT_COLUMNS,
    by_keyboard,
    first_rows,
    recoding_with_hierarchies,
    survey_of_households,
)

PARTS = ("jobs", "keys", "kills", "speed")
KILLS = 20
COLUMNS = 20
CHANGES = 40
TICKS = os.sysconf("SC_CLK_TCK")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench studio")
    parser.add_argument("parts", nargs="*", metavar="PART", default=list(PARTS))
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        for part in given.parts:
            folder = Path(name, part)
            folder.mkdir()
            {"jobs": jobs, "keys": keys, "kills": kills, "speed": speed}[part](folder, given.quick)


def jobs(folder: Path, quick: bool) -> None:
    data = reference_data()
    if data is None:
        return
    rows = 400 if quick else None
    first_rows(data / "sdcmicro_testdata.csv", folder / "testdata.csv", rows)
    first_rows(data / "adult_arx_30162.csv", folder / "adult.csv", rows)
    with studio_process(folder) as address:
        started = time.monotonic()
        with Driven(address) as page:
            print(survey_of_households(page), flush=True)
            print(f"testdata: {time.monotonic() - started:.0f} s, {page.clicks} clicks", flush=True)
            started, page.clicks = time.monotonic(), 0
            page.go(address.partition("/w/")[0].partition("?")[0])
            hierarchies = data / "adult_hierarchies"
            print(recoding_with_hierarchies(page, hierarchies, ADULT_COLUMNS), flush=True)
            print(f"adult: {time.monotonic() - started:.0f} s, {page.clicks} clicks", flush=True)
            print(f"requests to other hosts: {len(page.asked_others())}", flush=True)


def keys(folder: Path, quick: bool) -> None:
    people(folder)
    with studio_process(folder) as address, Driven(address) as page:
        started = time.monotonic()
        print(by_keyboard(page), flush=True)
        print(f"without a mouse: {time.monotonic() - started:.0f} s", flush=True)


def kills(folder: Path, quick: bool) -> None:
    times = 3 if quick else KILLS
    plans = kill_at_random(folder, times, seed=11, latest=6.0)
    print(f"{times} kills at random moments: {plans} plans, nothing lost", flush=True)


def speed(folder: Path, quick: bool) -> None:
    draw = np.random.default_rng(1)
    for rows in (20_000,) if quick else (100_000, 1_000_000):
        bytes_held = _write(folder / "people.csv", rows, draw)
        bare = _without_data(folder)
        began = time.monotonic()
        process = start(folder, str(folder / "people.csv"))
        try:
            address = address_of(process)
            session = Session(address)
            first, first_cpu = time.monotonic() - began, _seconds_of(process.pid)
            taken, of_processor = _changes(session, process.pid)
            peak, now = _memory(process.pid)
        finally:
            _end(process)
        print(f"{rows:,} x {COLUMNS}, {bytes_held / 1e6:,.0f} MB as arrays of the file's types")
        print(
            f"  address and page after {first:.1f} s of the clock, {first_cpu:.1f} s of processor"
        )
        for words, values in (("clock", taken), ("processor", of_processor)):
            at = np.quantile(values, (0.5, 0.95)) * 1000
            print(f"  role change, ms of the {words}: median {at[0]:.0f}, p95 {at[1]:.0f}")
        print(
            f"  memory of the server: {now:,.0f} MB ({now * 1e6 / bytes_held:.1f} x the data), at "
            f"most {peak:,.0f} MB ({peak * 1e6 / bytes_held:.1f} x); before any data "
            f"{bare:,.0f} MB",
            flush=True,
        )


def _without_data(folder: Path) -> float:
    """Return the megabytes of a server that has shown its first page and no file."""
    process = start(folder)
    try:
        Session(address_of(process))
        return _memory(process.pid)[1]
    finally:
        _end(process)


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def _write(path: Path, rows: int, draw: np.random.Generator) -> int:
    """Write numbers and categories, half of each; return the bytes that they take in memory."""
    import pyarrow as pa
    import pyarrow.csv

    columns: dict[str, pa.Array] = {}
    for number in range(COLUMNS // 2):
        columns[f"size {number}"] = pa.array(draw.integers(0, 50 + 20 * number, rows))
        columns[f"group {number}"] = pa.array(
            draw.choice([f"g{i}" for i in range(3 + number)], rows)
        )
    table = pa.table(columns)
    pyarrow.csv.write_csv(table, path)
    return int(table.nbytes)


def _changes(session: Session, pid: int) -> tuple[list[float], list[float]]:
    roles = ("quasi-identifier", "other")
    taken, of_processor = [], []
    for number in range(-2, CHANGES):
        column = f"{('size', 'group')[number % 2]} {number % 7}"
        change = {"column": column, "key": "role", "value": roles[number // 2 % 2]}
        while True:
            clock, spent = time.monotonic(), _seconds_of(pid)
            if session.post(f"{PLACE}/columns/set", change) == 200:
                break
            time.sleep(0.5)
        if number >= 0:
            taken.append(time.monotonic() - clock)
            of_processor.append(_seconds_of(pid) - spent)
    return taken, of_processor


def _seconds_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _memory(pid: int) -> tuple[float, float]:
    """Return the most memory that a process held and what it holds (VmHWM and VmRSS of Linux,
    code and libraries with it), in megabytes of 1,000,000 bytes.
    """
    status = Path(f"/proc/{pid}/status").read_text()
    lines = dict(line.split(":", 1) for line in status.splitlines())
    peak, now = (int(lines[key].split()[0]) * 1024 / 1e6 for key in ("VmHWM", "VmRSS"))
    return peak, now
