"""Information loss of Census, Tarragona and EIA: MDAV, refined, and the proven lower bound.

    python -m bench microaggregation.records [--quick] [--set NAME] [--k K]

100·SSE/SST of standardised columns, the benchmark of the literature on microaggregation. The search
is given 2, 10 and 60 seconds of the processor, each from MDAV's groups with its own cooling; then
it is proven for a time how low a loss can be. The table of docs/records.md is what this prints.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from bench.data import reference_data
from bench.microaggregation.refined_loss import standardised
from discreet.kernels.mdav import mdav_labels
from discreet.kernels.refine import refine_labels, within_sse
from discreet.microaggregation.certificate import certify

SETS = ("census", "tarragona", "eia")
KS = (3, 4, 5, 10)
SECONDS = (2.0, 10.0, 60.0)
PROVING = 60.0
SEED = 1


@contextmanager
def processor_clock() -> Iterator[None]:
    """Let seconds be those of the processor, so that a busy machine does not cut a search short."""
    kept, time.monotonic = time.monotonic, time.process_time
    try:
        yield
    finally:
        time.monotonic = kept


def losses(
    points: NDArray[np.float64], k: int, seconds: Sequence[float], proving: float
) -> Iterator[float]:
    """Yield the loss of MDAV, then that of each search, and last the proven bound, if wanted."""
    unit = 100.0 / float((points**2).sum())
    start = best = mdav_labels(points, k)
    yield within_sse(points, start) * unit
    with processor_clock():
        for allowed in seconds:
            rng = np.random.default_rng(SEED)
            found = refine_labels(points, start, k, seconds=allowed, rng=rng)
            yield within_sse(points, found) * unit
            best = min(best, found, key=lambda labels: within_sse(points, labels))
        if proving:
            rng = np.random.default_rng(SEED)
            yield certify(points, best, k, seconds=proving, rng=rng).bound * unit


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="records", description="information loss and bounds")
    parser.add_argument("--quick", action="store_true", help="two seconds of search only")
    parser.add_argument("--set", dest="sets", choices=SETS, action="append")
    parser.add_argument("--k", dest="ks", type=int, action="append")
    parser.add_argument("--seconds", type=float, action="append", help="of search; repeatable")
    parser.add_argument("--proving", type=float, default=PROVING, help="seconds; 0 for no bound")
    given = parser.parse_args(arguments)
    folder = reference_data()
    if folder is None:
        return
    seconds = given.seconds or (SECONDS[:1] if given.quick else SECONDS)
    proving = 0.0 if given.quick else given.proving
    heads = ["set", "k", "MDAV", *(f"{allowed:g} s" for allowed in seconds)]
    heads += ["no lower than"] if proving else []
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|")
    for name in given.sets or SETS:
        points = standardised(folder / f"casc_{name}.csv")
        for k in given.ks or KS:
            print(f"| {name.title() if name != 'eia' else 'EIA'} | {k}", end="", flush=True)
            for loss in losses(points, k, seconds, proving):
                print(f" | {loss:.4f}", end="", flush=True)
            print(" |", flush=True)


if __name__ == "__main__":
    main()
