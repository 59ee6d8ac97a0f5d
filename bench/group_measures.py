"""k, l and t of large files against a bare group-by of polars over the same columns.

The group-by only counts the classes of records; k-anonymity also gives the size for every record,
l-diversity counts the confidential values of each class, and t-closeness compares them with the
whole file. The goal is no more than twice the time of the group-by (a ratio of 0.5 or more).
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import polars as pl

from bench.side_by_side import ratio, report
from discreet.contracts import Context, Measure
from discreet.contracts.registry import build
from discreet.microdata import Attribute, Column, Kind, Microdata, Role

# Categories of the six quasi-identifiers: classes of many records, of few, and mostly of one.
FILES = {
    "153,600 classes": (2, 5, 8, 10, 12, 16),
    "10 million possible": (2, 7, 9, 16, 52, 100),
    "150 billion possible": (50, 60, 70, 80, 90, 100),
}
ILLNESSES = 10


def _data(rows: int, widths: tuple[int, ...], numbers: bool = False) -> Microdata:
    rng = np.random.Generator(np.random.PCG64(1))
    columns = [
        Column(
            Attribute(f"q{i}", Role.QUASI_IDENTIFIER, Kind.NOMINAL, tuple(range(width))),
            rng.integers(0, width, rows, dtype=np.int32),
        )
        for i, width in enumerate(widths)
    ]
    if numbers:
        columns.append(Column(Attribute("pay", Role.CONFIDENTIAL), rng.normal(size=rows)))
    else:
        ill = Attribute("ill", Role.CONFIDENTIAL, Kind.NOMINAL, tuple(range(ILLNESSES)))
        columns.append(Column(ill, rng.integers(0, ILLNESSES, rows, dtype=np.int32)))
    return Microdata(columns)


def _compare(title: str, data: Microdata, measures: list[str], rounds: int) -> None:
    names = list(data.quasi_identifiers)
    frame = pl.DataFrame({name: data[name] for name in names})
    for name in measures:
        measure: Any = build("measure", name)
        assert isinstance(measure, Measure)
        seconds, bare = ratio(
            lambda measure=measure: measure.score(data, data, Context()),  # type: ignore[misc]
            lambda: frame.group_by(names).len(),
            rounds,
        )
        report(f"{name}, {title}", seconds, bare, "group-by")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="1,000,000 rows, not 10,000,000")
    quick = parser.parse_args(arguments).quick
    rows = 1_000_000 if quick else 10_000_000
    print(f"{rows:,} rows, 6 nominal quasi-identifiers, {ILLNESSES} confidential classes")
    for title, widths in FILES.items():
        _compare(title, _data(rows, widths), ["k-anonymity", "l-diversity", "t-closeness"], 3)
    print("30,000 rows, 30,000 different confidential numbers")
    _compare("numbers", _data(30_000, (2, 5, 8, 10), numbers=True), ["t-closeness"], 7)


if __name__ == "__main__":
    main()
