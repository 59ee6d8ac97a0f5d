"""The cells of a released file with the manifest's description of its columns, ready to be
counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.publishing.cell_meanings import (
    MISSING,
    Ints,
    Writing,
    holds_numbers,
    meant,
    plain_number,
    texts_of,
    written,
)

if TYPE_CHECKING:
    import pyarrow as pa


MOST = 2**62
"""Keys are joined into one number as long as it stays below this."""


NO_KEYS = "no released column is a quasi-identifier"


class NotCountable(Exception):
    """A figure that cannot be computed from this file and its manifest; the message says why."""


@dataclass(frozen=True)
class ReleasedColumn:
    """What a manifest says about a column."""

    name: str
    role: str
    writing: Writing
    unit: bool | None = None


def unit_key(columns: Mapping[str, ReleasedColumn]) -> str | None:
    """Return the key by which claims count; None if they count records.

    >>> from discreet.publishing.cell_meanings import Writing
    >>> for unit in (None, True, False):
    ...     unit_key({"hid": ReleasedColumn("hid", "household", Writing("nominal"), unit)})
    'hid'
    """
    chosen = [name for name, column in columns.items() if column.unit]
    return chosen[0] if chosen else person_key(columns)


def person_key(columns: Mapping[str, ReleasedColumn]) -> str | None:
    """Return the key of the persons that risks are about; None if each record is one.

    An early manifest does not say of persons whether they are counted: they always were.
    """
    counted = any(column.unit for column in columns.values())
    persons = [n for n, c in columns.items() if c.role == "person"]
    return next((n for n in persons if counted or columns[n].unit is None), None)


class Cells:
    """The cells of a released file, and what its columns are.

    `risks_of_units` says that the individual risk is of what claims count, as early releases had
    it, and not of persons.
    """

    def __init__(
        self,
        table: pa.Table,
        columns: Sequence[ReleasedColumn],
        risks_of_units: bool = False,
    ) -> None:
        self.table, self.risks_of_units = table, risks_of_units
        self.columns = {column.name: column for column in columns}
        self._values: dict[str, tuple[Ints, int]] = {}
        self._numbers: dict[str, Ints] = {}
        self.risks: NDArray[np.float64] | None = None

    def having(self, role: str) -> list[str]:
        """Return the names of the columns with a role."""
        return [name for name, column in self.columns.items() if column.role == role]

    def alike(self, leave_out: str | None = None) -> Ints:
        """Return a number for each record; records that look alike have the same number."""
        if leave_out not in self.having("quasi-identifier"):
            return self.classes
        return self._alike(leave_out)

    def _alike(self, leave_out: str | None) -> Ints:
        known = [name for name in self.having("quasi-identifier") if name != leave_out]
        if not known:
            raise NotCountable(NO_KEYS)
        if not self.table.num_rows:
            raise NotCountable("the release has no records")
        return grouped(written(self.table.column(name)) for name in known)

    @cached_property
    def classes(self) -> Ints:
        """The classes of records that agree in all quasi-identifiers, a number for each record."""
        return self._alike(None)

    @cached_property
    def units(self) -> Ints | None:
        """The person or household of each record, if claims count these; None if they count
        records.
        """
        return self._numbered(unit_key(self.columns))

    @cached_property
    def people(self) -> Ints | None:
        """The person of each record, if risks are about persons with several; None if each record
        is one.
        """
        return self.units if self.risks_of_units else self._numbered(person_key(self.columns))

    def _numbered(self, key: str | None) -> Ints | None:
        return None if key is None else self.numbered_by(key)

    @property
    def counts(self) -> str:
        """What claims count: records, persons or households, as one of them is called."""
        key = unit_key(self.columns)
        return "record" if key is None else self.columns[key].role

    def numbered_by(self, key: str) -> Ints:
        """Return a number for each record by its key; a record without a key has its own."""
        if key not in self._numbers:
            numbers = written(self.table.column(key))
            gone = numbers == MISSING
            if gone.any():
                numbers = grouped([numbers, np.where(gone, np.arange(len(numbers)), MISSING)])
            self._numbers[key] = numbers
        return self._numbers[key]

    @cached_property
    def class_sizes(self) -> Ints:
        """How many records each class has, or how many persons or households."""
        return self.different(self.units)

    def different(self, units: Ints | None) -> Ints:
        """Return how many different units each class has; without any, how many records."""
        if units is None:
            return np.bincount(self.classes)
        pairs = self._pairs if units is self.units else grouped([self.classes, units])
        return np.bincount(self.classes[firsts(pairs)])

    @cached_property
    def _pairs(self) -> Ints:
        """A number for each record, by its class and its unit; without units, by its class."""
        return self.classes if self.units is None else grouped([self.classes, self.units])

    @cached_property
    def class_records(self) -> Ints:
        """How many records each class has, whatever claims count."""
        return np.bincount(self.classes)

    def once(self, classes: Ints, values: Ints) -> tuple[Ints, Ints]:
        """Return classes and values with each value once for every unit that has it in a class."""
        if self.units is None:
            return classes, values
        pairs = self._pairs if classes is self.classes else grouped([classes, self.units])
        # Only a unit with several records in a class may have a value there twice.
        several = np.flatnonzero(np.bincount(pairs)[pairs] > 1)
        counts = np.ones(len(pairs), dtype=bool)
        counts[several] = firsts(grouped([pairs[several], values[several]]))
        return classes[counts], values[counts]

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Return a column of numbers."""
        writing = self.columns[name].writing
        if holds_numbers(self.table.column(name)) and not writing.codes:
            return np.asarray(self.table.column(name).to_numpy(), dtype=np.float64)
        texts = texts_of(self.table.column(name).combine_chunks())
        try:
            plain = ("nan" if text in {None, *writing.codes} else str(text) for text in texts)
            return np.array([float(plain_number(text, writing)) for text in plain])
        except ValueError:
            raise NotCountable(f"column '{name}' does not hold numbers") from None

    def values(self, name: str) -> tuple[Ints, int]:
        """Return a column's values as codes from 0, -1 for missing, and the number of codes."""
        if name not in self.columns:
            raise NotCountable(f"the confidential column '{name}' was not released")
        try:
            if name not in self._values:
                self._values[name] = meant(self.table.column(name), self.columns[name].writing)
            return self._values[name]
        except DataError as error:
            raise DataError(f"column '{name}' does not match its manifest: {error}") from None


def grouped(keys: Iterable[Ints]) -> Ints:
    """Return a number for each record; records with the same keys have the same number.

    >>> grouped([np.array([5, 5, 7]), np.array([1, 1, 1])]).tolist()
    [0, 0, 1]
    """
    labels, count = np.zeros(1, dtype=np.int64), 1
    for key in keys:
        low = int(key.min(initial=MISSING))
        width = int(key.max(initial=MISSING)) - low + 1
        if count * width >= MOST:
            labels, count = _numbered(labels)
        labels = labels * width + (key - low)
        count *= width
    return _numbered(labels)[0]


def firsts(labels: Ints) -> NDArray[np.bool_]:
    """Return which records are the first with their number, as `grouped` numbers them.

    >>> firsts(grouped([np.array([5, 5, 7, 5])])).tolist()
    [True, False, True, False]
    """
    return np.diff(np.maximum.accumulate(labels), prepend=-1) > 0


def _numbered(labels: Ints) -> tuple[Ints, int]:
    """Return the labels numbered in the order in which they first occur, and how many there are."""
    import pyarrow as pa

    encoded = pa.array(labels).dictionary_encode()
    return encoded.indices.to_numpy().astype(np.int64), len(encoded.dictionary)
