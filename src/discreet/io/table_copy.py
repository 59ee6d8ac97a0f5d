"""A table of a PostgreSQL server copied to a Parquet file, batch by batch.

Only a batch is in memory at a time: the driver fetches by COPY, about 16 MB at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError
from discreet.io.database import (
    EXACT_DIGITS,
    database_name,
    digits_at_most,
    notes_on,
    numeric_columns,
    selected,
    with_numeric_texts,
)
from discreet.io.names import require_names
from discreet.io.plain_types import bare_table

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["TableCopy", "copy_table"]


@dataclass(frozen=True)
class TableCopy:
    """What a copy does not say itself: which of its texts are `numbers`, and what is to be noted.

    Whether a float holds all numbers of a column is known only when the last one has been seen, so
    columns of the type numeric are copied as the texts that the driver gives.
    """

    numbers: tuple[str, ...]
    notes: tuple[str, ...]


def copy_table(address: str, options: Mapping[str, Any], target: Path) -> TableCopy:
    """Copy a table, or what a query selects, to a Parquet file; the records are those of one
    moment, in the order in which the server gives them.

    >>> copy_table("postgresql://me:secret@localhost/study", {"table": "persons"}, Path("copy"))
    Traceback (most recent call last):
    discreet.errors.UsageError: an address of a database is written without the password, which
    would end up in plans and logs; leave it out, and put it into ~/.pgpass or PGPASSWORD
    """
    import pyarrow as pa
    from pyarrow import parquet

    with selected(address, options) as source:
        source.cursor.execute(f"select * from {source.selection}")
        reader = source.cursor.fetch_record_batch()
        require_names(reader.schema.names, Path(database_name(address)))
        digits = dict.fromkeys(numeric_columns(reader.schema), 0)
        schema = bare_table(with_numeric_texts(reader.schema.empty_table())).schema
        _refuse_unwritable(schema)
        with parquet.ParquetWriter(target, schema) as writer:
            for batch in _batches(reader, address):
                table = bare_table(with_numeric_texts(pa.Table.from_batches([batch])))
                for name, most in digits.items():
                    digits[name] = max(most, digits_at_most(table.column(name)))
                writer.write_table(table)
    inexact = [name for name, most in digits.items() if most > EXACT_DIGITS]
    numbers = tuple(name for name in digits if name not in inexact)
    return TableCopy(numbers, notes_on(address, source, inexact))


def _batches(reader: pa.RecordBatchReader, address: str) -> Iterator[pa.RecordBatch]:
    """Yield the batches; errors on the way are reported without the server's words."""
    import pyarrow as pa

    while True:
        try:
            batch = reader.read_next_batch()
        except StopIteration:
            return
        except (pa.ArrowException, OSError):
            # An error of the stream, not of the driver: it has a message, but no SQLSTATE.
            raise DataError(
                f"not all records can be read from the database '{database_name(address)}': the "
                "server refuses one of them, or the connection was lost; run the query there to "
                "see why, or try again"
            ) from None
        yield batch


def _refuse_unwritable(schema: pa.Schema) -> None:
    """Refuse a type that Parquet does not have, before any record is fetched."""
    import pyarrow as pa
    from pyarrow import parquet

    for item in schema:
        try:
            parquet.ParquetWriter(pa.BufferOutputStream(), pa.schema([item])).close()
        except pa.ArrowException:
            raise DataError(
                f"a table larger than memory is copied to Parquet, which has no type for column "
                f"'{item.name}' ({item.type}); leave it out or cast it, in a query"
            ) from None
