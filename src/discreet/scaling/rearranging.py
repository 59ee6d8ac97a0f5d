"""Methods that treat several columns together by their ranks, on a large file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Fitted, InOrder, Method
from discreet.contracts.rearranging import Making
from discreet.microdata import MISSING_CODE, Attribute, Column, Microdata
from discreet.scaling.engine import Engine
from discreet.scaling.in_order import PAIR, dealt_to_rows, sorted_column
from discreet.scaling.stepped import Stepped
from discreet.scaling.store import Store, differs, write_slice
from discreet.scaling.treating import treated


@dataclass(frozen=True, eq=False)
class SortableStore:
    """A store whose columns can be ranked; new files are in the folder `work`, and numbered."""

    store: Store
    step: Method
    context: Context
    engine: Engine
    work: Path
    numbers: Iterator[int]

    def __len__(self) -> int:
        return len(self.store)

    @property
    def head(self) -> Microdata:
        """The columns without any record."""
        return self.store.head

    def pieces(self, names: Sequence[str]) -> Iterator[Microdata]:
        """Yield these columns in pieces."""
        return self.store.pieces(names)

    def combinations(self, names: Sequence[str]) -> tuple[Microdata, NDArray[np.int64]]:
        """Return the distinct combinations of values, in order of appearance, and their counts."""
        return self.store.combinations(names)

    def require(self, bytes_: int, purpose: str) -> None:
        """Raise an error if this many bytes are more than records may take at once."""
        self.store.require(bytes_, purpose)

    def made(self, names: Sequence[str], make: Making) -> SortableStore:
        """Return the store with columns that are made of others, in one pass."""
        fitted = Fitted(tuple(names), _Made(make))
        title = f"scores: {self.step.spec.name}"
        after, _ = treated(self.store, fitted, self.context, self.engine, self._new(), title)
        return replace(self, store=after)

    def in_order(self, name: str, ties: np.random.Generator | None = None) -> InOrder:
        """Return the known values of a column in order."""
        folder = self.store.folder / self._new()
        folder.mkdir()
        return sorted_column(self.store, name, self.step, folder, ties)

    def handed_out(
        self, order: InOrder, values: Iterable[NDArray[Any]], attribute: Attribute
    ) -> SortableStore:
        """Return the store with a new column: values for the rows of an order."""
        folder = self.store.folder / self._new()
        folder.mkdir()
        file = self._new()
        after = self.store.with_columns([attribute], {attribute.name: file})
        after.reserve({attribute.name: file})
        kind = np.float64 if attribute.continuous else np.int32
        for path, first, last in dealt_to_rows(order, values, len(self.store), folder):
            new = np.full(last - first, np.nan if attribute.continuous else MISSING_CODE, kind)
            pairs = np.fromfile(path, PAIR)
            path.unlink()
            new[pairs["row"] - first] = pairs["value"]
            # As in memory, where columns have no signed zero.
            write_slice(self.store.folder / file, Column(attribute, new).values, first)
        folder.rmdir()
        return replace(self, store=after)

    def forget(self, names: Sequence[str]) -> None:
        """Free the space of these columns."""
        for name in names:
            (self.store.folder / self.store.files[name]).unlink()

    def _new(self) -> str:
        return f"{self.work.name}/{next(self.numbers):05d}"


@dataclass(frozen=True, eq=False)
class _Made:
    """Making columns as a treatment of rows."""

    make: Making

    def __call__(self, rows: Microdata, context: Context, first: int) -> Iterable[Column]:
        return self.make(rows, first)


def run_rearranged(
    store: Store, step: Method, context: Context, engine: Engine, label: str
) -> Stepped:
    """Return the store after a method that treats columns together by their ranks."""
    work = store.folder / label
    work.mkdir()
    quiet = Context(context.randomness, path=context.path)
    made = step.rearranged(SortableStore(store, step, quiet, engine, work, count()), quiet)
    assert isinstance(made.file, SortableStore)
    after = made.file.store
    changed = [name for name in made.names if differs(store, after, name)]
    files = {name: after.files[name] for name in changed}
    for path in work.iterdir():
        if f"{label}/{path.name}" not in files.values():
            path.unlink() if path.is_file() else path.rmdir()
    attributes = [after.attributes[name] for name in changed]
    return Stepped(store.with_columns(attributes, files), notes=made.notes)
