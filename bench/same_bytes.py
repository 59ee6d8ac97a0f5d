"""Whether every random method gives the same bytes with 1, 2 and 4 threads and in another process.

    python -m bench same_bytes [--quick] [--rows N …] [--seconds S] [METHOD …]

Each method is run with the parameters of its example on an invented table of ten numbers and two
columns of categories, as far as it treats them: once for each number of threads that the libraries
of linear algebra may use, and once in a process of its own. A method whose first run takes more CPU
seconds than allowed is not run again, and is reported. Exits with 1 if any bytes differ.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Sequence

import numpy as np

from discreet.contracts import Component, Context, Method, Randomness
from discreet.contracts.registry import entries, find
from discreet.errors import DiscreetError
from discreet.release.course import run_steps
from discreet.testing.tables import wide

THREADS = (1, 2, 4)
ALONE = "--alone"


def digest(method: type[Component], rows: int) -> str:
    """Run a method with its example, and return a checksum of every byte that comes out."""
    example = method.example()
    assert isinstance(example, Method)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            masked = run_steps(wide(method.spec.kinds, rows), [example], Context(Randomness(1)))
        except DiscreetError as error:
            return f"refused: {error}"
    total = hashlib.sha256()
    for column in masked.data:
        total.update(repr(column.attribute).encode())
        total.update(np.ascontiguousarray(column.values).tobytes())
    return total.hexdigest()


def in_another_process(name: str, rows: int) -> str:
    """Return the checksum from a fresh process in which the libraries have two threads."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
    done = subprocess.run(
        [sys.executable, "-m", "bench.same_bytes", ALONE, name, str(rows)],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return str(json.loads(done.stdout))


def compared(method: type[Component], rows: int, seconds: float) -> tuple[str, float]:
    """Return the result of the comparison in words, and the CPU seconds of the first run."""
    from threadpoolctl import threadpool_limits

    started, checksums = time.process_time(), {}
    for threads in THREADS:
        with threadpool_limits(threads):
            checksums[f"{threads} threads"] = digest(method, rows)
        if threads == THREADS[0]:
            spent = time.process_time() - started
        if spent > seconds:
            return "too slow to be run again", spent
    checksums["another process"] = in_another_process(method.spec.name, rows)
    first, *others = checksums.values()
    if all(other == first for other in others):
        return ("the same bytes" if len(first) == 64 else first), spent
    differ = [place for place, checksum in checksums.items() if checksum != first]
    return f"DIFFERENT with {' and '.join(differ)}", spent


def main(arguments: Sequence[str] | None = None) -> None:
    words = sys.argv[1:] if arguments is None else list(arguments)
    if words[:1] == [ALONE]:
        print(json.dumps(digest(find("method", words[1]), int(words[2]))))
        return
    parser = argparse.ArgumentParser(prog="python -m bench same_bytes", description=__doc__)
    parser.add_argument("methods", nargs="*", metavar="METHOD")
    parser.add_argument("--quick", action="store_true", help="with 2,000 records only")
    parser.add_argument("--rows", type=int, nargs="+", default=[20_000, 100_000])
    parser.add_argument("--seconds", type=float, default=60.0, help="most CPU seconds of one run")
    given = parser.parse_args(words)
    chosen = [find("method", name) for name in given.methods] or entries("method")
    different = 0
    for rows in [2_000] if given.quick else given.rows:
        for method in chosen:
            if method.spec.random and not method.spec.unseeded:
                outcome, spent = compared(method, rows, given.seconds)
                different += outcome.startswith("DIFFERENT")
                print(f"{rows:>9,}  {method.spec.name:<28} {spent:8.1f} s  {outcome}", flush=True)
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
