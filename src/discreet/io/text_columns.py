"""Dates and amounts that a file with types of its own nevertheless keeps as text: 31.12.1990 in a
sheet, 1,234.50 € in a table of a database.

They are read as what they are, like those of a CSV file, and written as text of the same form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from discreet.io.csv_types import chunked, infer_types, notes_on_forms
from discreet.io.date_forms import DateForm
from discreet.io.formats import FileFormat, FileTable
from discreet.io.number_forms import NumberForm

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["as_texts", "forms_in", "read_as_texts", "text_schema", "with_forms"]


def _is_text(column: pa.ChunkedArray) -> bool:
    """Whether the bytes of a text column are valid text; others are refused later, by name."""
    import pyarrow as pa

    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def with_forms(file: FileTable) -> FileTable:
    """Return the file with texts that are dates or amounts as such; whole numbers stay codes.

    >>> import pyarrow as pa
    >>> from discreet.io.formats import format_for
    >>> table = pa.table({"born": ["31.12.1990", None], "pay": ["1.234,50 €", "7,00 €"]})
    >>> file = with_forms(FileTable(table, format_for(".parquet")))
    >>> file.table.column("pay").to_pylist(), str(file.table.schema.field("born").type)
    ([1234.5, 7.0], 'date32[day]')
    >>> as_texts(file.table, file.format) == table
    True
    """
    import pyarrow as pa

    if hasattr(file.format.details, "forms"):  # a file of text, whose reader knows its forms
        return file
    left = {*file.format.kinds, *file.format.value_labels}
    texts = {
        item.name: file.table.column(item.name).cast(pa.string())
        for item in file.table.schema
        if item.type in (pa.string(), pa.large_string()) and item.name not in left
    }
    table, forms = file.table, dict(file.format.forms)
    for name, (form, column) in forms_in(texts).items():
        forms[name] = form
        table = table.set_column(table.column_names.index(name), name, column)
    new_forms = {name: form for name, form in forms.items() if name not in file.format.forms}
    notes = (*file.notes, *notes_on_forms(new_forms))
    return replace(file, table=table, format=replace(file.format, forms=forms), notes=notes)


def forms_in(
    texts: Mapping[str, pa.ChunkedArray],
) -> dict[str, tuple[DateForm | NumberForm, pa.ChunkedArray]]:
    """Return the columns of texts that are dates or amounts: their form, and their values.

    >>> import pyarrow as pa
    >>> texts = {"born": pa.chunked_array([["31.12.1990"]]), "job": pa.chunked_array([["cook"]])}
    >>> [(name, form.described) for name, (form, _) in forms_in(texts).items()]
    [('born', 'dd.mm.yyyy')]
    """
    import pyarrow as pa

    typed = infer_types({n: column for n, column in texts.items() if _is_text(column)}, ",", None)
    known: dict[str, tuple[DateForm | NumberForm, pa.ChunkedArray]] = {}
    for name, column in typed.columns.items():
        dates = pa.types.is_date(column.type)
        form = typed.forms.get(name) or (DateForm("%Y-%m-%d") if dates else None)
        # A word such as "unknown" among dates would be lost.
        if form is not None and column.null_count <= texts[name].null_count:
            known[name] = form, column
    return known


def as_texts(table: pa.Table, format: FileFormat) -> pa.Table:
    """Return the table with dates and amounts in the forms in which the file writes them."""
    import pyarrow as pa

    for name, form in _written(format.forms, table.schema).items():
        texts = form.write(table.column(name)).cast(pa.string())
        table = table.set_column(table.column_names.index(name), name, chunked(texts))
    return table


def read_as_texts(table: pa.Table, format: FileFormat, schema: pa.Schema) -> pa.Table:
    """Return a table that was written with `as_texts` in the types of `schema` again."""
    for name, form in _written(format.forms, schema).items():
        read = form.read(table.column(name))
        if read is not None:
            typed = chunked(read).cast(schema.field(name).type)
            table = table.set_column(table.column_names.index(name), name, typed)
    return table


def text_schema(schema: pa.Schema, format: FileFormat) -> pa.Schema:
    """Return the types of the table that `as_texts` writes."""
    import pyarrow as pa

    for name in _written(format.forms, schema):
        schema = schema.set(schema.get_field_index(name), pa.field(name, pa.string()))
    return schema


def _written(
    forms: Mapping[str, DateForm | NumberForm], schema: pa.Schema
) -> dict[str, DateForm | NumberForm]:
    """Return the forms of columns that still hold what can be written in them."""
    return {
        name: form
        for name, form in forms.items()
        if name in schema.names and form.fits(schema.field(name).type)
    }
