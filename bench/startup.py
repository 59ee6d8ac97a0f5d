"""Starting up: the import, the help screen, and the compilation at first use.

Import and help are compared with the bare interpreter and numpy, which no numeric package can beat.
The demo, and with `--methods` the first call of every method and partition on a small and on a
larger table, run with an empty cache of compiled kernels and again with a full one; these are CPU
seconds, so that other work on the machine counts little.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.side_by_side import ratio, report
from discreet.contracts.registry import entries

LONGEST = 8.0
"""The most seconds that the first call of any method may take."""
TABLES = (400, 20_000)

DEMO = """
import os, sys
from discreet.cli.main import main
sys.argv = ["discreet", "demo", "--out", os.environ["OUT"]]
try:
    main()
finally:
    spent = os.times()
    print(spent.user + spent.system, file=sys.stderr)
"""
FIRST_CALL = """
import os, sys
from bench.costs import COLUMNS, work
from discreet.contracts.registry import entries
from discreet.errors import DiscreetError, NotApplicable
[entry] = [e for e in entries() if (e.family, e.spec.name) == (sys.argv[1], sys.argv[2])]
call = work(entry, int(sys.argv[3]), COLUMNS)
before = os.times()
try:
    call()
except (DiscreetError, NotApplicable):
    pass
spent = os.times()
print(spent.user + spent.system - before.user - before.system, file=sys.stderr)
"""


def cold_and_warm(program: str, *arguments: str) -> tuple[float, float]:
    """Return the CPU seconds of a program with an empty cache, and with the cache that it left."""
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        for turn in ("cold", "warm"):
            place = {"DISCREET_KERNELS": f"{folder}/kernels", "OUT": f"{folder}/{turn}"}
            done = subprocess.run(
                [sys.executable, "-c", program, *arguments],
                env={**os.environ, **place}, cwd=Path(__file__).parents[1],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            seconds.append(float(done.stderr.split()[-1]))
    return seconds[0], seconds[1]


def first_calls() -> None:
    """Print the first call of every method and partition, and mark those that take too long."""
    print(f"{'first call of':<40}{'records':>9}{'cold':>9}{'warm':>9}   CPU s")
    for entry in entries():
        if entry.family not in ("method", "partition"):
            continue
        for rows in TABLES:
            cold, warm = cold_and_warm(FIRST_CALL, entry.family, entry.spec.name, str(rows))
            mark = f"  <-- {cold - warm:.1f} s of compiling" if cold - warm > LONGEST else ""
            print(f"{entry.spec.name:<40}{rows:>9,}{cold:>9.2f}{warm:>9.2f}{mark}", flush=True)


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--methods", action="store_true", help="the first call of every method")
    given = parser.parse_args(arguments)
    rounds = 3 if given.quick else 7
    bare = ["-c", "import numpy"]
    seconds, bare_seconds = ratio(
        lambda: _run("-c", "import discreet"), lambda: _run(*bare), rounds
    )
    report("import discreet", seconds, bare_seconds, "import numpy")
    seconds, bare_seconds = ratio(
        lambda: _run("-m", "discreet.cli.main", "--help"), lambda: _run(*bare), rounds
    )
    report("discreet --help", seconds, bare_seconds, "import numpy")
    cold, warm = cold_and_warm(DEMO)
    report("the demo with kernels kept (CPU)", warm, cold, "with an empty cache")
    if given.methods:
        first_calls()


if __name__ == "__main__":
    main()
