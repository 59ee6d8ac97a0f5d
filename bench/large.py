"""Files larger than memory: time, memory and growth when protecting on disk.

A register of 10 columns is generated in Parquet, protected by recoding and suppression (k = 5) and
then by MDAV in blocks (k = 5) within 2 GB, in a process of its own, and verified. Time is the CPU
time of all processes; memory is the most that all of them had resident at once, sampled four times
a second. The first line is the same plan in memory, with a million records.

    python -m bench large            5 and 10 million records
    python -m bench large 5 10 20 50
    python -m bench large 2 --memory 1GB --confined 1.25GB
                                     the system allows no more: a control group of its own (root)
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from discreet.scaling.memory import memory_limit

MILLION = 1_000_000
PIECE = 500_000
PLAN = """
data: {file: register.parquet}
columns:
  person: {role: identifier}
  age: {role: quasi-identifier}
  sex: {role: quasi-identifier}
  region: {role: quasi-identifier}
  education: {role: quasi-identifier}
  income: {role: quasi-identifier}
  wealth: {role: quasi-identifier}
  diagnosis: {role: confidential}
  stay: {role: confidential}
  costs: {role: other}
steps:
  - global-recoding: {k: 5, suppression: 0.01, columns: [age, sex, region, education]}
  - microaggregation: {partition: {mdav: {k: 5, blocks: 5000}}}
"""


def generate(path: Path, rows: int, seed: int = 1) -> None:
    """Write a register of this many records, piece by piece."""
    regions = np.array([f"region {i:02d}" for i in range(40)])
    levels = np.array(["none", "primary", "lower secondary", "upper secondary", "tertiary"])
    illnesses = np.array([f"{letter}{i:02d}" for letter in "ABCJ" for i in range(5)])
    writer = None
    for number in range(-(-rows // PIECE)):
        rng = np.random.default_rng([seed, number])
        count = min(PIECE, rows - number * PIECE)
        age = rng.integers(0, 100, count)
        education = np.minimum(rng.poisson(np.clip(age / 25, 0, 3)), 4)
        income = np.exp(rng.normal(9 + 0.2 * education, 0.5)).round()
        table = pa.table(
            {
                "person": np.arange(number * PIECE, number * PIECE + count),
                "age": age.astype(np.int16),
                "sex": np.where(rng.random(count) < 0.51, "f", "m"),
                "region": regions[np.minimum(rng.geometric(0.08, count), 40) - 1],
                "education": levels[education],
                "income": income,
                "wealth": (income * rng.lognormal(1, 0.8, count)).round(),
                "diagnosis": illnesses[rng.integers(0, 20, count)],
                "stay": rng.geometric(0.2, count).astype(np.int16),
                "costs": rng.gamma(2, 900, count).round(2),
            }
        )
        writer = writer or parquet.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


@contextmanager
def control_group(limit: str | None) -> Iterator[Path | None]:
    """Yield the folder of a memory control group below our own; None if there is no limit."""
    if limit is None:
        yield None
        return
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, place = line.split(":", 2)
        if controllers == "memory":
            root, file = Path("/sys/fs/cgroup/memory"), "memory.limit_in_bytes"
            break
    else:
        root, file = Path("/sys/fs/cgroup"), "memory.max"
    group = root / place.lstrip("/") / f"bench-large-{os.getpid()}"
    group.mkdir()
    try:
        (group / file).write_text(str(memory_limit(limit)))
        yield group
    finally:
        group.rmdir()


def measured(
    folder: Path, memory: str, group: Path | None = None
) -> tuple[float, float, float, int, str]:
    """Protect the register; return CPU seconds, wall seconds, peak bytes, exit code and output."""

    def enter() -> None:
        if group is not None:
            (group / "cgroup.procs").write_text(str(os.getpid()))

    command = [sys.executable, "-m", "discreet.cli.main", "protect", "plan.yaml", "--overwrite"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    with (folder / "said").open("w") as output:
        process = subprocess.Popen(
            [*command, "--memory", memory],
            cwd=folder,
            stdout=output,
            stderr=subprocess.STDOUT,
            preexec_fn=enter,
        )
        peak = [0]
        watching = threading.Thread(target=_watch, args=(process, peak))
        watching.start()
        code = process.wait()
        watching.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, time.monotonic() - started, peak[0], code, (folder / "said").read_text()


def _watch(process: subprocess.Popen[bytes], peak: list[int]) -> None:
    while process.poll() is None:
        peak[0] = max(peak[0], sum(_resident(pid) for pid in _family(process.pid)))
        time.sleep(0.25)


def _family(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    family = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            for child in task.read_text().split():
                family += _family(int(child))
        except OSError:
            continue
    return family


def _resident(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _closing(output: str) -> list[str]:
    """Return what the command said about its passes and stages."""
    return [line.strip() for line in output.splitlines() if " passes over the data" in line]


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("millions", nargs="*", type=float, default=[5.0, 10.0])
    parser.add_argument("--memory", default="2GB")
    parser.add_argument("--confined", help="memory that the system allows, such as 2.5GB")
    parser.add_argument("--alone", action="store_true", help="without the run in memory")
    parser.add_argument("--quick", action="store_true", help="200,000 records")
    given = parser.parse_args(list(arguments))
    sizes = [0.2] if given.quick else given.millions
    print(f"{'records':>12}  {'CPU s':>8}  {'µs/record':>9}  {'wall s':>7}  {'peak GB':>7}")
    runs = [(m, given.memory) for m in sizes]
    if not given.alone and given.confined is None:
        runs.insert(0, (0.2 if given.quick else 1.0, "100GB"))
    for millions, memory in runs:
        folder = Path(tempfile.mkdtemp(prefix="large-"))
        try:
            rows = int(millions * MILLION)
            generate(folder / "register.parquet", rows)
            (folder / "plan.yaml").write_text(PLAN, encoding="utf-8")
            # A small file is protected on disk if it is in a folder.
            if given.quick and memory != "100GB":
                (folder / "register").mkdir()
                shutil.move(folder / "register.parquet", folder / "register")
                plan = PLAN.replace("register.parquet", "register")
                (folder / "plan.yaml").write_text(plan, encoding="utf-8")
            with control_group(given.confined) as group:
                spent, wall, peak, code, output = measured(folder, memory, group)
            note = "in memory" if memory == "100GB" else f"within {memory}"
            print(
                f"{rows:>12,}  {spent:>8.1f}  {1e6 * spent / rows:>9.2f}  {wall:>7.0f}  "
                f"{peak / 1e9:>7.2f}  {note}" + ("" if code == 0 else f", FAILED: {output[-300:]}"),
                flush=True,
            )
            if memory != "100GB":
                print("\n".join(f"{'':>14}{line}" for line in _closing(output)), flush=True)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
