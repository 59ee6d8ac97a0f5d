"""The files that the records of a release are written to: one, or several joined by keys."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError
from discreet.io.files import FileFormat, read_back, read_cells, write_table
from discreet.io.joining import Joined, Link
from discreet.microdata import Microdata
from discreet.microdata.clusters import clusters_by

if TYPE_CHECKING:
    import pyarrow as pa


def joined_of(release: Microdata) -> Joined | None:
    """Return how the records were joined from several files; None if they come from one."""
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
    return files


def read_records_back(
    files: list[Path], format: FileFormat, schema: pa.Schema, joined: Joined | None
) -> pa.Table:
    """Read what was written, as one table."""
    import pyarrow as pa

    if joined is None:
        return read_back(files[0], format, schema)
    parts = []
    names = (joined.many, *(link.file for link in joined.links))
    for file, name in zip(files, names, strict=True):
        columns = joined.columns(name, schema.names)
        parts.append(read_back(file, format, pa.schema([schema.field(n) for n in columns])))
    return joined.together(parts[0], parts[1:]).select(schema.names)


def refuse_apart(data: Microdata, joined: Joined | None) -> None:
    """Refuse to split records of one household that disagree in the columns of the household."""
    if joined is None:
        return
    for link in joined.links:
        if link.key not in data.schema:
            raise DataError(
                f"the steps removed the key '{link.key}', so the release cannot be written as the "
                "files of the plan; choose methods that keep records"
            )
        homes = clusters_by(data, link.key)
        for name in link.shared:
            if name in data.schema and not homes.agreeing(data.column(name)).all():
                raise DataError(
                    f"records with one '{link.key}' have several values of '{name}', which is in "
                    f"the file '{link.file}' once; give the column the level of the key, or choose "
                    "other steps"
                )


def described(joined: Joined | None, files: list[Path], table: pa.Table) -> dict[str, Any]:
    """Return what a manifest says about the other files; nothing if there is one file."""
    if joined is None:
        return {}
    parts = joined.apart(table)
    return {
        "joined": [
            {
                "file": file.name,
                "key": link.key,
                "records": parts[link.file].num_rows,
                "columns": parts[link.file].column_names,
            }
            for link, file in zip(joined.links, files[1:], strict=True)
        ]
    }


def joined_cells(folder: Path, stated: Mapping[str, Any]) -> pa.Table:
    """Return the cells of the released records, joined if they are in several files.

    A file that does not fit the others is a data error: the release is not what was published.
    """
    reading = {str(name): option for name, option in stated["reading"].items()}
    table = read_cells(folder / stated["file"], **reading)
    others = stated.get("joined", [])
    if not others:
        return table
    for other in others:
        table = _with_cells_of(folder, other, table, reading)
    names = [column["name"] for column in stated["columns"]]
    return table.select(names) if set(names) == set(table.column_names) else table


def _with_cells_of(
    folder: Path, other: Mapping[str, Any], many: pa.Table, reading: Mapping[str, Any]
) -> pa.Table:
    """Return cells with those of another released file that a key joins to them."""
    named_records = read_cells(folder / other["file"], **reading)
    key = other["key"]
    if named_records.column_names != other["columns"] or named_records.num_rows != other["records"]:
        raise DataError(
            f"the manifest states {other['records']:,} records with {len(other['columns'])} "
            f"columns of '{other['file']}', but the file has others"
        )
    if key not in many.column_names:
        raise DataError(
            f"the records have no column '{key}' that joins them with '{other['file']}'"
        )
    keys = named_records.column(key)
    if keys.null_count or len(keys.unique()) < len(keys):
        raise DataError(f"the key '{key}' is repeated or missing in '{other['file']}'")
    named = many.column(key).drop_null().unique().to_pylist()
    if not set(named) <= set(keys.to_pylist()):
        raise DataError(f"the records have a '{key}' that '{other['file']}' does not have")
    shared = tuple(name for name in other["columns"] if name != key)
    return Joined("many", (Link(key, "one", shared),)).together(many, [named_records])
