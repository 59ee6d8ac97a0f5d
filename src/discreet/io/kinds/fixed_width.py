"""Fixed-width files: a layout says which characters of a line are which column.

They are released as CSV: a mean needs more characters than the values it is taken over, and a file
without its layout cannot be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DataError
from discreet.io.csv_dialect import CsvDialect, checked_decimal
from discreet.io.csv_encoding import to_utf8
from discreet.io.csv_types import infer_types
from discreet.io.formats import FileFormat, FileTable, chosen_columns, register
from discreet.io.layout import Field, layout_for
from discreet.io.packing import PACKINGS, unpacked
from discreet.io.released_as import ReleasedAs

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["FixedWidth"]

MEMORY_FACTOR = 6


@register
class FixedWidth(ReleasedAs):
    """Lines without delimiters, cut by a layout.

    >>> FixedWidth.options
    ('layout', 'encoding', 'decimal')
    """

    name = "fixed width"
    suffixes = (".dat", ".fwf", *(f".dat{packing}" for packing in PACKINGS))
    options = ("layout", "encoding", "decimal")
    release_suffix = ".csv"

    def read(
        self,
        path: Path,
        suffix: str,
        columns: Sequence[str] | None,
        options: Mapping[str, Any],
    ) -> FileTable:
        """Cut each line by the layout, then give each column its type as in a CSV file."""
        import pyarrow as pa

        layout = layout_for(path, options.get("layout"))
        wanted = chosen_columns(columns, [field.name for field in layout], path)
        data, encoding = to_utf8(unpacked(path, MEMORY_FACTOR), options.get("encoding"), path)
        texts = _cut(data, [field for field in layout if field.name in wanted], layout, path)
        decimal = options.get("decimal")
        typed = infer_types(texts, ";", None if decimal is None else checked_decimal(decimal))
        dialect = CsvDialect(
            delimiter=";" if typed.decimal == "," else ",",
            decimal=typed.decimal,
            missing=typed.missing,
            forms=typed.forms,
            dates=typed.dates,
        )
        return FileTable(
            pa.table(dict(typed.columns)),
            FileFormat(kind="csv", suffix=self.release_suffix, details=dialect),
            (f"fixed width, {len(layout)} columns, encoding {encoding}", *typed.notes),
        )


def _cut(
    data: pa.Buffer, fields: Sequence[Field], layout: Sequence[Field], path: Path
) -> dict[str, pa.ChunkedArray]:
    """Return the texts of each column without the blanks around them; blanks alone are missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    whole = pa.array([data.to_pybytes().decode("utf-8")], pa.large_string())
    lines = pc.split_pattern(pc.replace_substring(whole, "\r\n", "\n"), "\n").flatten()
    if len(lines) and not lines[-1].as_py():
        lines = lines.slice(0, len(lines) - 1)
    # Blanks at the end of a line are often cut off, so only the last column may be shorter.
    needed = max(field.start for field in layout)
    short = pc.less(pc.utf8_length(lines), needed).to_numpy(zero_copy_only=False)
    if short.any():
        raise DataError(
            f"each line needs the {needed} characters up to the last column of the layout, but "
            f"line {int(short.argmax()) + 1} of '{path.name}' is shorter; correct it or the layout"
        )
    texts = {}
    for field in fields:
        cells = pc.utf8_trim_whitespace(pc.utf8_slice_codeunits(lines, field.start - 1, field.end))
        present = pc.if_else(pc.equal(cells, ""), pa.scalar(None, cells.type), cells)
        texts[field.name] = pa.chunked_array([present.cast(pa.string())])
    return texts
