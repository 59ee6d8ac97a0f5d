"""Starting up: the import, the help screen, and the compilation at first use.

Each is set against the bare interpreter with numpy, which no numeric package can undercut.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.side_by_side import ratio, report

FIRST_USE = """
import time, numpy as np, discreet
rng = np.random.Generator(np.random.PCG64(1))
data = discreet.read({"a": rng.normal(size=200).tolist(), "b": rng.normal(size=200).tolist()},
                     roles={"a": "quasi-identifier", "b": "quasi-identifier"})
started = time.perf_counter()
release = discreet.protect(data, "microaggregation")
print(time.perf_counter() - started)
"""


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    rounds = 3 if parser.parse_args(arguments).quick else 7
    bare = ["-c", "import numpy"]
    ours, other = ratio(lambda: _run("-c", "import discreet"), lambda: _run(*bare), rounds)
    report("import discreet", ours, other, "import numpy")
    ours, other = ratio(
        lambda: _run("-m", "discreet.cli.main", "--help"), lambda: _run(*bare), rounds
    )
    report("discreet --help", ours, other, "import numpy")
    with tempfile.TemporaryDirectory() as cache:
        seconds = []
        for _ in range(2):
            done = subprocess.run(
                [sys.executable, "-c", FIRST_USE],
                env={**os.environ, "NUMBA_CACHE_DIR": str(Path(cache))},
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            seconds.append(float(done.stdout))
    report("first microaggregation from the cache", seconds[1], seconds[0], "compiling")


if __name__ == "__main__":
    main()
