"""Passes: how a method looks at a file that may be larger than memory.

A method that treats rows by what it learned from the whole file has a `Method.fit`, which reads the
file in passes, piece by piece, and returns how any of its rows are treated. The same method on a
table in memory gives the same values, bit for bit, because sums are taken over the same pieces in
the same order, and random numbers belong to stretches of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.claim import Claim
from discreet.contracts.context import Context
from discreet.microdata import Column, Microdata
from discreet.microdata.equivalence import numbered
from discreet.microdata.lasting import once
from discreet.microdata.numeric_coding import holds_whole_numbers

T = TypeVar("T")

STRETCH = 65_536
"""Number of rows that are summed at once, and that share a generator of random numbers."""


class Passes(Protocol):
    """A file that is read in passes."""

    def __len__(self) -> int:
        """Return the number of records."""
        ...

    @property
    def head(self) -> Microdata:
        """The columns without any record: their names, roles, kinds and types."""
        ...

    def pieces(self, names: Sequence[str]) -> Iterator[Microdata]:
        """Yield these columns in pieces of `STRETCH` records, in the order of the file."""
        ...

    def combinations(self, names: Sequence[str]) -> tuple[Microdata, NDArray[np.int64]]:
        """Return the distinct combinations of values, in order of appearance, and their counts."""
        ...

    def require(self, bytes_: int, purpose: str) -> None:
        """Raise an error if this many bytes are more than the work may use at once.

        `purpose` says what they are for, and begins the message.
        """
        ...


Keeping = Callable[[Microdata, Context, int], NDArray[np.int64]]
"""Chooses rows of a part of the table, given the context and the number of its first row."""
Treatment = Callable[[Microdata, Context, int], Iterable[Column]]
"""How rows are treated: a part of the table, the context, and the number of its first row."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """What a method learned from a whole file.

    `columns` are those that it reads, the ones that it changes among them. `alike` are the columns
    in which at least `least_size` records agree afterwards, if the method forms classes. `keep`
    chooses the rows that are released, if some are left out. `new` is the number of records that
    replace all of the file, if the method draws new ones; it is then given rows without columns.
    """

    columns: tuple[str, ...]
    treat: Treatment
    claims: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    least_size: int = 1
    keep: Keeping | None = None
    new: int | None = None


@dataclass(frozen=True, eq=False)
class InMemory:
    """A table in memory, read as a file would be.

    >>> import discreet
    >>> data = discreet.read({"sex": ["m", "f", "m"]})
    >>> table, times = InMemory(data).combinations(["sex"])
    >>> table["sex"], times
    (array([1, 0], dtype=int32), array([2, 1]))
    """

    data: Microdata

    def __len__(self) -> int:
        return len(self.data)

    @property
    def head(self) -> Microdata:
        """The columns without any record."""
        return self.data.take(np.zeros(0, dtype=np.int64))

    def pieces(self, names: Sequence[str]) -> Iterator[Microdata]:
        """Yield these columns in pieces."""
        gone = [name for name in self.data.schema.names if name not in names]
        kept = self.data.drop(gone)
        for start in range(0, len(kept), STRETCH):
            yield kept.stretch(start, min(start + STRETCH, len(kept)))

    def combinations(self, names: Sequence[str]) -> tuple[Microdata, NDArray[np.int64]]:
        """Return the distinct combinations of values, in order of appearance, and their counts."""
        first, times = first_of_combinations([self.data[name] for name in names])
        gone = [name for name in self.data.schema.names if name not in names]
        return self.data.drop(gone).take(first), times

    def require(self, bytes_: int, purpose: str) -> None:
        """Accept any number of bytes: a table in memory is limited by the machine alone."""


def once_of(file: Passes, key: Hashable, work: Callable[[], T], of: Hashable = None) -> T:
    """Return a result about a whole file; it is computed once if the file is a lasting table.

    >>> import discreet
    >>> once_of(InMemory(discreet.read({"age": [30, 41]})), "count", lambda: 2)
    2
    """
    return once(file.data, key, work, of) if isinstance(file, InMemory) else work()


def first_of_combinations(
    columns: Sequence[NDArray[np.generic]],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first row of each distinct combination, in order, and how often it occurs.

    >>> first_of_combinations([np.array([7, 5, 7]), np.array([1, 1, 1])])
    (array([0, 1]), array([2, 1]))
    """
    rows = len(columns[0])
    labels, count = np.zeros(rows, dtype=np.int64), min(rows, 1)
    for column in columns:
        numbers, width = _numbered_values(column)
        labels, count = numbered(labels * width + numbers, count * width)
    first = np.full(count, rows, dtype=np.int64)
    np.minimum.at(first, labels, np.arange(rows))
    order = np.argsort(first)
    return first[order], np.bincount(labels, minlength=count)[order]


def _numbered_values(column: NDArray[np.generic]) -> tuple[NDArray[np.int64], int]:
    """Return a number from 0 on for each value, and how many there are; 1 if there are none."""
    if column.dtype == np.int32:
        # The codes of categories are few, and need no sorting.
        codes = column.astype(np.int64)
        codes -= codes.min(initial=0)
        return codes, int(codes.max(initial=0)) + 1
    numbers = np.unique(column, return_inverse=True)[1]
    return numbers, int(numbers.max(initial=0)) + 1


def whole_columns(file: Passes, names: Sequence[str]) -> frozenset[str]:
    """Return which columns hold whole numbers only, in the whole file.

    >>> import discreet
    >>> data = discreet.read({"age": [30, None], "height": [1.7, 1.8]})
    >>> sorted(whole_columns(InMemory(data), ["age", "height"]))
    ['age']
    """
    whole = frozenset(names)
    for piece in file.pieces(sorted(whole)) if whole else ():
        whole = frozenset(n for n in whole if holds_whole_numbers(piece.column(n)))
    return whole


def in_stretches(
    context: Context,
    use: str,
    first: int,
    count: int,
    draw: Callable[[np.random.Generator, int], NDArray[np.float64]],
) -> NDArray[np.float64]:
    """Return random numbers for `count` rows from row `first` on, a multiple of `STRETCH`.

    They do not depend on which other rows numbers are drawn for: each stretch has its own
    generator. `draw` fills the rows in order.

    >>> context = Context()
    >>> normal = lambda rng, rows: rng.standard_normal((rows, 2))
    >>> whole = in_stretches(context, "noise", 0, STRETCH + 9, normal)
    >>> bool((whole[STRETCH:] == in_stretches(context, "noise", STRETCH, 9, normal)).all())
    True
    """
    parts = [
        draw(generator, rows.stop - rows.start)
        for rows, generator in stretches(context, use, first, count)
    ]
    return np.concatenate(parts) if parts else draw(context.generator(use), 0)


def of_stretch(context: Context, number: int) -> Context:
    """Return the context of the rows of a stretch; that of the first is the context itself."""
    return context if number == 0 else context.within("rows", number)


def stretches(
    context: Context, use: str, first: int, count: int
) -> Iterator[tuple[slice, np.random.Generator]]:
    """Yield the stretches of `count` rows from row `first` on, each with its own generator.

    >>> [(rows.start, rows.stop) for rows, _ in stretches(Context(), "noise", 0, STRETCH + 9)]
    [(0, 65536), (65536, 65545)]
    """
    for start in range(first, first + count, STRETCH):
        at = start - first
        part = of_stretch(context, start // STRETCH)
        yield slice(at, min(at + STRETCH, count)), part.generator(use)
