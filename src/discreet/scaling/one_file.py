"""One CSV file of all parts of a release, in their order, for readers who cannot read Parquet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.contracts import STRETCH
from discreet.errors import UsageError
from discreet.io.csv_write import write_csv_in_turn
from discreet.io.formats import FileFormat, format_for
from discreet.io.packing import packing_of
from discreet.io.spreadsheet import safely_written
from discreet.io.sync import sync_file

if TYPE_CHECKING:
    import pyarrow as pa


def large_format(name: str | None, spreadsheet_safe: bool = False) -> FileFormat:
    """Return the format of a large release: Parquet in parts, or one CSV file.

    >>> large_format(None).kind, large_format("csv").suffix
    ('parquet', '.csv')
    >>> large_format("sav")
    Traceback (most recent call last):
    discreet.errors.UsageError: a file larger than memory is released as Parquet or CSV, but ...
    """
    format = format_for("parquet" if name is None else name)
    if format.kind == "parquet":
        return format
    if format.kind != "csv" or packing_of(format.suffix) == ".zip":
        raise UsageError(
            "a file larger than memory is released as Parquet or CSV, but the format of the "
            f"release is to be '{name}'; choose one of these, or allow more memory"
        )
    return safely_written(format) if spreadsheet_safe else format


def write_one_file(parts: Path, file: Path, format: FileFormat) -> None:
    """Write the records of all parts to one CSV file: the bytes that a table in memory would give.

    >>> import pyarrow as pa, pyarrow.parquet, tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     pa.parquet.write_table(pa.table({"age": [31, 47]}), Path(place, "part-0.parquet"))
    ...     write_one_file(Path(place), Path(place, "release.csv"), large_format("csv"))
    ...     Path(place, "release.csv").read_text()
    'age\\n31\\n47\\n'
    """
    from pyarrow import parquet

    paths = sorted(parts.glob("*.parquet"))
    schema = parquet.read_schema(paths[0])
    write_csv_in_turn(partial(_read, paths), schema, file, format.details)
    sync_file(file)


def _read(paths: Sequence[Path], names: Sequence[str]) -> Iterator[pa.Table]:
    """Yield some columns of all parts, piece by piece."""
    import pyarrow as pa
    from pyarrow import parquet

    for path in paths:
        with parquet.ParquetFile(path) as part:
            for batch in part.iter_batches(STRETCH, columns=list(names), use_threads=False):
                yield pa.Table.from_batches([batch]).select(list(names))
