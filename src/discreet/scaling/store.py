"""The store: the columns of a large file as plain arrays on disk, read in slices.

A continuous column is a file of floats, another one a file of codes, as in `Microdata`. A step adds
files and changes none; a store only says which file belongs to which column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import STRETCH
from discreet.errors import DataError
from discreet.microdata import Attribute, Column, Microdata, Source
from discreet.scaling.keys import Key

if TYPE_CHECKING:
    import pyarrow as pa

BYTES = 18
"""Bytes of memory for a value while its rows are read, treated and written."""
MOST_STRETCHES = 32


@dataclass(frozen=True, eq=False)
class Store:
    """Which columns there are, and in which file of the folder each is.

    `types` is the Arrow schema of the file that was read, `changed` the columns that differ from
    it, `decimals` how many decimals the numbers of a column had, `memory` how many bytes records
    may take at once. `origin` is the file that says which row of the file that was read each record
    came from, −1 for none; it is empty if they are its rows in order. `keys` are the columns that
    number households; their attributes have no categories.
    """

    folder: Path
    rows: int
    attributes: Mapping[str, Attribute]
    files: Mapping[str, str]
    types: pa.Schema
    memory: int
    changed: frozenset[str] = frozenset()
    decimals: Mapping[str, int | None] = field(default_factory=dict)
    origin: str = ""
    keys: Mapping[str, Key] = field(default_factory=dict)

    def __len__(self) -> int:
        return self.rows

    @property
    def head(self) -> Microdata:
        """The columns without any record."""
        return self.table(self.attributes, 0, 0)

    def values(self, name: str, first: int, last: int) -> NDArray[Any]:
        """Return the values of a column from row `first` to before row `last`."""
        kind = self._type(name)
        path = self.folder / self.files[name]
        return np.fromfile(path, kind, last - first, offset=first * kind.itemsize)

    def file_rows(self, first: int, last: int) -> NDArray[np.int64]:
        """Return the rows of the file read that the records from row `first` on came from."""
        if not self.origin:
            return np.arange(first, last)
        return np.fromfile(self.folder / self.origin, np.int64, last - first, offset=8 * first)

    def table(self, names: Iterable[str], first: int, last: int) -> Microdata:
        """Return some columns of some rows."""
        columns = [Column(self.attributes[n], self.values(n, first, last)) for n in names]
        return Microdata(columns, self._source(), last - first)

    def named(self, table: Microdata) -> Microdata:
        """Return some rows with the numbers of their households as they are released."""
        return table.replace(
            key.column(table.column(name))
            for name, key in self.keys.items()
            if name in table.schema
        )

    def rows_of(self, names: Sequence[str], rows: NDArray[np.int64]) -> list[NDArray[Any]]:
        """Return columns of some rows, given in ascending order."""
        columns = []
        for name in names:
            values = picked(partial(self.values, name), rows, self.rows)
            columns.append(np.concatenate([*values, np.zeros(0, self._type(name))]))
        return columns

    def pieces(self, names: Sequence[str]) -> Iterator[Microdata]:
        """Yield these columns in pieces of `STRETCH` records, in the order of the file."""
        for first in range(0, self.rows, STRETCH):
            yield self.table(names, first, min(first + STRETCH, self.rows))

    def combinations(self, names: Sequence[str]) -> tuple[Microdata, NDArray[np.int64]]:
        """Return the different combinations of values, as they first occur, and how often each."""
        from discreet.scaling.counting import combinations

        values, times = combinations(self, names)
        columns = [Column(self.attributes[n], v) for n, v in zip(names, values, strict=True)]
        return Microdata(columns, self._source()), times

    def require(self, bytes_: int, purpose: str) -> None:
        """Raise an error if this many bytes are more than records may take at once."""
        if bytes_ > self.memory:
            raise DataError(
                f"{purpose} needs about {bytes_ / 1e9:.1f} GB, which is more than --memory allows; "
                "recode numbers to intervals and join categories in an earlier step, treat fewer "
                "columns, or allow more memory"
            )

    def with_columns(self, attributes: Iterable[Attribute], files: Mapping[str, str]) -> Store:
        """Return the store with other files for some of its columns."""
        new = {attribute.name: attribute for attribute in attributes}
        return replace(
            self,
            attributes={**self.attributes, **new},
            files={**self.files, **files},
            changed=self.changed | new.keys(),
        )

    def tasks(self) -> list[tuple[int, int]]:
        """Return the rows of each task."""
        return task_slices(self.rows, len(self.files), self.memory)

    def reserve(self, files: Mapping[str, str]) -> None:
        """Make new files for columns, or fail now if the disk has no room for them."""
        for name, target in files.items():
            reserve(self.folder / target, self.rows * self._type(name).itemsize)

    def _type(self, name: str) -> np.dtype[Any]:
        return np.dtype(np.float64 if self.attributes[name].continuous else np.int32)

    def _source(self) -> Source:
        """Return where the columns came from, as far as their types go."""
        import narwhals as nw

        empty = self.types.empty_table()
        return Source(nw.from_native(empty, eager_only=True)).touch(self.changed)


def picked(
    read: Callable[[int, int], NDArray[Any]], rows: NDArray[np.int64], count: int
) -> list[NDArray[Any]]:
    """Return what some of `count` rows have, given in ascending order; `read` reads a slice.

    >>> picked(lambda first, last: np.arange(first, last) * 10, np.array([1, 4]), 6)
    [array([10, 40])]
    """
    taken = []
    for first, last in slices(count):
        in_slice = rows[np.searchsorted(rows, first) : np.searchsorted(rows, last)]
        if len(in_slice):
            taken.append(read(first, last)[in_slice - first])
    return taken


def differs(before: Store, after: Store, name: str) -> bool:
    """Whether a column has another scale or other values than before."""
    old, new = before.attributes[name], after.attributes[name]
    if (old.kind, old.categories) != (new.kind, new.categories):
        return True
    continuous = old.continuous
    return before.files[name] != after.files[name] and not all(
        np.array_equal(before.values(name, *span), after.values(name, *span), equal_nan=continuous)
        for span in slices(len(before))
    )


def slices(rows: int, size: int = 4 * STRETCH) -> list[tuple[int, int]]:
    """Return the first row and the row after the last of each slice.

    >>> slices(5, 2)
    [(0, 2), (2, 4), (4, 5)]
    """
    return [(first, min(first + size, rows)) for first in range(0, rows, size)]


def task_slices(rows: int, columns: int, memory: int) -> list[tuple[int, int]]:
    """Return the rows of each task, so few that a task needs a quarter of the memory.

    >>> task_slices(3_000_000, 10, 1_600_000_000)
    [(0, 2097152), (2097152, 3000000)]
    """
    most = memory // 4 // (BYTES * max(1, columns)) // STRETCH
    return slices(rows, min(MOST_STRETCHES, max(1, most)) * STRETCH)


def reserve(path: Path, bytes_: int) -> None:
    """Make a file of this size in bytes, or fail now if the disk has no room for it."""
    import os

    with path.open("wb") as file:
        if hasattr(os, "posix_fallocate") and bytes_:
            os.posix_fallocate(file.fileno(), 0, bytes_)
        else:
            file.truncate(bytes_)


def write_slice(path: Path, values: NDArray[Any], first: int) -> None:
    """Write values into a reserved file, from row `first` on."""
    with path.open("r+b") as file:
        file.seek(first * values.dtype.itemsize)
        values.tofile(file)
