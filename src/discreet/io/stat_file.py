"""SPSS, Stata and SAS files, through pyreadstat, with their labels, measures and formats.

User-defined missing values (SPSS ranges, Stata's .a to .z) are read as missing: a code such as
"refused" must not enter a mean. Which of SPSS's and Stata's it was can be kept for the release
(`_own_codes`).
"""

from __future__ import annotations

import errno
import importlib
import re
import warnings
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

from discreet.errors import DataError, UsageError
from discreet.io.formats import FileFormat, FileKind, FileTable, chosen_columns
from discreet.io.memory_guard import require_memory
from discreet.io.stat_columns import column_class, declares_decimals, from_stat, to_stat
from discreet.io.stat_dictionary import (
    StatDetails,
    fitting_formats,
    fitting_labels,
    is_tag,
)
from discreet.io.stat_tags import numbers_and_tags, tags_of
from discreet.io.stat_time import fix_time

if TYPE_CHECKING:
    import pyarrow as pa


#: Peak memory while reading, as measured: bytes per cell, and multiples of the file's size
#: where the number of records is not known beforehand.
BYTES_PER_CELL = 80
MEMORY_FACTOR = 24


@dataclass(frozen=True, eq=False)
class Ready:
    """A table that is ready to be written: as the library wants it, with what belongs to it.

    `shared` is what the writers of all formats are given, `labels` those of values by column, and
    `tags` the reasons .a to .z for missing values of a column.
    """

    frame: Any
    table: pa.Table
    format: FileFormat
    shared: Mapping[str, Any]
    labels: Mapping[str, Mapping[Any, str]]
    tags: Mapping[str, Sequence[str]]


class StatFile(FileKind):
    """What the formats share; each defines its reader, its writer and where it differs."""

    title: ClassVar[str]
    reader: ClassVar[str]
    release_suffix: ClassVar[str]
    #: Whether user-defined missing values are in the file's dictionary.
    declares_missing: ClassVar[bool] = False
    #: Whether numbers may be missing for one of the reasons .a to .z, which can be written again.
    has_tags: ClassVar[bool] = False
    #: Whether there is no integer type, so that whole doubles may be integers.
    only_doubles: ClassVar[bool] = True
    options: ClassVar[tuple[str, ...]] = ("encoding",)
    #: How the time of writing looks in the header, and what is put in its place.
    stamp: ClassVar[re.Pattern[bytes]]
    no_time: ClassVar[bytes]

    def read(
        self,
        path: Path,
        suffix: str,
        columns: Sequence[str] | None,
        options: Mapping[str, Any],
    ) -> FileTable:
        """Read the data and the data dictionary."""
        import pyarrow as pa

        given = {name: value for name, value in options.items() if value is not None}
        asking = {"user_missing": True} if self.declares_missing else {}
        _, head = self._parsed(path, metadataonly=True, **asking, **given)
        names = list(head.column_names)
        if not all(isinstance(name, str) and name for name in names):
            raise DataError(
                f"each column needs a name, but one in '{path.name}' is damaged; copy the file "
                "again, or name its encoding (encoding=)"
            )
        if not names:
            raise DataError(f"a table needs columns, but '{path.name}' has none")
        wanted = chosen_columns(columns, names, path)
        require_memory(path, _needed(path, head.number_rows, len(wanted)))
        values, _ = self._parsed(path, usecols=wanted, **given)
        arrays = {
            name: from_stat(
                values[name],
                head.readstat_variable_types[name],
                self.only_doubles and not declares_decimals(head.original_variable_types[name]),
            )
            for name in wanted
        }
        table = pa.table(arrays)
        details = self._details(path, head, table)
        labels = {
            name: _keys_as(labels, table.schema.field(name).type)
            for name, labels in head.variable_value_labels.items()
            if name in arrays
        }
        format = FileFormat(
            kind=self.name,
            suffix=self._suffix(suffix),
            details=details,
            kinds=details.kinds,
            variable_labels={
                name: label
                for name, label in head.column_names_to_labels.items()
                if label and name in arrays
            },
            value_labels=labels,
        )
        return FileTable(
            table,
            format,
            self._notes(head, details, labels),
            partial(self._own_codes, path, table, format, given)
            if details.ranges or self.has_tags
            else None,
        )

    def _own_codes(
        self, path: Path, table: pa.Table, format: FileFormat, given: Mapping[str, Any]
    ) -> tuple[FileFormat, dict[str, pa.Array]]:
        """Return which user-defined missing value stood where, and a format that has them again."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if self.has_tags:
            numbers = [i.name for i in table.schema if column_class(i.type) == "number"]
            values, _ = self._parsed(path, usecols=numbers, user_missing=True, **given)
            tags = tags_of(values)
            returning = {
                name: tuple(letters.unique().drop_null().to_pylist())
                for name, letters in tags.items()
            }
            return replace(format, details=replace(format.details, returning=returning)), tags
        names = list(format.details.ranges)
        values, _ = self._parsed(path, usecols=names, user_missing=True, **given)
        codes: dict[str, pa.Array] = {}
        for name in names:
            column = table.column(name).combine_chunks()
            nothing = pa.scalar(None, column.type)
            # An empty text is how these formats write a missing one.
            written = pa.array([None if value == "" else value for value in values[name]])
            codes[name] = pc.if_else(pc.is_null(column), written.cast(column.type), nothing)
        codes_used = {name: array for name, array in codes.items() if array.null_count < len(array)}
        returning = {
            name: tuple(array.drop_null().unique().to_pylist())
            for name, array in codes_used.items()
        }
        return replace(format, details=replace(format.details, returning=returning)), codes_used

    def cells(self, path: Path, suffix: str, options: Mapping[str, Any]) -> pa.Table:
        """Return the values of every variable, user-defined missing values among them."""
        import pyarrow as pa

        asking = {"user_missing": True} if self.declares_missing else {}
        values, head = self._parsed(path, **asking, **options)
        texts = {name for name, kind in head.readstat_variable_types.items() if kind == "string"}
        try:
            return pa.table(
                {
                    # An empty text is how these formats write a missing one.
                    str(name): pa.array([v or None for v in cells] if name in texts else cells)
                    for name, cells in values.items()
                }
            )
        except (pa.ArrowException, TypeError, ValueError):
            raise DataError(
                f"each column of '{path.name}' must hold values of one type, but one does not; "
                "write the release as CSV or Parquet"
            ) from None

    def write(self, table: pa.Table, path: Path, format: FileFormat) -> None:
        """Write the data with the parts of the dictionary that still fit."""
        import pyarrow as pa

        if not table.num_columns:
            raise DataError(f"the {self.title} format needs columns, but the table has none")
        letters: dict[str, list[str | None]] = {}
        for name in format.details.returning if self.has_tags else ():
            if (
                name in table.column_names
                and column_class(table.schema.field(name).type) == "number"
            ):
                numbers, letters[name] = numbers_and_tags(table.column(name))
                table = table.set_column(table.column_names.index(name), name, numbers)
        labels = fitting_labels(format.value_labels, table, tags=self.has_tags)
        columns = {
            name: to_stat(
                table.column(name),
                name,
                keep_float=any(isinstance(value, float) for value in labels.get(name, ())),
            )
            for name in table.column_names
        }
        tags = {
            name: sorted(value for value in labels[name] if is_tag(value))
            for name in labels
            if column_class(columns[name].type) == "number"
        }
        for name, of_cells in letters.items():
            tags[name] = sorted({*tags.get(name, ()), *(letter for letter in of_cells if letter)})
        tags = {name: listed for name, listed in tags.items() if listed}
        frame = _frame(pa.table(columns), tags, letters)
        shared = {
            "column_labels": {
                name: label for name, label in format.variable_labels.items() if name in columns
            },
            "variable_format": fitting_formats(format.details, table),
        }
        pyreadstat = _library()
        path.open("wb").close()  # fails here, with a plain message, if the place is not writable
        try:
            self._save(pyreadstat, path, Ready(frame, table, format, shared, labels, tags))
            fix_time(path, self.stamp, self.no_time)
        except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as error:
            if "Unable to write" in str(error):
                raise OSError(errno.EIO, "the disk is full or failed", str(path)) from None
            raise DataError(
                f"the table cannot be written in the {self.title} format "
                f"({str(error).strip().rstrip('.')}); change what it names, or write CSV or "
                "Parquet"
            ) from None

    def format_for(self, suffix: str, options: Mapping[str, Any]) -> FileFormat:
        """Return a format without a dictionary."""
        return FileFormat(kind=self.name, suffix=self._suffix(suffix), details=StatDetails())

    @abstractmethod
    def _save(self, pyreadstat: ModuleType, path: Path, ready: Ready) -> None:
        """Call the format's writer."""

    def _suffix(self, suffix: str) -> str:
        return self.release_suffix

    def _version(self, path: Path) -> int | None:
        return None

    def _check(self, path: Path, encoding: str | None) -> None:
        """Refuse a file that would crash the format's reader."""

    def _parsed(self, path: Path, **asking: Any) -> tuple[Mapping[str, Any], Any]:
        pyreadstat = _library()
        read = getattr(pyreadstat, self.reader)
        self._check(path, asking.get("encoding"))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                values, head = read(str(path), output_format="dict", **asking)
                return values, head
        except pyreadstat.ReadstatError as error:
            reason = str(error).strip().rstrip(".").lower()
        except MemoryError:
            raise
        except Exception:
            # Other messages of the library may quote a value of a record.
            reason = "a value or a text in it cannot be converted"
        way_out = "name its encoding (encoding=)" if self.options else "copy it again"
        raise DataError(
            f"the file '{path.name}' cannot be read in the {self.title} format ({reason}); "
            f"check that it is such a file and complete, or {way_out}"
        )

    def _details(self, path: Path, head: Any, table: pa.Table) -> StatDetails:
        present = set(table.column_names)

        def kept(entries: Mapping[str, Any]) -> dict[str, Any]:
            return {name: entry for name, entry in entries.items() if name in present and entry}

        return StatDetails(
            table_name=head.table_name or "",
            version=self._version(path),
            formats=kept(head.original_variable_types),
            measures={
                name: measure
                for name, measure in kept(head.variable_measure).items()
                if measure in ("nominal", "ordinal", "scale")
            },
            widths=kept(head.variable_display_width),
            ranges=kept(head.missing_ranges),
            classes={item.name: column_class(item.type) for item in table.schema},
        )

    def _notes(
        self, head: Any, details: StatDetails, labels: Mapping[str, Mapping[Any, str]]
    ) -> tuple[str, ...]:
        notes = [f"{self.title} file with value labels for {len(labels)} columns"]
        if head.file_encoding:
            notes[0] += f", encoding {head.file_encoding}"
        if details.ranges:
            notes.append(
                f"user-defined missing values are read as missing in: {', '.join(details.ranges)}"
            )
        tagged = [name for name in labels if any(is_tag(value) for value in labels[name])]
        if tagged and self.has_tags:
            notes.append(f"tagged missing values are read as missing in: {', '.join(tagged)}")
        if head.notes:
            notes.append("the documents attached to the file are not carried over to the release")
        return tuple(notes)


def _library() -> Any:
    try:
        return importlib.import_module("pyreadstat")
    except ImportError:
        raise UsageError(
            "an SPSS, Stata or SAS file needs an extra package; install it with: "
            "pip install 'discreet[stat]'"
        ) from None


def _frame(
    table: pa.Table,
    tags: Mapping[str, Sequence[str]],
    letters: Mapping[str, Sequence[str | None]],
) -> Any:
    """Return a data frame of a library that pyreadstat writes from: Polars or pandas.

    A column that may hold tagged missing values is compared with letters, so it holds objects.
    """

    def objects(name: str) -> list[Any]:
        values = table.column(name).to_pylist()
        tagged = letters.get(name) or [None] * len(values)
        return [v if letter is None else letter for v, letter in zip(values, tagged, strict=True)]

    try:
        polars = importlib.import_module("polars")
    except ImportError:
        pass
    else:
        frame = polars.from_arrow(table)
        for name in tags:
            frame = frame.with_columns(polars.Series(name, objects(name), dtype=polars.Object))
        return frame
    try:
        pandas = importlib.import_module("pandas")
    except ImportError:
        raise UsageError(
            "writing an SPSS, Stata or SAS file needs Polars or pandas; install one with: "
            "pip install 'discreet[stat,polars]'"
        ) from None
    import pyarrow as pa

    frame = table.to_pandas(types_mapper={pa.int32(): pandas.Int32Dtype()}.get)
    return frame.assign(**{n: pandas.Series(objects(n), dtype=object) for n in letters})


def _needed(path: Path, rows: int | None, columns: int) -> int:
    if rows is None or rows < 0:
        return MEMORY_FACTOR * path.stat().st_size
    return BYTES_PER_CELL * rows * columns


def _keys_as(labels: Mapping[Any, str], type: pa.DataType) -> dict[Any, str]:
    """Return the labels with whole numbers as integers where the column has integers."""
    import pyarrow as pa

    if not pa.types.is_integer(type):
        return dict(labels)
    return {
        int(value) if isinstance(value, float) and value.is_integer() else value: label
        for value, label in labels.items()
    }
