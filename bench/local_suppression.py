"""Local suppression: suppressed cells and time, with both readings of a suppressed cell.

On the household survey sdcMicro suppresses 293 cells, and is k-anonymous only if a missing value
matches anything. No choice of cells can go below "bound"; under "anything", for a reader who lets
the gaps of others match as well, (k − 1) completely suppressed records would do, which is why that
reading is weak. The generated files have 6 keys of 10 to 100 values, uniform or with rare values.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import numpy as np

import discreet
from bench.data import reference_data
from discreet.contracts import Context
from discreet.methods.nonperturbative.cells_to_suppress import suppressed
from discreet.microdata import Microdata
from discreet.microdata.equivalence import class_sizes, compatible_sizes

KEYS = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]
VALUES = (10, 10, 20, 30, 50, 100)


def made(rows: int, uniform: bool) -> Microdata:
    rng = np.random.default_rng(rows)
    columns = {}
    for j, count in enumerate(VALUES):
        drawn = rng.integers(0, count, rows) if uniform else rng.geometric(3 / count, rows) - 1
        columns[f"key{j}"] = np.minimum(drawn, count - 1)
    return discreet.read(
        columns,
        roles=dict.fromkeys(columns, "quasi-identifier"),
        kinds=dict.fromkeys(columns, "nominal"),
    )


def show(title: str, data: Microdata, k: int) -> None:
    names = data.quasi_identifiers
    ones = [1.0] * len(names)
    for reading, sizes in (("nothing", class_sizes), ("anything", compatible_sizes)):
        started = time.process_time()
        suppression = suppressed(data, names, k, ones, reading, None, Context())
        seconds = time.process_time() - started
        method = discreet.LocalSuppression(k=k, missing_matches=reading, steps=0)
        if reading == "nothing":
            outcome = "greedy and moves " + method.protect(data, Context()).notes[0].split()[0]
        else:
            outcome = f"{(k - 1) * len(names)} cells would do for the weakest reading"
            table = method.protect(data, Context()).data
            if len(data) <= 10_000 and sizes(table, names).min() < k:
                raise SystemExit(f"{title}: not {k}-anonymous")
        print(
            f"{title:26}{len(data):>9,}{reading:>10}{suppression.cells.sum():>9,}"
            f"{suppression.least:>10,.0f}{seconds:9.2f}  {outcome}",
            flush=True,
        )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="local suppression")
    parser.add_argument("--quick", action="store_true", help="without 100,000 rows")
    quick = parser.parse_args(arguments).quick
    small = made(50, uniform=True)
    suppressed(small, small.quasi_identifiers, 3, [1.0] * 6, "nothing", None, Context())  # compiles
    print(f"{'file':26}{'records':>9}{'matches':>10}{'cells':>9}{'bound':>10}{'CPU s':>9}")
    folder = reference_data()
    if folder is not None:
        data = discreet.read(
            folder / "sdcmicro_testdata.csv",
            roles=dict.fromkeys(KEYS, "quasi-identifier"),
            kinds=dict.fromkeys(KEYS, "nominal"),
        )
        show("household survey, k = 3", data, 3)
    for rows in (10_000,) if quick else (10_000, 100_000):
        show("uniform, k = 3", made(rows, uniform=True), 3)
        show("rare values, k = 3", made(rows, uniform=False), 3)


if __name__ == "__main__":
    main()
