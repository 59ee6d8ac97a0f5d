"""Codes for missing values, such as -999 for "refused": read as missing, and restored on request.

They are stated by column, and with "*" for all columns: `{"income": [-999, -9], "*": ["NA", "."]}`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from discreet.errors import UnknownColumn, UsageError
from discreet.io.formats import FileTable
from discreet.io.text_columns import with_forms
from discreet.microdata import Microdata, Role
from discreet.microdata.unknown_column import unknown_column

if TYPE_CHECKING:
    import pyarrow as pa

EVERY = "*"

MissingCodes = Mapping[str, Sequence[Any]]


def checked_codes(missing: MissingCodes | None, names: Sequence[str]) -> dict[str, list[Any]]:
    """Return the codes of each column that has any, or say what is wrong with them.

    >>> checked_codes({"income": -9, "*": ["NA"]}, ["age", "income"])
    {'age': ['NA'], 'income': [-9, 'NA']}
    """
    stated: dict[str, list[Any]] = {}
    for name, codes in (missing or {}).items():
        if name != EVERY and name not in names:
            raise UnknownColumn(
                unknown_column(
                    str(name),
                    names,
                    asked_by="the list of missing codes",
                    asked=[str(named) for named in missing or () if named != EVERY],
                )
            )
        listed = list(codes) if isinstance(codes, list | tuple) else [codes]
        if not all(isinstance(code, str | int | float) for code in listed):
            raise UsageError(
                f"codes for missing values are numbers or texts, but column '{name}' has others; "
                "write, for example, [-999, 'NA']"
            )
        stated[name] = listed
    common = stated.get(EVERY, [])
    every = {name: [*stated.get(name, []), *common] for name in names}
    return {name: codes for name, codes in every.items() if codes}


def without_codes(
    table: pa.Table, codes: Mapping[str, Sequence[Any]]
) -> tuple[pa.Table, dict[str, pa.Array]]:
    """Return a table in which the codes are missing, and by column which code stood where.

    >>> import pyarrow as pa
    >>> table, kept = without_codes(pa.table({"pay": [5, -9, -8]}), {"pay": [-9, -8]})
    >>> table["pay"].to_pylist(), kept["pay"].to_pylist()
    ([5, None, None], [None, -9, -8])
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    kept: dict[str, pa.Array] = {}
    for name, listed in codes.items():
        column = table.column(name).combine_chunks()
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        values = _as(listed, column.type)
        is_code = pc.is_in(column, value_set=values)
        if not len(values) or not pc.any(is_code).as_py():
            continue
        nothing = pa.scalar(None, column.type)
        kept[name] = pc.if_else(is_code, column, nothing)
        place = table.column_names.index(name)
        table = table.set_column(place, name, pc.if_else(is_code, nothing, column))
    return table, kept


def _as(codes: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Return the codes that a column of this type can have."""
    import pyarrow as pa

    fitting: list[Any] = []
    for code in codes:
        try:
            if pa.types.is_string(kind) or pa.types.is_large_string(kind):
                fitting.append(str(code))
            elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
                number = float(code)
                pa.array([number]).cast(kind)
                fitting.append(int(number) if pa.types.is_integer(kind) else number)
        except (TypeError, ValueError, pa.ArrowInvalid):
            continue
    if not fitting:
        return pa.array([], kind)
    return pa.array(fitting, kind)


def with_codes(table: pa.Table, data: Microdata) -> pa.Table:
    """Return the table of microdata with the codes that say why a value is missing.

    Not in quasi-identifiers: people who refused to state their age would look different from those
    who did not know it.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    source = data.source
    assert source is not None
    for name, codes in source.codes.items():
        if name not in data.schema or data.schema[name].role is Role.QUASI_IDENTIFIER:
            continue
        column = table.column(name).combine_chunks()
        of_rows = codes if source.rows is None else codes.take(pa.array(source.rows))
        try:
            filled = pc.coalesce(column, of_rows.cast(column.type))
        except pa.ArrowException:
            continue  # words among numbers: the column now holds numbers
        table = table.set_column(table.column_names.index(name), name, filled)
    return table


def file_without_codes(
    file: FileTable, codes: Mapping[str, Sequence[Any]]
) -> tuple[FileTable, dict[str, pa.Array]]:
    """Return a file with its codes read as missing; text that is then numbers or dates is typed.

    >>> import pyarrow as pa
    >>> from discreet.io.formats import format_for
    >>> file = FileTable(pa.table({"pay": ["5", "refused"]}), format_for("csv"))
    >>> file_without_codes(file, {"pay": ["refused"]})[0].table.to_pydict()
    {'pay': [5, None]}
    """
    from discreet.io.csv_types import infer_types

    table, kept = without_codes(file.table, codes)
    notes = [*file.notes]
    if kept:
        notes.append(f"codes for missing values are read as missing in: {', '.join(kept)}")
    format = file.format
    if format.kind == "csv":
        details = format.details
        texts = {n: table.column(n) for n in kept if table.schema.field(n).type == "string"}
        order = {"month-first": True, "day-first": False}.get(details.dates or "")
        typed = infer_types(texts, details.delimiter, details.decimal, order)
        for name, column in typed.columns.items():
            table = table.set_column(table.column_names.index(name), name, column)
        forms = {**details.forms, **typed.forms}
        format = replace(format, details=replace(details, forms=forms))
    return with_forms(FileTable(table, format, tuple(notes))), kept
