"""Global and local recoding: Adult compared with ARX, and a million rows.

Adult has 30,162 records, 8 quasi-identifiers with ARX's own hierarchies, k = 5 and occupation as
the confidential column. ARX's figures are its warm CPU times for the same tasks.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

import discreet
from bench.data import reference_data
from discreet.contracts import Context, Masked

ADULT = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]
ADULT += ["salary-class"]


def least(work: Callable[[], Masked], rounds: int) -> tuple[float, Masked]:
    """Return the least CPU time of several rounds after one that compiles."""
    masked = work()
    times = []
    for _ in range(rounds):
        started = time.process_time()
        masked = work()
        times.append(time.process_time() - started)
    return min(times), masked


def show(title: str, seconds: float, arx: str, masked: Masked) -> None:
    print(f"{title:34}{seconds:9.3f}{arx:>9}  {masked.notes[-1]}", flush=True)


def adult(rounds: int) -> None:
    folder = reference_data()
    if folder is None:
        return
    roles = {**dict.fromkeys(ADULT, "quasi-identifier"), "occupation": "confidential"}
    data = discreet.read(folder / "adult_arx_30162.csv", roles=roles)
    place = folder / "adult_hierarchies"
    files = [f"{n}={place / f'adult_hierarchy_{n}.csv'}" for n in ADULT]
    tasks: list[tuple[str, Any, str]] = [
        ("no suppression", discreet.GlobalRecoding(hierarchies=files), "0.05"),
        ("5 % suppression", discreet.GlobalRecoding(hierarchies=files, suppression=0.05), "0.4"),
        (
            "5 % suppression, l = 3",
            discreet.GlobalRecoding(hierarchies=files, suppression=0.05, l=3),
            "",
        ),
        ("t = 0.3", discreet.GlobalRecoding(hierarchies=files, t=0.3), ""),
        ("local recoding", discreet.LocalRecoding(hierarchies=files), "0.9"),
    ]
    for title, method, arx in tasks:
        seconds, masked = least(partial(method.protect, data, Context()), rounds)
        show(f"Adult, k = 5, {title}", seconds, arx, masked)


def many(rows: int) -> None:
    rng = np.random.default_rng(1)
    table = {
        "age": rng.integers(0, 100, rows).astype(float),
        "income": np.exp(rng.normal(8, 1, rows)).round(2),
        "region": [f"r{i:02d}" for i in rng.integers(0, 40, rows)],
    }
    roles = dict.fromkeys(table, "quasi-identifier")
    data = discreet.read(table, roles=roles)
    intervals = discreet.GlobalRecoding(
        k=None, intervals={"age": [18, 30, 45, 65]}, widths={"income": 1000}
    )
    seconds, masked = least(lambda: intervals.protect(data, Context()), 1)
    show(f"{rows:,} rows, intervals", seconds, "", masked)
    coded = discreet.TopBottomCoding(columns=["age", "income"])
    seconds, masked = least(lambda: coded.protect(data, Context()), 1)
    show(f"{rows:,} rows, top and bottom", seconds, "", masked)
    search = discreet.GlobalRecoding(k=5, suppression=0.01)
    seconds, masked = least(lambda: search.protect(data, Context()), 1)
    show(f"{rows:,} rows, search of levels", seconds, "", masked)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="global and local recoding")
    parser.add_argument("--quick", action="store_true", help="one round, 100,000 rows")
    quick = parser.parse_args(arguments).quick
    print(f"{'task':34}{'CPU s':>9}{'ARX':>9}  outcome")
    adult(1 if quick else 5)
    many(100_000 if quick else 1_000_000)


if __name__ == "__main__":
    main()
