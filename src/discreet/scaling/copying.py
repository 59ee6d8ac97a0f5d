"""Files that are not Parquet, copied to Parquet in the working folder.

The files of a folder are copied one by one, so that each has to fit in memory; tables of a database
batch by batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from discreet.contracts import STRETCH
from discreet.errors import DataError
from discreet.io.extras import needing
from discreet.io.files import read_table
from discreet.io.missing_codes import MissingCodes, checked_codes, file_without_codes
from discreet.io.plain_types import bare_table, plain_table
from discreet.io.sql import chosen_table, quoted
from discreet.io.table_copy import copy_table


@dataclass(frozen=True)
class Copied:
    """The Parquet files of a copy, and what is noted about it.

    `numbers` are columns of texts that are read as numbers. `without_codes` says that codes for
    missing values are missing already.
    """

    files: tuple[Path, ...]
    notes: tuple[str, ...]
    numbers: tuple[str, ...] = ()
    without_codes: bool = False


def copied_files(
    files: Sequence[Path], options: Mapping[str, Any], work: Path, missing: MissingCodes | None
) -> Copied:
    """Copy each file, without codes; the notes are those of the first."""
    from pyarrow import parquet

    copied, notes = list[Path](), list[str]()
    for number, file in enumerate(files):
        read = read_table(file, **options)
        if missing:
            codes = checked_codes(missing, read.table.column_names)
            read = file_without_codes(read, codes)[0]
        notes = notes if copied else list(read.notes)
        copied.append(work / f"source-{number:05d}.parquet")
        parquet.write_table(plain_table(bare_table(read.table)), copied[-1])
    return Copied(tuple(copied), tuple(notes), without_codes=True)


def copied_table(file: Path, options: dict[str, Any], work: Path) -> Copied:
    """Copy a table of a DuckDB file, batch by batch."""
    from pyarrow import parquet

    with needing("large", "a DuckDB file"):
        import duckdb

    target = work / "source.parquet"
    try:
        with duckdb.connect(
            str(file), read_only=True, config={"enable_external_access": "false"}
        ) as database:
            listed = database.execute(
                "select table_name from information_schema.tables order by table_name"
            ).fetchall()
            table = chosen_table([name for (name,) in listed], options.get("table"), file)
            reader = database.sql(f"select * from {quoted(table)}").to_arrow_reader(STRETCH)
            with parquet.ParquetWriter(target, reader.schema) as writer:
                for batch in reader:
                    writer.write_batch(batch)
    except duckdb.Error:
        raise DataError(
            f"the file '{file.name}' cannot be read as a DuckDB file; check that it is complete "
            "and not in use, and that it was written by a version that is not newer"
        ) from None
    return Copied((target,), ("a DuckDB table",))


def copied_from_server(address: str, options: Mapping[str, Any], work: Path) -> Copied:
    """Copy a table or a query of a PostgreSQL server, batch by batch."""
    target = work / "source.parquet"
    copy = copy_table(address, options, target)
    return Copied((target,), copy.notes, copy.numbers)
