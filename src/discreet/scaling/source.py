"""The file that is protected, read in chunks: a Parquet file, or a folder of files of one format.

Whatever is not Parquet is first copied to Parquet in the working folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.contracts import STRETCH
from discreet.errors import DataError
from discreet.io.database import is_address
from discreet.io.files import check_readable
from discreet.io.formats import FileFormat, format_for, kind_of_path, known_kinds
from discreet.io.missing_codes import MissingCodes, checked_codes, without_codes
from discreet.io.names import require_names
from discreet.io.plain_types import bare_table, plain_table
from discreet.scaling.copying import copied_files, copied_from_server, copied_table

if TYPE_CHECKING:
    import pyarrow as pa

CHUNK = 4 * STRETCH
"""Records that are read at once."""


@dataclass(frozen=True)
class Span:
    """Some rows of the file: a row group of a Parquet file."""

    path: Path
    group: int
    first: int
    rows: int


@dataclass(frozen=True, eq=False)
class LargeFile:
    """A file in row groups, its columns and types.

    `path` is where it was found, None if that is a database. `codes` stand for missing values, by
    column; nobody who reads the rows sees them.
    """

    path: Path | None
    spans: tuple[Span, ...]
    schema: pa.Schema
    format: FileFormat
    notes: tuple[str, ...] = ()
    codes: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """The number of records."""
        return sum(span.rows for span in self.spans)

    @property
    def bytes(self) -> int:
        """The bytes of its files."""
        return sum(path.stat().st_size for path in dict.fromkeys(s.path for s in self.spans))

    def tables(
        self, columns: Sequence[str] | None = None, first: int = 0, last: int | None = None
    ) -> Iterator[tuple[int, pa.Table]]:
        """Yield the rows from `first` to before `last` in chunks, each with its first row.

        >>> import pyarrow as pa, pyarrow.parquet, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "people.parquet")
        ...     pa.parquet.write_table(pa.table({"age": [31, 47, 52]}), file, row_group_size=2)
        ...     [(at, t["age"].to_pylist()) for at, t in large_file(file).tables(first=1)]
        [(1, [47, 52])]
        """
        import pyarrow as pa

        end = self.rows if last is None else last
        names = list(self.schema.names if columns is None else columns)
        at, held, waiting = first, 0, list[pa.Table]()
        for table in self._pieces(names, first, end):
            waiting.append(table)
            held += table.num_rows
            while held >= CHUNK:
                whole = pa.concat_tables(waiting)
                yield at, whole.slice(0, CHUNK).combine_chunks()
                at, held = at + CHUNK, held - CHUNK
                waiting = [whole.slice(CHUNK)]
        if held:
            yield at, pa.concat_tables(waiting).combine_chunks()

    def _pieces(self, names: list[str], first: int, last: int) -> Iterator[pa.Table]:
        import pyarrow as pa
        from pyarrow import parquet

        wanted = pa.schema([self.schema.field(name) for name in names])
        codes = {name: self.codes[name] for name in names if name in self.codes}
        for span in self.spans:
            if span.first >= last or span.first + span.rows <= first:
                continue
            with parquet.ParquetFile(span.path) as file:
                at = span.first
                # Reading ahead would hold whole row groups, which may be as large as the file.
                for batch in file.iter_batches(
                    STRETCH, row_groups=[span.group], columns=names, use_threads=False
                ):
                    begin, end = max(first - at, 0), min(last - at, batch.num_rows)
                    at += batch.num_rows
                    if begin < end:
                        table = pa.Table.from_batches([batch.slice(begin, end - begin)])
                        table = plain_table(bare_table(table.select(names))).cast(wanted)
                        yield without_codes(table, codes)[0] if codes else table


def large_file(
    path: Path | str,
    options: Mapping[str, Any] | None = None,
    work: Path | None = None,
    missing: MissingCodes | None = None,
) -> LargeFile:
    """Return a file, a folder of files, or a table of the database at an address, in chunks.

    `options` are those of reading a file of its format; `work` is where a copy may be written.
    `missing` are the codes that stand for missing values.
    """
    import pyarrow as pa

    where = None if is_address(path) else Path(path)
    files = [] if where is None else files_of(where)
    kind = kind_of_path(files[0])[0].name if files else "database"
    if kind == "parquet":
        return _coded(_of_parquet(where, files, format_for(".parquet")), missing)
    if work is None:
        source = "a table of a database" if where is None else f"'{path}'"
        raise DataError(f"{source} is not Parquet and needs a working folder to be read in chunks")
    asked = dict(options or {})
    if where is None:
        copied = copied_from_server(str(path), asked, work)
    elif kind == "duckdb":
        copied = copied_table(files[0], asked, work)
    else:
        copied = copied_files(files, asked, work, missing)
    file = _of_parquet(where, copied.files, format_for(".parquet"))
    for name in copied.numbers:
        place = file.schema.get_field_index(name)
        file = replace(file, schema=file.schema.set(place, pa.field(name, pa.float64())))
    return _coded(replace(file, notes=copied.notes), None if copied.without_codes else missing)


def _coded(file: LargeFile, missing: MissingCodes | None) -> LargeFile:
    """Return a file that is read without the codes for missing values."""
    import pyarrow.types as types

    codes = checked_codes(missing, file.schema.names)
    if not codes:
        return file
    for name in codes:
        if types.is_dictionary(file.schema.field(name).type):
            raise DataError(
                f"codes for missing values of a file larger than memory are looked for in columns "
                f"of numbers or text, but '{name}' is one of categories; state them by column and "
                "without it, or allow more memory"
            )
    where = "all columns" if len(codes) == len(file.schema.names) else ", ".join(codes)
    note = f"codes for missing values are read as missing in: {where}"
    return replace(file, codes=codes, notes=(*file.notes, note))


def files_of(path: Path) -> list[Path]:
    """Return the files of a folder in the order of their names, or the one file.

    All have one format; hidden files, and those that begin with an underscore, do not count.
    """
    if not path.is_dir():
        check_readable(path)
        return [path]
    suffixes = {suffix for kind in known_kinds().values() for suffix in kind.suffixes}
    files = sorted(
        file
        for file in path.rglob("*")
        if file.is_file() and not file.name.startswith((".", "_")) and file.suffix in suffixes
    )
    kinds = {kind_of_path(file)[0].name for file in files}
    if len(kinds) != 1:
        received = "none" if not kinds else f"files of several formats ({', '.join(sorted(kinds))})"
        raise DataError(
            f"a folder of data holds files of one format, but '{path}' has {received}; name the "
            "folder that holds them"
        )
    for file in files:
        check_readable(file)
    return files


def _of_parquet(path: Path | None, files: Sequence[Path], format: FileFormat) -> LargeFile:
    import pyarrow as pa
    from pyarrow import parquet

    spans, schema, at = list[Span](), None, 0
    for file in files:
        try:
            with parquet.ParquetFile(file) as opened:
                of_part = opened.schema_arrow
                metadata = opened.metadata
        except (pa.ArrowException, OSError):
            raise DataError(
                f"the file '{file.name}' is not a complete Parquet file; copy or write it again"
            ) from None
        require_names(of_part.names, file)
        of_part = plain_table(bare_table(of_part.empty_table())).schema
        if schema is None:
            schema = of_part
        elif of_part.names != schema.names or of_part.types != schema.types:
            raise DataError(
                f"the files of a folder have the same columns and types, but '{file.name}' differs "
                f"from '{files[0].name}'; convert it, or leave it out"
            )
        for group in range(metadata.num_row_groups):
            rows = metadata.row_group(group).num_rows
            spans.append(Span(file, group, at, rows))
            at += rows
    assert schema is not None
    return LargeFile(path, tuple(spans), schema, format)
