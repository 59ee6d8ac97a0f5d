"""Time of Mondrian compared with a plain recursive one in NumPy, with the same groups, in one run.

    python -m bench microaggregation.mondrian_speed [--quick]

The data are read from the folder named by DISCREET_DATA, or from ../shared/data beside the
project. "partition" is the grouping alone; "release" adds the ranges and the check of k-anonymity.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import discreet
from bench.data import reference_data
from discreet.contracts import Context
from discreet.microaggregation.partition import Mondrian
from discreet.microdata import Kind, Microdata
from discreet.microdata.hierarchy import Hierarchy

ADULT = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass"]
ADULT += ["occupation"]
CENSUS = ["age", "salary", "hours_worked", "education_level", "marital", "economic_region"]


class Yardstick:
    """The definition, with a call per group and arrays of row numbers."""

    def __init__(
        self, data: Microdata, names: Sequence[str], k: int, trees: dict[str, Hierarchy]
    ) -> None:
        self.k, self.groups = k, []
        self.columns = [self._column(data, name, trees.get(name)) for name in names]
        self.labels = np.empty(len(data), dtype=np.int64)
        self._divide(np.arange(len(data)))
        for label, group in enumerate(self.groups):
            self.labels[group] = label

    groups: list[NDArray[np.int64]]

    def _column(self, data: Microdata, name: str, tree: Hierarchy | None) -> tuple[Any, Any]:
        column = data.column(name)
        assert not column.missing.any(), "the yardstick is for complete columns"
        if tree is not None:
            categories = column.attribute.categories
            values = column.values if not categories else [categories[c] for c in column.values]
            levels = tree.codes[:, tree.positions(values)]
            leaves = np.unique(levels, axis=1)
            return levels, leaves
        values = column.values.astype(np.float64)
        if column.attribute.kind is Kind.NOMINAL:
            counts = np.bincount(column.values)
            used = np.flatnonzero(counts)
            order = used[np.argsort(-counts[used], kind="stable")]
            place = np.zeros(len(counts))
            place[order] = np.arange(len(order))
            values = place[column.values]
        return (values - values.min()) / max(np.ptp(values), 1e-300), None

    def _width(self, column: tuple[Any, Any], group: NDArray[np.int64]) -> float:
        values, leaves = column
        if leaves is None:
            part = values[group]
            return float(part.max() - part.min())
        n = self._node_level(values, group)
        node = values[n, group[0]]
        return 0.0 if n == 0 else ((leaves[n] == node).sum() - 1) / (leaves.shape[1] - 1)

    def _node_level(self, levels: Any, group: NDArray[np.int64]) -> int:
        return next(n for n, row in enumerate(levels) if (row[group] == row[group[0]]).all())

    def _parts(self, column: tuple[Any, Any], group: NDArray[np.int64]) -> list[Any]:
        values, leaves = column
        if leaves is not None:
            labels = values[self._node_level(values, group) - 1, group]
            return [group[labels == label] for label in np.unique(labels)]
        part = values[group]
        distinct, counts = np.unique(part, return_counts=True)
        edges = np.cumsum(counts)[:-1]
        smaller = np.minimum(edges, len(group) - edges)
        at = len(smaller) - 1 - int(np.argmax(smaller[::-1]))
        lower = part <= distinct[at]
        return [group[lower], group[~lower]]

    def _divide(self, group: NDArray[np.int64]) -> None:
        if len(group) >= 2 * self.k:
            widths = [self._width(column, group) for column in self.columns]
            for c in sorted(range(len(widths)), key=lambda c: -widths[c]):
                if widths[c] <= 0:
                    break
                parts = self._parts(self.columns[c], group)
                if min(len(part) for part in parts) >= self.k:
                    for part in parts:
                        self._divide(part)
                    return
        self.groups.append(group)


def same_groups(first: NDArray[np.int64], second: NDArray[np.int64]) -> bool:
    """Whether two labellings differ only in the names of the groups."""
    pairs = len(np.unique(np.column_stack([first, second]), axis=0))
    return pairs == len(np.unique(first)) == len(np.unique(second))


def compare(
    title: str, data: Microdata, names: Sequence[str], k: int, files: list[str], repeats: int
) -> None:
    """The best of several runs of each, taken in turn."""
    trees = {column: Hierarchy.from_file(path) for column, path in (f.split("=") for f in files)}
    partition = Mondrian(k=k, hierarchies=files or None)
    plain, fast, whole = [], [], []
    method = discreet.Microaggregation(partition, discreet.replacement.Range())
    for _ in range(repeats):
        start = time.perf_counter()
        expected = Yardstick(data, names, k, trees).labels
        plain.append(time.perf_counter() - start)
        start = time.perf_counter()
        groups = partition.groups(data, names, Context())
        fast.append(time.perf_counter() - start)
        if not same_groups(groups.labels, expected):
            raise SystemExit(f"{title}: the groups differ from the yardstick's")
        start = time.perf_counter()
        discreet.protect(data, method)
        whole.append(time.perf_counter() - start)
    size = f"{len(data):,} x {len(names)}"
    print(
        f"{title:22}{size:>14}{k:4}{groups.count:9,}{min(plain):12.3f}{min(fast):12.4f}"
        f"{min(plain) / min(fast):8.0f}{min(whole):11.3f}",
        flush=True,
    )


def read(path: Path, names: Sequence[str]) -> Microdata:
    data = discreet.read(path)
    data = data.drop([name for name in data.schema.names if name not in names])
    return discreet.read(data.frame(), roles=dict.fromkeys(names, "quasi-identifier"))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Mondrian beside a plain recursive one")
    parser.add_argument("--quick", action="store_true", help="one run of each, 20,000 of ACS")
    quick = parser.parse_args(arguments).quick
    repeats = 1 if quick else 3
    folder = reference_data()
    if folder is None:
        return
    adult, census = folder / "adult_arx_30162.csv", folder / "gov_census_acs2018.parquet"
    small = discreet.read({"x": np.arange(20.0)})
    Mondrian(k=2).groups(small, ["x"], Context())  # compiles

    print(
        f"{'data':22}{'size':>14}{'k':>4}{'groups':>9}{'plain s':>12}{'ours s':>12}{'ratio':>8}"
        f"{'release s':>11}"
    )
    people = read(adult, ADULT)
    place = folder / "adult_hierarchies"
    files = [f"{n}={place / f'adult_hierarchy_{n}.csv'}" for n in ADULT if n != "age"]
    for k in (5,) if quick else (5, 50):
        compare("Adult", people, ADULT, k, [], repeats)
        compare("Adult, hierarchies", people, ADULT, k, files, repeats)
    persons = read(census, CENSUS)
    if quick:
        persons = persons.take(np.arange(20_000))
    compare("ACS 2018", persons, CENSUS, 5, [], 1)
    if not quick:
        numbers = np.random.default_rng(1).normal(size=(200_000, 6))
        table = {f"x{j}": column for j, column in enumerate(numbers.T)}
        normal = discreet.read(table, roles=dict.fromkeys(table, "quasi-identifier"))
        compare("standard normal", normal, normal.schema.names, 5, [], 1)


if __name__ == "__main__":
    main()
