"""A million records in blocks: time, memory, and what the blocks cost on a sample.

The cost is measured where the exact run is cheap: on 50,000 records cut into as many blocks.
"""

from __future__ import annotations

import argparse
import multiprocessing
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import discreet
from discreet.contracts import Context, Groups, Randomness
from discreet.microaggregation.partition.mdav import MDAV

K, COLUMNS, BLOCKS, STEPS = 5, 9, 8, 20


def _table(kind: str, rows: int) -> discreet.Microdata:
    values: NDArray[np.float64] = np.random.default_rng(1).normal(size=(rows, COLUMNS))
    if kind == "log-normal":
        values = np.exp(values)
    names = [f"x{j}" for j in range(COLUMNS)]
    columns = {name: values[:, j] for j, name in enumerate(names)}
    return discreet.read(columns, roles=dict.fromkeys(names, "quasi-identifier"))


def _run(data: discreet.Microdata, **options: Any) -> tuple[Groups, float]:
    started = time.perf_counter()
    partition = MDAV(k=K, **options)
    groups = partition.groups(data, data.quasi_identifiers, Context(Randomness(1)))
    return groups, time.perf_counter() - started


def _resident() -> int:
    """Bytes of memory held now; a high-water mark would hide what a later run needs."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def _large(kind: str, rows: int) -> None:
    """One large run, alone in its process, with its memory sampled every 10 ms."""
    _run(_table("normal", 1000), refine=1)  # compile
    bare = _resident()
    data = _table(kind, rows)
    held, peak, done = _resident(), [0], threading.Event()

    def watch() -> None:
        while not done.wait(0.01):
            peak[0] = max(peak[0], _resident())

    watcher = threading.Thread(target=watch)
    watcher.start()
    groups, seconds = _run(data, blocks=rows // BLOCKS, refine=STEPS)
    done.set()
    watcher.join()
    array = rows * COLUMNS * 8
    print(
        f"{kind:<11} {rows:>9,} × {COLUMNS}, k = {K}, {groups.detail['blocks']} blocks, "
        f"{STEPS} steps: {seconds:6.1f} s, 100·SSE/SST {100 * groups.detail['SSE/SST']:.3f}\n"
        f"  memory in input arrays: {(held - bare) / array:.1f} held by the table, "
        f"{(peak[0] - held) / array:.1f} added by the call, "
        f"{(peak[0] - bare) / array:.1f} at the peak"
    )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="100,000 records")
    rows = 100_000 if parser.parse_args(arguments).quick else 1_000_000
    processes = multiprocessing.get_context("spawn")
    for kind in ("normal", "log-normal"):
        large = processes.Process(target=_large, args=(kind, rows))
        large.start()
        large.join()
        sample = _table(kind, 50_000)
        exact, t_exact = _run(sample)
        for steps in (0, STEPS):
            cut, t_cut = _run(sample, blocks=50_000 // BLOCKS, refine=steps)
            rise = cut.detail["SSE/SST"] / exact.detail["SSE/SST"] - 1
            stated = cut.detail["estimated rise of SSE through the cuts"]
            count = cut.detail["blocks"]
            print(
                f"  50,000 sample, {count} blocks, {steps:>2} steps: SSE {rise:+.1%} of exact "
                f"(the result says {stated:+.1%}); exact/blocks time {t_exact / t_cut:.2f}"
            )


if __name__ == "__main__":
    main()
