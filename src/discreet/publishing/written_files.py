"""The files that the records of a release are written to: one, or two that are joined by a key."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError
from discreet.io.files import FileFormat, read_back, read_cells, write_table
from discreet.io.joining import Joined
from discreet.microdata import Microdata
from discreet.microdata.clusters import clusters_by

if TYPE_CHECKING:
    import pyarrow as pa


def joined_of(release: Microdata) -> Joined | None:
    """Return how the records were joined of two files; None if they are of one."""
    joined = None if release.source is None else release.source.joined
    return joined if isinstance(joined, Joined) else None


def write_records(
    table: pa.Table, folder: Path, format: FileFormat, joined: Joined | None
) -> list[Path]:
    """Write the records to a folder, and return the files, that of the records first."""
    if joined is None:
        file = folder / f"release{format.suffix}"
        write_table(table, file, format)
        return [file]
    files = []
    for name, part in joined.apart(table).items():
        files.append(folder / f"release-{name}{format.suffix}")
        write_table(part, files[-1], format)
    return files[::-1]


def read_records_back(
    files: list[Path], format: FileFormat, schema: pa.Schema, joined: Joined | None
) -> pa.Table:
    """Read what was written, as one table."""
    import pyarrow as pa

    if joined is None:
        return read_back(files[0], format, schema)
    parts = []
    for file, name in zip(files, (joined.many, joined.one), strict=True):
        columns = joined.columns(name, schema.names)
        parts.append(read_back(file, format, pa.schema([schema.field(n) for n in columns])))
    return joined.together(*parts).select(schema.names)


def refuse_apart(data: Microdata, joined: Joined | None) -> None:
    """Refuse to split records of one household that do not agree in what it has."""
    if joined is None:
        return
    if joined.key not in data.schema:
        raise DataError(
            f"the steps left no key '{joined.key}', so that the release cannot be written as the "
            "two files of the plan; choose methods that keep records"
        )
    homes = clusters_by(data, joined.key)
    for name in joined.shared:
        if name in data.schema and not homes.agreeing(data.column(name)).all():
            raise DataError(
                f"records with one '{joined.key}' have several values of '{name}', which is in the "
                f"file '{joined.one}' once; give the column the level of the key, or choose other "
                "steps"
            )


def described(joined: Joined | None, files: list[Path], table: pa.Table) -> dict[str, Any]:
    """Return what a manifest says about the second file; nothing if there is one file."""
    if joined is None:
        return {}
    one = joined.apart(table)[joined.one]
    return {
        "joined": {
            "file": files[1].name,
            "key": joined.key,
            "records": one.num_rows,
            "columns": one.column_names,
        }
    }


def joined_cells(folder: Path, stated: Mapping[str, Any]) -> pa.Table:
    """Return the cells of the released records, joined if they are in two files.

    A file that does not fit the other is a data error: the release is not what was published.
    """
    reading = {str(name): option for name, option in stated["reading"].items()}
    many = read_cells(folder / stated["file"], **reading)
    second = stated.get("joined")
    if second is None:
        return many
    one = read_cells(folder / second["file"], **reading)
    key = second["key"]
    if one.column_names != second["columns"] or one.num_rows != second["records"]:
        raise DataError(
            f"the manifest states {second['records']:,} records with {len(second['columns'])} "
            f"columns of '{second['file']}', but the file has others"
        )
    if key not in many.column_names:
        raise DataError(f"'{stated['file']}' has no column '{key}' that joins it with the other")
    keys = one.column(key)
    if keys.null_count or len(keys.unique()) < len(keys):
        raise DataError(f"the key '{key}' is repeated or missing in '{second['file']}'")
    shared = tuple(name for name in second["columns"] if name != key)
    joined = Joined(key, "one", "many", shared)
    names = [column["name"] for column in stated["columns"]]
    table = joined.together(many, one)
    lost = many.column(key).drop_null().unique().to_pylist()
    if not set(lost) <= set(keys.to_pylist()):
        raise DataError(f"'{stated['file']}' has a '{key}' that '{second['file']}' does not have")
    return table.select(names) if set(names) == set(table.column_names) else table
