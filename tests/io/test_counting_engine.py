"""Counting on parts: a share of the classes after the other gives what all at once give."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray
from pyarrow import parquet

from discreet.io.counting_engine import (
    class_sizes_of_parts,
    database,
    least_alike_of_parts,
    least_distinct_of_parts,
)

ROWS = 600
ALL_AT_ONCE, IN_SHARES = 10**9, 10_000


@pytest.fixture
def parts(tmp_path: Path) -> tuple[Path, list[tuple[object, ...]]]:
    rng = np.random.default_rng(4)
    table = pa.table(
        {
            "age": rng.integers(20, 30, ROWS),
            "sex": pa.array(rng.choice(["f", "m"], ROWS), mask=rng.random(ROWS) < 0.1),
            "ill": pa.array(rng.choice(["a", "b", "c"], ROWS), mask=rng.random(ROWS) < 0.2),
        }
    )
    folder = tmp_path / "release.parquet"
    folder.mkdir()
    for part in range(3):
        parquet.write_table(table.slice(200 * part, 200), folder / f"part-{part}.parquet")
    return folder, list(
        zip(*(table.column(name).to_pylist() for name in table.column_names), strict=True)
    )


@pytest.mark.parametrize("memory", [ALL_AT_ONCE, IN_SHARES])
def test_classes_are_counted_by_hand(
    parts: tuple[Path, list[tuple[object, ...]]], memory: int, tmp_path: Path
) -> None:
    folder, records = parts
    sizes, in_classes = class_sizes_of_parts(folder, ["age", "sex"], memory, tmp_path)
    by_hand = Counter(record[:2] for record in records)
    assert sorted(sizes.tolist()) == sorted(by_hand.values())
    assert np.array_equal(sizes, in_classes)
    values = defaultdict(set)
    for *known, ill in records:
        values[tuple(known)].add(ill)
    least = least_distinct_of_parts(folder, ["age", "sex"], "ill", memory, tmp_path)
    assert least == min(map(len, values.values()))


@pytest.mark.parametrize("memory", [ALL_AT_ONCE, IN_SHARES])
def test_cells_that_mean_the_same_are_one_value(
    parts: tuple[Path, list[tuple[object, ...]]], memory: int, tmp_path: Path
) -> None:
    """With "b" and "c" read as one value, and missing as another."""
    folder, records = parts
    values = defaultdict(set)
    for *known, ill in records:
        values[tuple(known)].add("b" if ill == "c" else ill)

    def meanings(cells: pa.ChunkedArray) -> NDArray[np.int64]:
        return np.array([{None: -1, "a": 0}.get(cell, 1) for cell in cells.to_pylist()])

    least = least_distinct_of_parts(folder, ["age", "sex"], "ill", memory, tmp_path, meanings)
    assert least == min(map(len, values.values()))


@pytest.mark.parametrize("memory", [ALL_AT_ONCE, IN_SHARES])
def test_persons_and_households_are_counted_by_hand(memory: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    homes = [None if home < 5 else int(home) for home in rng.integers(0, 80, 200).tolist()]
    sexes = rng.choice(["f", "m"], 200).tolist()
    table = pa.table({"home": homes, "sex": sexes})
    parquet.write_table(table.slice(0, 90), tmp_path / "part-0.parquet")
    parquet.write_table(table.slice(90), tmp_path / "part-1.parquet")
    # A record without a number is a household of its own.
    own = [f"alone {i}" if home is None else home for i, home in enumerate(homes)]
    units = {sex: {o for o, s in zip(own, sexes, strict=True) if s == sex} for sex in "fm"}
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    sizes, records = class_sizes_of_parts(tmp_path, ["sex"], memory, scratch, "home")
    assert sorted(sizes.tolist()) == sorted(map(len, units.values()))
    assert records.sum() == 200
    members: dict[object, list[str]] = defaultdict(list)
    for one, sex in zip(own, sexes, strict=True):
        members[one].append(sex)
    alike = Counter(tuple(sorted(household)) for household in members.values())
    found = least_alike_of_parts(tmp_path, ["sex"], "home", memory, scratch)
    assert found == min(alike.values())


@pytest.mark.parametrize("name", ["work", 'd\'Ört "0"; 1'])
def test_connections_to_one_database_have_tables_of_their_own(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    with database(10**8, folder) as first, database(10**8, folder) as second:
        for value, connection in enumerate((first, second)):
            connection.execute(f"create temp table found as select {value} as value")
        for value, connection in enumerate((first, second)):
            assert connection.execute("select value from found").fetchall() == [(value,)]
    with database(10**8, folder) as later, database(2 * 10**8, folder) as larger:
        # Of another memory it is another database.
        for connection in (later, larger):
            assert connection.execute("select * from duckdb_tables()").fetchall() == []
