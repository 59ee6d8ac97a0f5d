"""Storing: a large file is read once for its categories and once for its values.

It does for a table that does not fit in memory what `discreet.read` does for others: the same roles
and kinds, the same categories in the same order, the same refusals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import DataError
from discreet.io.arrow_arrays import in_words, kind_of, opaque
from discreet.io.coding import encoded_once
from discreet.io.columns import Kinds, column_of, refuse_unknown, refuse_unmeasurable
from discreet.io.date_forms import DateForm
from discreet.io.series import written_in_two_ways
from discreet.io.stated_roles import Roles, roles_by_column
from discreet.io.text_columns import forms_in
from discreet.microdata import Attribute, Column, Kind, Role
from discreet.release.decimals import MOST, decimals_in
from discreet.scaling.engine import Engine
from discreet.scaling.keys import key_attribute, number_key
from discreet.scaling.source import LargeFile
from discreet.scaling.store import Store, task_slices, write_slice

if TYPE_CHECKING:
    import pyarrow as pa

MOST_CATEGORIES = 1_000_000


@dataclass(frozen=True)
class Stated:
    """What the plan states about a column."""

    role: Role
    kind: Any
    declared: bool

    def continuous(self, type_: pa.DataType) -> bool:
        """Whether its values are numbers."""
        if self.kind is None:
            return self.role is not Role.STRATUM and kind_of(type_) is Kind.CONTINUOUS
        return isinstance(self.kind, str) and Kind.parse(self.kind, column="") is Kind.CONTINUOUS


def stored(
    file: LargeFile,
    roles: Roles | None,
    kinds: Kinds | None,
    work: Path,
    engine: Engine,
    memory: int,
) -> Store:
    """Return the columns of a file on the disk; identifiers are left out.

    >>> import pyarrow as pa, pyarrow.parquet, tempfile
    >>> from discreet.scaling.source import large_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "people.parquet")
    ...     pa.parquet.write_table(pa.table({"age": [31, 47], "sex": ["m", "f"]}), path)
    ...     store = stored(large_file(path), {"age": "quasi-identifier"}, None, Path(folder),
    ...                    Engine(), 10**9)
    ...     store.table(["age", "sex"], 0, 2)["sex"]
    array([1, 0], dtype=int32)
    """
    engine.begin()
    names = file.schema.names
    by_column, _ = roles_by_column(roles, names)
    refuse_unknown(by_column, kinds, names)
    stated = {
        name: Stated(
            Role.parse(by_column.get(name, Role.OTHER), column=name),
            (kinds or {}).get(name),
            name in by_column,
        )
        for name in names
    }
    keys = _keys(stated, file.schema)
    kept = {name: s for name, s in stated.items() if s.role is not Role.IDENTIFIER}
    spans = task_slices(file.rows, len(kept), memory)
    read = {name: s for name, s in kept.items() if name not in keys}
    of_file = _attributes(file, read, spans, engine)
    attributes = {name: keys.get(name) or of_file[name] for name in kept}
    files = {name: f"read-{place:04d}" for place, name in enumerate(kept)}
    store = Store(work, file.rows, attributes, files, file.schema, memory)
    store.reserve(files)
    numbered = {name: number_key(file, store, name) for name in keys}
    tasks = [(file, read, attributes, files, work, span) for span in spans]
    read_spans = engine.map(_store_rows, tasks, "reading")
    decimals: dict[str, int | None] = {}
    for name in kept:
        seen = [digits[name] for digits, _ in read_spans if name in digits]
        if seen:
            decimals[name] = None if None in seen else max(d for d in seen if d is not None)
    doubled = frozenset().union(*(names for _, names in read_spans))
    return replace(store, changed=doubled, decimals=decimals, keys=numbered)


def _keys(stated: Mapping[str, Stated], schema: pa.Schema) -> dict[str, Attribute]:
    """Return the columns that number households or persons; a large file may have one of them."""
    keys = {
        name: key_attribute(name, s.role, s.kind, schema.field(name).type)
        for name, s in stated.items()
        if s.role in (Role.HOUSEHOLD, Role.PERSON)
    }
    if len(keys) > 1:
        raise DataError(
            f"records of one person within a household ({', '.join(map(repr, keys))}) are treated "
            "together in memory only, and the file is larger; give one of the two the role "
            "identifier, or allow more memory"
        )
    return keys


def _attributes(
    file: LargeFile, kept: Mapping[str, Stated], spans: list[tuple[int, int]], engine: Engine
) -> dict[str, Attribute]:
    """Return the columns with the categories of the whole file."""
    import pyarrow as pa

    listed = {name for name, s in kept.items() if not s.continuous(file.schema.field(name).type)}
    lists: dict[str, Any] = {}
    if listed:
        tasks = [(file, sorted(listed), span) for span in spans]
        for values_by_column in engine.map(_categories, tasks, "listing categories"):
            for name, values in values_by_column.items():
                both = [lists[name], values] if name in lists else [values]
                lists[name] = pa.concat_arrays(both).unique()
                if len(lists[name]) > MOST_CATEGORIES:
                    raise DataError(
                        f"column '{name}' has more than {MOST_CATEGORIES:,} different values, too "
                        "many for categories; drop it with the role identifier, or give it the "
                        "kind continuous if it holds numbers"
                    )
    _refuse_forms({name: lists[name] for name in lists if kept[name].kind is None}, kept)
    attributes = {}
    for name, s in kept.items():
        type_ = file.schema.field(name).type
        refuse_unmeasurable(type_, s.role, name)
        if name in lists:
            values = lists[name].drop_null()
            array = values
            if pa.types.is_dictionary(type_) and not opaque(type_):
                places = pa.array(np.arange(len(values)), pa.int32())
                array = pa.DictionaryArray.from_arrays(places, values, ordered=type_.ordered)
        else:
            array = pa.array([], type_)
        attributes[name] = column_of(array, name, s.role, s.kind, s.declared, True).attribute
    return attributes


def _refuse_forms(lists: Mapping[str, Any], kept: Mapping[str, Stated]) -> None:
    """Refuse dates and amounts that are kept as text where that matters for the outcome.

    In memory they are read as dates and amounts; as categories the release would be different.
    """
    import pyarrow as pa

    texts = {
        name: pa.chunked_array([values.cast(pa.string())])
        for name, values in lists.items()
        if values.type in (pa.string(), pa.large_string())
        and kept[name].role in (Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL)
    }
    for name, (form, _) in forms_in(texts).items():
        quantities = "dates" if isinstance(form, DateForm) else "amounts"
        raise DataError(
            f"column '{name}' holds {quantities} as text ({form.described}), which are read as "
            f"{quantities} in memory only; store them in a type of their own (in a query, cast "
            "them), state the kind nominal for categories, or allow more memory"
        )


def _categories(task: tuple[LargeFile, list[str], tuple[int, int]]) -> dict[str, Any]:
    """Return the different values of some columns in some rows, in the order they occur."""
    import pyarrow as pa

    file, names, (first, last) = task
    distinct: dict[str, Any] = {}
    for _, table in file.tables(names, first, last):
        for name in names:
            column = table.column(name)
            if opaque(column.type):
                values = in_words(column, name).unique()
            elif pa.types.is_dictionary(column.type):
                values = pa.concat_arrays([chunk.dictionary for chunk in column.chunks]).unique()
            else:
                values = column.unique()
            both = [distinct[name], values] if name in distinct else [values]
            distinct[name] = pa.concat_arrays(both).unique()
    return distinct


Task = tuple[
    LargeFile,
    Mapping[str, Stated],
    Mapping[str, Attribute],
    Mapping[str, str],
    Path,
    tuple[int, int],
]


def _store_rows(task: Task) -> tuple[dict[str, int | None], set[str]]:
    """Store some rows; return the decimals of columns, and which hold one value in two forms."""
    import narwhals as nw

    file, kept, attributes, files, work, (start, end) = task
    decimals: dict[str, int | None] = {}
    doubled: set[str] = set()
    for first, table in file.tables(list(kept), start, end):
        frame = nw.from_native(table, eager_only=True)
        for name, s in kept.items():
            array = table.column(name).combine_chunks()
            column = encoded_column(array, attributes[name], s)
            write_slice(work / files[name], column.values, first)
            if column.attribute.continuous and decimals.get(name, 0) is not None:
                digits = decimals_in(column)
                before = decimals.get(name) or 0
                decimals[name] = None if digits is None else min(MOST, max(before, digits))
            if written_in_two_ways(frame[name], array, s.role):
                doubled.add(name)
    return decimals, doubled


def encoded_column(array: Any, attribute: Attribute, stated: Stated) -> Column:
    """Return an array as a column with the categories of the whole file."""
    import pyarrow as pa

    if attribute.continuous:
        return column_of(array, attribute.name, stated.role, stated.kind, stated.declared, False)
    if opaque(array.type):
        array = in_words(array, attribute.name)
    elif pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    order = {category: code for code, category in enumerate(attribute.categories)}
    encoded = encoded_once(array)
    places = [order.get(value, -1) for value in encoded.dictionary.to_pylist()]
    codes = encoded.indices.fill_null(len(places)).to_numpy(zero_copy_only=False)
    return Column(attribute, np.array([*places, -1], dtype=np.int32)[codes])
