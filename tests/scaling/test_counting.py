"""Counts by DuckDB are those of the plain way."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from discreet.contracts import InMemory
from discreet.errors import DataError
from discreet.io.reading import read
from discreet.scaling.confidential import Numbering
from discreet.scaling.counting import class_sizes, combinations, least_distinct
from discreet.scaling.engine import Engine
from discreet.scaling.source import large_file
from discreet.scaling.store import Store
from discreet.scaling.storing import stored
from tests.scaling.people import COLUMNS, written

NAMES = ["age", "sex", "region"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A part of the invented file on the disk."""
    folder = tmp_path_factory.mktemp("counting")
    written(folder, "  - rounding", rows=70_000)
    file = large_file(folder / "people.parquet")
    return stored(file, COLUMNS, None, folder, Engine(), 100_000_000)


def test_combinations_are_those_in_memory(store: Store) -> None:
    table, times = InMemory(read(store.folder / "people.parquet", COLUMNS)).combinations(NAMES)
    values, counted = combinations(store, NAMES)
    for name, column in zip(NAMES, values, strict=True):
        assert np.array_equal(column, table[name], equal_nan=table.schema[name].continuous)
    assert np.array_equal(counted, times)


def test_classes_and_their_diversity(store: Store) -> None:
    data = store.table([*NAMES, "ill"], 0, len(store))
    rows = [tuple(str(data[name][i]) for name in NAMES) for i in range(len(data))]
    sizes = Counter(Counter(rows).values())
    assert class_sizes(store, NAMES).T.tolist() == [
        [s, sizes[s], s * sizes[s]] for s in sorted(sizes)
    ]
    kinds: dict[tuple[str, ...], set[int]] = {}
    for row, ill in zip(rows, data["ill"].tolist(), strict=True):
        kinds.setdefault(row, set()).add(ill)
    number = Numbering.of(store, "ill")
    assert least_distinct(store, NAMES, "ill", number) == min(map(len, kinds.values()))


def test_too_many_combinations_are_told(store: Store, tmp_path: Path) -> None:
    from dataclasses import replace

    with pytest.raises(DataError, match="different combinations"):
        combinations(replace(store, memory=1_000_000), ["income", "hours"])
