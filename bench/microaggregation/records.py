"""Information loss of Census, Tarragona and EIA: MDAV, refined, and the proven lower bound.

    python -m bench microaggregation.records [--quick] [--set NAME] [--k K] [--page FILE]

100·SSE/SST of standardised columns, the benchmark of the literature on microaggregation. The search
is given 2, 10 and 60 seconds of the processor, each from MDAV's groups with its own cooling; then
some time is spent on proving how low a loss can be. Every complete line replaces its predecessor in
the table of docs/records.md, so that the page states today's results.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.data import reference_data
from discreet.kernels.mdav import mdav_labels
from discreet.kernels.refine import refine_labels, within_sse
from discreet.microaggregation.certificate import certify

SETS = {"census": "Census", "tarragona": "Tarragona", "eia": "EIA"}
KS = (3, 4, 5, 10)
SECONDS = (2.0, 10.0, 60.0)
PROVING = 60.0
SEED = 1
PAGE = Path(__file__).resolve().parents[2] / "docs" / "records.md"
# The attributes of the literature; the other columns are names and dates.
EIA_COLUMNS = ("UTILITYID", "REVENUE", "SALES")


def standardised(path: Path) -> NDArray[np.float64]:
    """Return the columns of the literature, with mean 0 and standard deviation 1."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    names = list(rows[0])
    if "eia" in path.name:
        names = [name for name in names if name.endswith(EIA_COLUMNS)]
    table = np.array([[float(row[name]) for name in names] for row in rows])
    return np.asarray((table - table.mean(axis=0)) / table.std(axis=0))


@contextmanager
def processor_clock() -> Iterator[None]:
    """Make seconds those of the processor, so that a busy machine does not cut a search short."""
    kept, time.monotonic = time.monotonic, time.process_time
    try:
        yield
    finally:
        time.monotonic = kept


def cells(
    points: NDArray[np.float64], k: int, seconds: Sequence[float], proving: float
) -> Iterator[str]:
    """Yield the loss of MDAV and of each search; then the bound, and whether it is the last word.

    It is final if the linear programme was solved: more time would then raise the bound by a
    hundred-thousandth at most.
    """
    unit = 100.0 / float((points**2).sum())
    start = best = mdav_labels(points, k)
    refine_labels(points, start, k, steps=1, rng=np.random.default_rng(SEED))  # compiles
    yield f"{within_sse(points, start) * unit:.4f}"
    with processor_clock():
        for allowed in seconds:
            rng = np.random.default_rng(SEED)
            refined = refine_labels(points, start, k, seconds=allowed, rng=rng)
            yield f"{within_sse(points, refined) * unit:.4f}"
            best = min(best, refined, key=lambda labels: within_sse(points, labels))
        if proving:
            rng = np.random.default_rng(SEED)
            proven = certify(points, best, k, seconds=proving, rng=rng)
            # Rounded down: never more than is proven.
            yield f"{np.floor(proven.bound * unit * 1e4) / 1e4:.4f}"
            yield "yes" if proven.finished else "no"


def with_line(page: str, line: str) -> str:
    """Return the page with this line of the table replacing the one for the same set and k.

    >>> with_line("| Census | 3 | 5.7 |\\n| Census | 4 | 7.5 |\\n", "| Census | 4 | 7.4 |")
    '| Census | 3 | 5.7 |\\n| Census | 4 | 7.4 |\\n'
    """
    head = line.split("|")[:3]
    return "".join(
        f"{line}\n" if old.split("|")[:3] == head else old for old in page.splitlines(keepends=True)
    )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="records", description="information loss and bounds")
    parser.add_argument("--quick", action="store_true", help="two seconds of search only")
    parser.add_argument("--set", dest="sets", choices=SETS, action="append")
    parser.add_argument("--k", dest="ks", type=int, action="append")
    parser.add_argument("--seconds", type=float, action="append", help="of search; repeatable")
    parser.add_argument("--proving", type=float, default=PROVING, help="seconds; 0 for no bound")
    parser.add_argument("--page", type=Path, default=PAGE, help="whose table is brought up to date")
    given = parser.parse_args(arguments)
    folder = reference_data()
    if folder is None:
        return
    seconds = tuple(given.seconds or (SECONDS[:1] if given.quick else SECONDS))
    proving = 0.0 if given.quick else given.proving
    heads = ["set", "k", "MDAV", *(f"{allowed:g} s" for allowed in seconds)]
    heads += ["no lower than", "solved"] if proving else []
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|")
    for name in given.sets or SETS:
        points = standardised(folder / f"casc_{name}.csv")
        for k in given.ks or KS:
            line = f"| {SETS[name]} | {k}"
            print(line, end="", flush=True)
            for cell in cells(points, k, seconds, proving):
                line += f" | {cell}"
                print(f" | {cell}", end="", flush=True)
            print(" |", flush=True)
            if seconds == SECONDS and proving == PROVING:
                page = given.page.read_text(encoding="utf-8")
                given.page.write_text(with_line(page, f"{line} |"), encoding="utf-8")


if __name__ == "__main__":
    main()
