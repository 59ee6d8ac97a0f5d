"""A million records in blocks: time, memory, and what the blocks cost on a sample.

The cost is measured where the exact run is cheap: 50,000 records cut into as many blocks.
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np
from numpy.typing import NDArray

import discreet
from discreet.contracts import Context, Groups
from discreet.partition.mdav import MDAV
from discreet.randomness import Randomness

K, COLUMNS, BLOCKS, STEPS = 5, 9, 8, 20


def _table(kind: str, rows: int) -> discreet.Microdata:
    values: NDArray[np.float64] = np.random.default_rng(1).normal(size=(rows, COLUMNS))
    if kind == "log-normal":
        values = np.exp(values)
    names = [f"x{j}" for j in range(COLUMNS)]
    columns = {name: values[:, j] for j, name in enumerate(names)}
    return discreet.read(columns, roles=dict.fromkeys(names, "quasi-identifier"))


def _run(data: discreet.Microdata, **options: int) -> tuple[Groups, float]:
    started = time.perf_counter()
    partition = MDAV(k=K, **options)
    groups = partition.groups(data, data.quasi_identifiers, Context(Randomness(1)))
    return groups, time.perf_counter() - started


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="100,000 records")
    rows = 100_000 if parser.parse_args(arguments).quick else 1_000_000
    _run(_table("normal", 1000), refine=1)  # compile
    for kind in ("normal", "log-normal"):
        data = _table(kind, rows)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        groups, seconds = _run(data, blocks=rows // BLOCKS, refine=STEPS)
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
        array = rows * COLUMNS * 8
        print(
            f"{kind:<11} {rows:>9,} × {COLUMNS}, k = {K}, {groups.detail['blocks']} blocks, "
            f"{STEPS} steps: {seconds:6.1f} s, peak memory +{grown / array:.1f} × the input, "
            f"100·SSE/SST {100 * groups.detail['SSE/SST']:.3f}"
        )
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
