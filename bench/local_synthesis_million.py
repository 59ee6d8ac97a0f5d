"""Local synthesis of a million records in ten columns: time, memory and what is kept.

The mixture is fitted to a sample; then every record is put into its cluster, block by block, and
the clusters are synthesised. Memory is looked at every 10 ms in a process of its own.
"""

from __future__ import annotations

import argparse
import multiprocessing
import threading
import time
from pathlib import Path

import numpy as np

import discreet
from discreet.contracts import Context
from discreet.methods.synthetic.local_synthesis import LocalSynthesis
from discreet.partition.gaussian_mixture import GaussianMixture
from discreet.randomness import Randomness

COLUMNS, CLUSTERS, K = 10, 5, 1_000
NAMES = [f"x{j}" for j in range(COLUMNS)]


def _table(rows: int) -> discreet.Microdata:
    """Draw from a mixture of five clusters with their own covariances."""
    rng = np.random.default_rng(1)
    centres = rng.normal(0, 4, (CLUSTERS, COLUMNS))
    roots = rng.normal(0, 0.5, (CLUSTERS, COLUMNS, COLUMNS)) + np.eye(COLUMNS)
    own = rng.choice(CLUSTERS, rows, p=[0.1, 0.15, 0.2, 0.25, 0.3])
    values = rng.normal(size=(rows, COLUMNS))
    for g in range(CLUSTERS):
        values[own == g] = values[own == g] @ roots[g] + centres[g]
    return discreet.read(
        {name: values[:, j] for j, name in enumerate(NAMES)},
        roles=dict.fromkeys(NAMES, "quasi-identifier"),
    )


def _resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def _run(rows: int, families: str) -> None:
    k = max(20, K * rows // 1_000_000)
    LocalSynthesis(k=20).protect(_table(200), Context())  # what is loaded at first use
    bare = _resident()
    data = _table(rows)
    held = _resident()
    array = rows * COLUMNS * 8
    for what in ("partition alone", "partition and synthesis"):
        peak, done = [0], threading.Event()

        def watch(peak: list[int] = peak, done: threading.Event = done) -> None:
            while not done.wait(0.01):
                peak[0] = max(peak[0], _resident())

        watcher = threading.Thread(target=watch)
        watcher.start()
        started, worked = time.perf_counter(), time.process_time()
        if what == "partition alone":
            groups = GaussianMixture(k=k, families=families).groups(
                data, NAMES, Context(Randomness(1))
            )
        else:
            masked = LocalSynthesis(k=k, families=families).protect(data, Context(Randomness(1)))
            assert masked.groups is not None
            groups = masked.groups
        seconds, work = time.perf_counter() - started, time.process_time() - worked
        done.set()
        watcher.join()
        print(
            f"{rows:>9,} × {COLUMNS}, families {families}, {what}: {seconds:.1f} s "
            f"({work:.1f} s of work), {groups.detail['model']}; memory in input arrays: "
            f"{(held - bare) / array:.1f} held by the table, {(peak[0] - held) / array:.1f} added",
            flush=True,
        )
    for word in list(groups.detail)[-3:]:
        print(f"  {word}: {groups.detail[word]}")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="100,000 records, one family")
    quick = parser.parse_args(arguments).quick
    processes = multiprocessing.get_context("spawn")
    for families in ("VVV",) if quick else ("VVV", "all"):
        worker = processes.Process(target=_run, args=(100_000 if quick else 1_000_000, families))
        worker.start()
        worker.join()


if __name__ == "__main__":
    main()
