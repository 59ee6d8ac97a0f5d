"""Local synthesis of a million records in ten columns: time, memory and what is preserved.

The mixture is fitted to a sample; then every record is assigned to its cluster, block by block, and
the clusters are synthesised. Each case runs in a process of its own, whose peak memory the system
reports.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from pathlib import Path

import numpy as np

import discreet
from discreet.contracts import Context, Randomness
from discreet.methods.synthetic.local_synthesis import LocalSynthesis
from discreet.microaggregation.partition.gaussian_mixture import GaussianMixture

COLUMNS, CLUSTERS, K = 10, 5, 1_000
NAMES = [f"x{j}" for j in range(COLUMNS)]
PARTITION, SYNTHESIS = "partition alone", "partition and synthesis"


def _table(rows: int) -> discreet.Microdata:
    """Draw from a mixture of five clusters, each with its own covariances."""
    rng = np.random.default_rng(1)
    centres = rng.normal(0, 4, (CLUSTERS, COLUMNS))
    roots = rng.normal(0, 0.5, (CLUSTERS, COLUMNS, COLUMNS)) + np.eye(COLUMNS)
    cluster = rng.choice(CLUSTERS, rows, p=[0.1, 0.15, 0.2, 0.25, 0.3])
    values = rng.normal(size=(rows, COLUMNS))
    for g in range(CLUSTERS):
        values[cluster == g] = values[cluster == g] @ roots[g] + centres[g]
    return discreet.read(
        {name: values[:, j] for j, name in enumerate(NAMES)},
        roles=dict.fromkeys(NAMES, "quasi-identifier"),
    )


def _memory(field: str) -> int:
    """Return VmRSS, what the process holds now, or VmHWM, the most it has held."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(f"{field}:"))


def _run(rows: int, families: str, case: str) -> None:
    k = max(20, K * rows // 1_000_000)
    LocalSynthesis(k=20).protect(_table(200), Context())  # what is loaded at first use
    bare = _memory("VmRSS")
    data = _table(rows)
    held = _memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak so far came from making the table
    started, worked = time.perf_counter(), time.process_time()
    context = Context(Randomness(1))
    if case == PARTITION:
        groups = GaussianMixture(k=k, families=families).groups(data, NAMES, context)
    else:
        masked = LocalSynthesis(k=k, families=families).protect(data, context)
        assert masked.groups is not None
        groups = masked.groups
    seconds, work = time.perf_counter() - started, time.process_time() - worked
    array = rows * COLUMNS * 8
    print(
        f"{rows:>9,} × {COLUMNS}, families {families}, {case}: {seconds:.1f} s ({work:.1f} s of "
        f"work), {groups.detail['model']}; memory in input arrays of {array / 1e6:.0f} MB: "
        f"{(held - bare) / array:.1f} held by the table, {(_memory('VmHWM') - held) / array:.1f} "
        "added at the peak, the release included",
        flush=True,
    )
    if case == SYNTHESIS:
        for word in list(groups.detail)[-3:]:
            print(f"  {word}: {groups.detail[word]}", flush=True)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="100,000 records, one family")
    quick = parser.parse_args(arguments).quick
    processes = multiprocessing.get_context("spawn")
    for families in ("VVV",) if quick else ("VVV", "all"):
        for case in (PARTITION, SYNTHESIS):
            rows = 100_000 if quick else 1_000_000
            worker = processes.Process(target=_run, args=(rows, families, case))
            worker.start()
            worker.join()


if __name__ == "__main__":
    main()
