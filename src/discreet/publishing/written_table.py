"""The table of a database that holds the records of a release, beside its directory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.errors import ClaimError, UsageError
from discreet.io.files import FileFormat, read_table
from discreet.io.into.target import TableTarget
from discreet.io.joining import Joined
from discreet.io.text_columns import as_texts
from discreet.publishing.manifest import read_manifest
from discreet.publishing.verifying import table_faults

if TYPE_CHECKING:
    import pyarrow as pa


def refuse_unlike_table(format: FileFormat, joined: Joined | None) -> None:
    """Refuse a format whose cells are not those of a table, and records of two files.

    >>> refuse_unlike_table(FileFormat.default(), None)
    Traceback (most recent call last):
    discreet.errors.UsageError: the file beside a table of a database is Parquet, which has the same
    types, and csv was asked for; leave the format out
    """
    if format.kind != "parquet":
        raise UsageError(
            "the file beside a table of a database is Parquet, which has the same types, and "
            f"{format.kind} was asked for; leave the format out"
        )
    if joined is not None:
        raise UsageError(
            "one table receives the records of one file, but the plan has several; release them "
            "into files"
        )


@contextmanager
def removed_unless_published(target: TableTarget | None) -> Iterator[Callable[[Path], None]]:
    """Yield what writes the records of a checked directory into the table.

    An error after that, before the directory is in its place, removes the table again.
    """
    kept = False

    def keep(folder: Path) -> None:
        nonlocal kept
        assert target is not None
        manifest = read_manifest(folder)
        file = read_table(folder / manifest["release"]["file"])
        records = as_texts(file.table, file.format)

        def check(stored: pa.Table) -> None:
            for fault in table_faults(folder, manifest, stored):
                raise ClaimError(f"{fault}; nothing was released")

        target.write(records, check)
        kept = True

    try:
        yield keep
    except BaseException:
        if kept and target is not None:
            target.drop()
        raise
