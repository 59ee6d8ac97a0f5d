"""Excel files: a sheet is read by python-calamine, written and read a second time by openpyxl."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError, UsageError, nearest
from discreet.io.extras import needing
from discreet.io.formats import FileFormat, FileKind, FileTable, chosen_columns, register
from discreet.io.header import ends_in_total, given_names, rows_of_title
from discreet.io.memory_guard import require_memory
from discreet.io.sheet_columns import sheet_column
from discreet.io.sheet_write import write_sheet
from discreet.io.stored_types import like_schema

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Excel", "ExcelDetails"]

MEMORY_FACTOR = 40
"""A sheet is compressed text; each of its cells becomes a Python object."""

RELEASED = ".xlsx"
SAMPLE_ROWS = 60
"""Rows examined to tell a title from the names of the columns."""


@dataclass(frozen=True)
class ExcelDetails:
    """Which sheet was read, and how its columns write a missing value.

    >>> ExcelDetails().sheet
    'release'
    """

    sheet: str = "release"
    missing: Mapping[str, str] = field(default_factory=dict)


@register
class Excel(FileKind):
    """A sheet of an Excel file, or of a relative that is written as .xlsx.

    >>> Excel.options
    ('sheet',)
    """

    name = "excel"
    suffixes = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
    options = ("sheet",)

    def read(
        self,
        path: Path,
        suffix: str,
        columns: Sequence[str] | None,
        options: Mapping[str, Any],
    ) -> FileTable:
        """Read a sheet whose first row names the columns."""
        import pyarrow as pa

        sheet, others, rows = _rows(path, options.get("sheet"))
        if not rows:
            raise DataError(
                f"the first row of a sheet names the columns, but sheet '{sheet}' of "
                f"'{path.name}' is empty; name another with sheet="
            )
        above = rows_of_title(rows[:SAMPLE_ROWS])
        rows = rows[above:]
        header, named = given_names([str(name) for name in rows[0]])
        wanted = set(chosen_columns(columns, header, path))
        cells = zip(*rows[1:], strict=True) if len(rows) > 1 else [()] * len(header)
        read = {
            name: sheet_column(column)
            for name, column in zip(header, cells, strict=True)
            if name in wanted
        }
        missing = {n: column.missing for n, column in read.items() if column.missing is not None}
        notes = [f"sheet '{sheet}'; the release holds its values, no formulas and no other sheet"]
        notes += named
        if above:
            notes.append(f"rows above the names of the columns, not read: {above}")
        if ends_in_total(rows[1:]):
            notes.append("the last row has few cells: if it is a total, delete it from the sheet")
        if others:
            notes.append(f"sheets that were not read: {', '.join(others)}")
        for token in dict.fromkeys(missing.values()):
            names = [name for name, used in missing.items() if used == token]
            notes.append(f"missing values written '{token}' in: {', '.join(names)}")
        mixed = [name for name, column in read.items() if column.mixed]
        if mixed:
            notes.append(f"numbers and texts, all read as text, in: {', '.join(mixed)}")
        return FileTable(
            pa.table({name: column.values for name, column in read.items()}),
            FileFormat(kind=self.name, suffix=RELEASED, details=ExcelDetails(sheet, missing)),
            tuple(notes),
        )

    def read_back(self, path: Path, format: FileFormat, schema: pa.Schema) -> pa.Table:
        """Return the table that was written, in the types that it had."""
        return like_schema(super().read_back(path, format, schema), schema)

    def cells(self, path: Path, suffix: str, options: Mapping[str, Any]) -> pa.Table:
        """Return the cells as openpyxl reads them; numbers beside texts as text."""
        with needing("excel", "an Excel file"):
            from openpyxl import load_workbook
        import pyarrow as pa

        try:
            book = load_workbook(path, read_only=True, data_only=True)
            sheet = book[options["sheet"]] if "sheet" in options else book.worksheets[0]
            names, *rows = sheet.iter_rows(values_only=True)
            columns = {
                str(name): [row[place] if place < len(row) else None for row in rows]
                for place, name in enumerate(names)
            }
            book.close()
        except MemoryError:
            raise
        except Exception:
            # Messages of the library may quote a value of a record.
            raise DataError(f"the cells of '{path.name}' cannot be read by openpyxl") from None
        table = {}
        for name, values in columns.items():
            try:
                table[name] = pa.array(values)
            except pa.ArrowException:
                table[name] = pa.array([None if v is None else str(v) for v in values])
        return pa.table(table)

    def write(self, table: pa.Table, path: Path, format: FileFormat) -> None:
        """Write the table as the only sheet of a new file."""
        write_sheet(table, path, format.details.sheet, format.details.missing)

    def format_for(self, suffix: str, options: Mapping[str, Any]) -> FileFormat:
        """Return the format of a file with one sheet."""
        details = ExcelDetails(str(options.get("sheet", ExcelDetails.sheet)))
        return FileFormat(kind=self.name, suffix=RELEASED, details=details)

    def options_of(self, format: FileFormat) -> dict[str, Any]:
        """Return the sheet's name."""
        return {"sheet": format.details.sheet}


def _rows(path: Path, wanted: str | None) -> tuple[str, list[str], list[list[Any]]]:
    """Return the name of the sheet to read, those of the other sheets, and its rows."""
    with needing("excel", "an Excel file"):
        import python_calamine

    require_memory(path, max(MEMORY_FACTOR * path.stat().st_size, _content_size(path)))
    try:
        with python_calamine.CalamineWorkbook.from_path(path) as book:
            names = list(book.sheet_names)
            sheet = names[0] if wanted is None else wanted
            if sheet not in names:
                raise UsageError(
                    f"'{path.name}' has the sheets {', '.join(names)}, but '{sheet}' was "
                    f"named{nearest(str(sheet), names)}"
                )
            rows = book.get_sheet_by_name(sheet).to_python(skip_empty_area=True)
            return sheet, [name for name in names if name != sheet], rows
    except python_calamine.PasswordError:
        reason = "it is protected by a password: save it without one"
    except (python_calamine.CalamineError, zipfile.BadZipFile, OSError, IndexError):
        reason = "check that it is complete and save it again as .xlsx"
    raise DataError(f"the file '{path.name}' cannot be read as an Excel file; {reason}")


def _content_size(path: Path) -> int:
    """Return the bytes that the parts of a file need when unpacked."""
    if not zipfile.is_zipfile(path):
        return 0
    with zipfile.ZipFile(path) as parts:
        return sum(part.file_size for part in parts.infolist())
