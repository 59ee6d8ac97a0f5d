"""DuckDB as a counting engine: within a memory limit, and on disk beyond it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.io.extras import needing
from discreet.io.sql import quoted

if TYPE_CHECKING:
    import pyarrow as pa

PER_CELL = 32
"""Bytes that a cell may take while classes are distinguished by it."""
PER_LISTED_CELL = 200
"""Bytes that a cell may take while whole households are compared."""

__all__ = [
    "class_sizes_of_parts",
    "database",
    "least_alike_of_parts",
    "least_distinct_of_parts",
]


@contextmanager
def database(memory: int, folder: Path) -> Iterator[Any]:
    """Yield an in-memory database that spills what exceeds `memory` bytes into a folder.

    While one is open, others of the same folder and memory are connections to it with temporary
    tables of their own: creating a database takes longer than counting in a small file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, database(10**9, Path(folder)) as connection:
    ...     connection.execute("select 1 + 1").fetchone()
    (2,)
    """
    with needing("large", "counting on files larger than memory"):
        import duckdb

    config: Mapping[str, Any] = {
        "memory_limit": f"{max(memory, 64_000_000)}B",
        "temp_directory": str(folder),
        "preserve_insertion_order": "false",
        "autoinstall_known_extensions": "false",
    }
    try:
        with duckdb.connect(f":memory:{memory} {folder}", config=dict(config)) as connection:
            yield connection
    except duckdb.OutOfMemoryException:
        raise DataError(
            f"counting needs more than the {memory / 1e9:.1f} GB of memory that is allowed, "
            "or more disk space than there is; allow more memory, or free some space in the "
            "working folder"
        ) from None
    except duckdb.IOException:
        raise DataError(
            f"counting could not use the folder '{folder}': the disk may be full; free some space "
            "or choose another working folder"
        ) from None


def class_sizes_of_parts(
    folder: Path, names: Sequence[str], memory: int, scratch: Path, unit: str | None = None
) -> NDArray[np.int64]:
    """Return the size of each class of a release in Parquet parts, by its cells, and its records.

    With a `unit`, the size counts different persons or households; a record without a number is one
    of its own. If memory is too small for all classes, they are counted one share at a time.

    >>> import pyarrow as pa, pyarrow.parquet, tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     pa.parquet.write_table(pa.table({"sex": ["f", "m", "f"]}), f"{place}/part-0.parquet")
    ...     sorted(class_sizes_of_parts(Path(place), ["sex"], 10**9, Path(place))[0].tolist())
    [1, 2]
    """
    keys = ", ".join(map(quoted, names))
    size, columns = "count(*)", len(names)
    if unit is not None:
        unit_column = quoted(unit)
        size, columns = (
            f"count(distinct {unit_column}) + count(*) filter (where {unit_column} is null)",
            columns + 1,
        )
    with database(memory, scratch) as connection:
        sizes = [
            connection.sql(
                f"select {size} as size, count(*) as records from {part} group by {keys}"
            ).to_arrow_table()
            for part in _shares(connection, folder, keys, columns, memory)
        ]
    both = [[part.column(n).to_numpy() for part in sizes] for n in ("size", "records")]
    return np.array([np.concatenate(counts) for counts in both], dtype=np.int64)


def least_alike_of_parts(
    folder: Path, names: Sequence[str], key: str, memory: int, scratch: Path
) -> int:
    """Return how many households are written like the rarest one, members in any order.

    A record without a number is a separate household. Households that are written alike have the
    same sum of their cells' hashes; they are compared one share at a time, cell by cell.

    >>> import pyarrow as pa, pyarrow.parquet, tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     table = pa.table({"sex": list("fmmff"), "home": [1, 1, 2, 2, None]})
    ...     pa.parquet.write_table(table, f"{place}/part-0.parquet")
    ...     least_alike_of_parts(Path(place), ["sex"], "home", 10**9, Path(place))
    1
    """
    cells, household_number = ", ".join(map(quoted, names)), quoted(key)
    with database(memory, scratch) as connection:
        ((rows,),) = connection.execute(f"select count(*) from {_parts(folder)}").fetchall()
        shares = 1 + rows * (len(names) + 1) * PER_LISTED_CELL // memory
        listed = (
            f"(select {household_number} as home, row({cells}) as member, "
            f"hash({cells}) % 1048573 as lot from {_parts(folder)})"
        )
        connection.execute(
            f"create temp table homes as select home, sum(lot) % {shares} as share from {listed} "
            "where home is not null group by home"
        )
        least = []
        for share in range(shares):
            together = (
                f"select list_sort(list(member)) as household from {listed} join homes using "
                f"(home) where share = {share} group by home"
            )
            alone = (
                f"select [member] as household from {listed} where home is null and "
                f"lot % {shares} = {share}"
            )
            least += connection.execute(
                "select min(alike) from (select count(*) as alike from "
                f"({together} union all {alone}) group by household)"
            ).fetchall()
    return min(int(households) for (households,) in least if households is not None)


def least_distinct_of_parts(
    folder: Path,
    names: Sequence[str],
    confidential: str,
    memory: int,
    scratch: Path,
    meanings: Callable[[pa.ChunkedArray], NDArray[np.int64]] | None = None,
    numbers: bool = False,
) -> int:
    """Return the minimum number of different values of a column in a class; missing is one of them.

    `meanings` numbers different cells by what they mean; without it each is a value of its own, or
    the number that a text stands for (`numbers`). If there is not enough memory for all classes,
    they are counted one share at a time.
    """
    keys, value = ", ".join(map(quoted, names)), quoted(confidential)
    with database(memory, scratch) as connection:
        if meanings is not None:
            cells = connection.sql(f"select distinct {value} as cell from {_parts(folder)}")
            different = cells.to_arrow_table()
            meaning = meanings(different.column("cell"))
            connection.register("read_as", different.append_column("meaning", [meaning]))
            value = f"(select meaning from read_as where cell is not distinct from {value})"
        elif numbers:
            value = f"try_cast({value} as double)"
        least = [
            connection.execute(
                "select min(kinds) from (select count(*) as kinds from (select distinct "
                f"{keys}, {value} as value from {part}) group by {keys})"
            ).fetchall()[0][0]
            for part in _shares(connection, folder, keys, len(names) + 1, memory)
        ]
    return min(int(values) for values in least if values is not None)


def _shares(connection: Any, folder: Path, keys: str, columns: int, memory: int) -> Iterator[str]:
    """Yield shares of a release that fit into memory, each with all records of its classes."""
    ((rows,),) = connection.execute(f"select count(*) from {_parts(folder)}").fetchall()
    shares = 1 + rows * columns * PER_CELL // memory
    for share in range(shares):
        yield f"(select * from {_parts(folder)} where hash({keys}) % {shares} = {share})"


def _parts(folder: Path) -> str:
    text = str(folder / "*.parquet").replace("'", "''")
    return f"read_parquet('{text}')"
