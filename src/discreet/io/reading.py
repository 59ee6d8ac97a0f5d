"""Reading data: a file, a frame or a mapping becomes microdata."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import UsageError, nearest
from discreet.io.columns import Kinds, from_series, refuse_unknown
from discreet.io.formats import FileTable
from discreet.io.frames import column_names, frame_without_codes, from_native, series_of
from discreet.io.joining import Joined
from discreet.io.missing_codes import MissingCodes, checked_codes, file_without_codes
from discreet.io.stated_roles import Roles, roles_by_column
from discreet.microdata import MISSING_CODE, Kind, Microdata, Source
from discreet.microdata.dates import unit_of
from discreet.microdata.labels import KnownLabels
from discreet.microdata.levels import with_levels, with_unit
from discreet.microdata.unknown_column import named_by_header

if TYPE_CHECKING:
    import pyarrow as pa

LOG = logging.getLogger(__name__)


def read(
    path_or_frame: Any,
    roles: Roles | None = None,
    kinds: Kinds | None = None,
    *,
    levels: Mapping[str, str] | None = None,
    unit: str | None = None,
    columns: Sequence[str] | None = None,
    missing: MissingCodes | None = None,
    keep_codes: bool = False,
    cells: int | None = None,
    **options: Any,
) -> Microdata:
    """Return a file or a frame as microdata, with the roles and kinds of its columns.

    `roles` gives each column one of identifier, quasi-identifier, confidential, other, weight,
    household, person (a number that the records of one person share) or stratum; columns without
    one are "other", and are released as they are unless they look like an identifier.
    `{"quasi-identifier": ["age", "sex"]}` says the same the other way round, and words such as
    sensitive, key and id are understood. `kinds` overrides what follows from the type of a column:
    continuous, ordinal or nominal, or the list of categories of an ordinal column in their order.
    `levels` says whether a column belongs to a record, a person or a household, with one value for
    all its records; where a column numbers households or persons, the others' levels follow from
    their values. Claims count different households where a column numbers them, or else different
    persons; `unit="household"` also forms groups of whole households, `unit="person"` of whole
    persons with all their records, and `unit="record"` counts records, as sdcMicro does. `missing`
    states codes for missing values, by column or with "*" for all: `{"income": [-999]}`; with
    `keep_codes` the release of a file has them again, except in quasi-identifiers, and so it has
    the user-defined missing values of SPSS. `columns` reads only some columns of a file; `cells`
    keeps what is written in it for that many records only, evenly spread, which takes half the
    memory and is enough to explore the data, not to release them. Further options are those of the
    file's format (for CSV: delimiter, encoding, decimal). The address of a database
    (postgresql://host/name, with no password in it) takes `table` or `query`.

    >>> data = read({"age": [31, 47], "stage": ["II", "I"]},
    ...             roles={"age": "quasi-identifier", "stage": "confidential"},
    ...             kinds={"stage": ["I", "II", "III"]})
    >>> data
    Microdata(2 records; age: quasi-identifier, continuous; stage: confidential, ordinal)
    """
    if isinstance(path_or_frame, Microdata):
        raise UsageError("the data have already been read; give roles and kinds when reading")
    if not isinstance(path_or_frame, str | os.PathLike):
        if columns is not None or options or keep_codes or cells is not None:
            given = {"columns": columns, "keep_codes": keep_codes or None, "cells": cells}
            named = ", ".join([n for n, v in given.items() if v is not None] + list(options))
            hint = nearest(next(iter(options), ""), ("roles", "kinds"))
            raise UsageError(f"{named} can be given for a file, but a frame was given{hint}")
        frame = frame_without_codes(path_or_frame, missing) if missing else path_or_frame
        return with_unit(with_levels(from_native(frame, roles, kinds), levels), unit)

    from discreet.io.database import is_address, read_database
    from discreet.io.files import read_table

    path = None if is_address(path_or_frame) else Path(path_or_frame)

    def file() -> FileTable:
        if path is None:
            return read_database(str(path_or_frame), columns, options)
        return read_table(path, columns=columns, **options)

    # Not bound to a name here, so that the columns can be freed one by one.
    data = microdata_of(file(), roles, kinds, missing, keep_codes, path, cells=cells)
    return with_unit(with_levels(data, levels), unit)


def microdata_of(
    file: FileTable,
    roles: Roles | None,
    kinds: Kinds | None,
    missing: MissingCodes | None = None,
    keep_codes: bool = False,
    path: Path | None = None,
    joined: Joined | None = None,
    cells: int | None = None,
) -> Microdata:
    """Return a file that has been read as microdata; `joined` says how it was made of two.

    `cells` are the records whose cells are kept, all of them by default.
    """
    import narwhals as nw

    kept: dict[str, Any] = {}
    # Before codes are applied, and with all columns: these show whether a header is a record.
    refuse_unknown(roles_by_column(roles, file.table.column_names)[0], kinds, series_of(file.table))
    if missing:
        codes = checked_codes(missing, file.table.column_names)
        file, kept = file_without_codes(file, codes)
    if keep_codes and file.with_own_codes is not None:
        format, own_codes = file.with_own_codes()
        file, kept = replace(file, format=format), {**own_codes, **kept}
    stated = {
        name: kind for name, kind in file.format.kinds.items() if name in file.table.schema.names
    }
    notes = tuple(file.notes) + _doubts(file.table)
    table = file.table
    kept_rows = table if cells is None else _some_rows(table, cells)
    source = Source(
        nw.from_native(kept_rows, eager_only=True),
        format=file.format,
        path=path,
        notes=notes,
        codes=kept if keep_codes else {},
        joined=joined,
        partial=cells is not None,
    )
    file = replace(file, table=kept_rows)
    kinds = {**stated, **(kinds or {})}
    columns = series_of(table)
    del table
    data = from_series(columns, roles, kinds, source, sound=file.sound)
    if labels := {n: words for n, words in file.format.value_labels.items() if n in data.schema}:
        data = data.with_attributes(
            replace(data.schema[name], value_labels=words) for name, words in labels.items()
        )
    name = "the data" if path is None else path.name
    LOG.info("read %s: %d records of %d columns", name, len(data), len(data.schema))
    return data


def like_original(
    original: Microdata, frame: Any, labels: Mapping[str, KnownLabels] | None = None
) -> Microdata:
    """Read a released frame with the roles, and where they still fit the scales, of the original.

    A file without types may give back the category "1" as the number 1; what reads the same is
    the same. A column that was recoded keeps the scale that it was released on, and the meaning of
    its labels where the original has it; `labels` gives the meaning of others, by column.
    """
    names = column_names(frame)
    for place, name in enumerate(names, start=1):
        if name not in original.schema:
            # The first line of a file without a header is a record.
            header = named_by_header(original.schema.names, names)
            called = f"column '{name}'" if header else f"column, number {place} of {len(names)},"
            raise UsageError(
                f"the released data have a {called} that the original does not have; are "
                "these the right files, and does the first line name the columns?"
            )
    known = [original.schema[name] for name in names]
    table = from_native(
        frame,
        {a.name: a.role.value for a in known},
        {a.name: Kind.NOMINAL.value for a in known if not a.continuous},
    )
    columns = []
    for attribute in known:
        column = table.column(attribute.name)
        if not attribute.continuous and column.attribute.categories == attribute.categories:
            # For a million households the texts alone would take more memory than the column.
            scale = attribute.kind, attribute.categories, attribute.decoding
            columns.append(column.recoded(column.values, *scale))
            continue
        position = {str(category): i for i, category in enumerate(attribute.categories)}
        texts = [str(category) for category in column.attribute.categories]
        if attribute.continuous or not set(texts) <= set(position):
            known_labels = (labels or {}).get(attribute.name)
            if known_labels is not None and not column.attribute.continuous:
                decoding = known_labels.read(texts, unit_of(original, attribute.name))
                categories = column.attribute.categories
                kind = column.attribute.kind
                columns.append(column.recoded(column.values, kind, categories, decoding))
            continue
        translation = np.array([*(position[t] for t in texts), MISSING_CODE], dtype=np.int32)
        columns.append(
            column.recoded(
                translation[column.values],
                attribute.kind,
                attribute.categories,
                attribute.decoding,
            )
        )
    table = table.replace(columns)
    return table.with_attributes(
        replace(
            table.schema[a.name],
            level=a.level,
            unit=a.unit,
            whole=a.whole,
            value_labels=a.value_labels,
        )
        for a in known
    )


def _some_rows(table: pa.Table, count: int) -> pa.Table:
    """Return `count` rows of a table, evenly spread."""
    if count < 0:
        raise UsageError(f"'cells' is a number of records, but {count} was given")
    if not count:
        # Choosing no rows would keep the cells of columns of text.
        return table.schema.empty_table()
    rows = np.linspace(0, len(table) - 1, min(len(table), count)).astype(np.int64)
    return table.take(np.unique(rows))


def _doubts(table: Any) -> tuple[str, ...]:
    """Return a note if the names of the columns look like values: a file without a header line."""
    import pyarrow.types as types

    numeric = [
        f.name for f in table.schema if types.is_integer(f.type) or types.is_floating(f.type)
    ]
    number = re.compile(r"[-+]?\d+([.,]\d+)?")
    if numeric and all(number.fullmatch(name) for name in numeric):
        return ("the first line looks like a record, not like names: is the header missing?",)
    return ()
