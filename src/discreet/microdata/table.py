"""Microdata: the only table type inside discreet, immutable, made of NumPy arrays.

A continuous column is a float64 array with NaN for missing. An ordinal or nominal column is an
int32 array of codes into its attribute's categories, with -1 for missing. Frames are converted to
this once, at the edge (`discreet.io.frames`), and back when the user asks for the release.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import UsageError
from discreet.microdata.decoding import Decoding
from discreet.microdata.notebook import html_table
from discreet.microdata.schema import Attribute, Kind, Role, Schema
from discreet.microdata.unknown_column import unknown_column

MISSING_CODE = -1
FIRST_LOOK = 1_000
"""Columns that differ usually do so among these first values."""


@dataclass(frozen=True, eq=False)
class Column:
    """An attribute with its values, which cannot be written to."""

    attribute: Attribute
    values: NDArray[Any]

    def __post_init__(self) -> None:
        dtype = np.float64 if self.attribute.continuous else np.int32
        values = np.ascontiguousarray(self.values, dtype=dtype)
        if self.attribute.continuous:
            zero = values == 0
            if zero.any() and np.signbit(values[zero]).any():
                # −0 and 0 are one number, but they are written differently.
                values = np.where(zero, 0.0, values)
        if values.flags.writeable or values.base is not None:
            # The caller's array is copied rather than locked; a locked view may still be written
            # to through its base.
            shared = values is self.values or values.base is not None
            values = values.copy() if shared else values
            values.flags.writeable = False
        object.__setattr__(self, "values", values)

    @classmethod
    def over(cls, attribute: Attribute, values: NDArray[Any]) -> Column:
        """Return a column over values that nothing can change any more, without a copy."""
        column = object.__new__(cls)
        object.__setattr__(column, "attribute", attribute)
        object.__setattr__(column, "values", values)
        return column

    @property
    def name(self) -> str:
        """The column's name."""
        return self.attribute.name

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which records have no value here."""
        if self.attribute.continuous:
            return np.asarray(np.isnan(self.values))
        return np.asarray(self.values == MISSING_CODE)

    def with_values(self, values: NDArray[Any]) -> Column:
        """Return the column with other values of the same kind."""
        return Column(self.attribute, values)

    def recoded(
        self,
        values: NDArray[Any],
        kind: Kind,
        categories: Iterable[Any] = (),
        decoding: Decoding | None = None,
    ) -> Column:
        """Return the column on another scale: new codes into new categories, or numbers."""
        return Column(self.attribute.recoded(kind, categories, decoding), values)

    def same_as(self, other: Column) -> bool:
        """Whether both hold the same values on the same scale."""
        return (
            self.attribute.kind is other.attribute.kind
            and self.attribute.categories == other.attribute.categories
            and (
                self.values is other.values
                or (
                    _equal(self.values[:FIRST_LOOK], other.values[:FIRST_LOOK])
                    and _equal(self.values, other.values)
                )
            )
        )


@dataclass(frozen=True)
class Source:
    """Where the columns came from, so that unchanged ones are returned exactly as they were.

    `frame` is the narwhals frame over the user's; `rows` picks its rows in the current order. For
    a file, `format` says how it was written, `path` where it is, and `notes` what was detected
    about it. `joined` says how several files became one table (`discreet.io.joining`). Where
    `partial`, the frame has the cells of some records only, for exploration. `types` keeps the
    types of columns of the frame that were asked for (`discreet.microdata.dates`).
    """

    frame: Any
    rows: NDArray[np.int64] | None = None
    changed: frozenset[str] = frozenset()
    format: Any = None
    path: Path | None = None
    notes: tuple[str, ...] = ()
    codes: Mapping[str, Any] = field(default_factory=dict)
    joined: Any = None
    partial: bool = False
    types: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def take(self, rows: NDArray[np.int64]) -> Source:
        """Follow a choice of rows."""
        return replace(self, rows=rows if self.rows is None else self.rows[rows])

    def touch(self, names: Iterable[str]) -> Source:
        """Remember that these columns are no longer those of the file."""
        return replace(self, changed=self.changed | frozenset(names))


class Microdata:
    """An immutable table of records with its schema.

    >>> import discreet
    >>> data = discreet.read({"age": [31, 47, 52], "city": ["Ayle", "Bron", "Ayle"]},
    ...                      roles={"age": "quasi-identifier"})
    >>> data
    Microdata(3 records; age: quasi-identifier, continuous; city: other, nominal)
    >>> data["age"]
    array([31., 47., 52.])
    >>> data.schema["city"].categories
    ('Ayle', 'Bron')
    """

    __slots__ = ("_columns", "_results", "_rows", "_schema", "_source")

    def __init__(
        self, columns: Iterable[Column], source: Source | None = None, rows: int | None = None
    ) -> None:
        """Make a table of columns; `rows` says how many records a table without columns has."""
        self._columns = {column.name: column for column in columns}
        self._schema = Schema(column.attribute for column in self._columns.values())
        self._source = source
        lengths = {len(column.values) for column in self._columns.values()}
        lengths |= set() if rows is None else {rows}
        if len(lengths) > 1:
            raise ValueError(
                f"the columns of a table must have one length, but they have {sorted(lengths)}"
            )
        self._rows = next(iter(lengths), 0)
        # Only `discreet.microdata.lasting` keeps results for a table, and only if asked to.
        self._results: dict[Hashable, tuple[Hashable, Any]] | None = None

    @property
    def schema(self) -> Schema:
        """What each column is."""
        return self._schema

    @property
    def source(self) -> Source | None:
        """Where the columns came from."""
        return self._source

    def __len__(self) -> int:
        return self._rows

    def __iter__(self) -> Iterator[Column]:
        return iter(self._columns.values())

    def __repr__(self) -> str:
        columns = "; ".join(f"{a.name}: {a.role}, {a.kind}" for a in self.schema)
        return f"Microdata({len(self)} records; {columns})"

    def _repr_html_(self) -> str:
        rows = ((a.name, a.role, a.kind, len(a.categories) or "") for a in self.schema)
        head = ("column", "role", "kind", "categories")
        return html_table(f"Microdata: {len(self):,} records", head, rows)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.column(name).values

    def column(self, name: str) -> Column:
        """Return one column; if there is none of that name, raise an error that lists the
        columns.
        """
        if name not in self._columns:
            raise UsageError(unknown_column(name, self._columns))
        return self._columns[name]

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """The columns that an intruder may know from elsewhere."""
        return self.schema.quasi_identifiers

    def matrix(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Return continuous columns side by side, one row per record."""
        if not names:
            return np.empty((len(self), 0))
        return np.column_stack([self[name].astype(np.float64, copy=False) for name in names])

    def replace(self, columns: Iterable[Column]) -> Microdata:
        """Return a table in which these columns replace those of the same name."""
        new = {column.name: column for column in columns}
        changed = [name for name, column in new.items() if not column.same_as(self.column(name))]
        merged = (new.get(column.name, column) for column in self)
        return Microdata(merged, self.source.touch(changed) if self.source else None)

    def take(self, rows: NDArray[np.int64]) -> Microdata:
        """Return a table of these records, in this order."""
        rows = np.asarray(rows, dtype=np.int64)
        columns = [Column.over(column.attribute, _locked(column.values[rows])) for column in self]
        return Microdata(columns, self.source.take(rows) if self.source else None, len(rows))

    def stretch(self, start: int, stop: int) -> Microdata:
        """Return a table of the records from one row up to another, without copying them.

        >>> import discreet
        >>> discreet.read({"age": [31, 47, 52]}).stretch(1, 3)["age"]
        array([47., 52.])
        """
        columns = [Column.over(column.attribute, column.values[start:stop]) for column in self]
        source = self.source.take(np.arange(start, stop)) if self.source else None
        return Microdata(columns, source, stop - start)

    @property
    def rows_read(self) -> NDArray[np.int64]:
        """The row of each record in the file or frame that was read, counted from 0."""
        if self.source is None or self.source.rows is None:
            return np.arange(len(self))
        return self.source.rows

    def drop(self, names: Iterable[str]) -> Microdata:
        """Return a table without these columns."""
        gone = set(names)
        if not gone and self._results is not None:
            # Nothing changes, so the results that the table keeps still hold.
            return self
        return Microdata([c for c in self if c.name not in gone], self.source, len(self))

    def with_attributes(self, attributes: Iterable[Attribute]) -> Microdata:
        """Return the same values under other roles; the kinds must be the same."""
        new = {attribute.name: attribute for attribute in attributes}
        return Microdata(
            [Column.over(new[c.name], c.values) if c.name in new else c for c in self], self.source
        )

    def having(self, *roles: Role) -> tuple[str, ...]:
        """Return the names of the columns with one of these roles."""
        return self.schema.having(*roles)

    def frame(self) -> Any:
        """Return the records as the kind of frame they came from (pyarrow if from a file)."""
        from discreet.io.frames import to_native

        return to_native(self)


def _equal(first: NDArray[Any], second: NDArray[Any]) -> bool:
    """Whether two arrays have the same values; NaN is one value."""
    if first.shape != second.shape:
        return False
    at = np.flatnonzero(first != second)
    return not len(at) or bool((np.isnan(first[at]) & np.isnan(second[at])).all())


def _locked(values: NDArray[Any]) -> NDArray[Any]:
    """Return an array that nothing else refers to, so that nothing can write to it."""
    values.flags.writeable = False
    return values
