"""Some rows of a large file: they become a store of their own, in the order of the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.contracts.passes import Keeping
from discreet.scaling.engine import Engine
from discreet.scaling.store import Store, picked, reserve, slices, write_slice

PIECE = 100_000
"""Chosen rows that are copied at once."""


@dataclass(frozen=True, eq=False)
class _Choice:
    """What a task about some rows needs; the rows that it chooses are in the file `chosen`."""

    before: Store
    columns: tuple[str, ...]
    keep: Keeping
    context: Context
    span: tuple[int, int]
    chosen: str


@dataclass(frozen=True, eq=False)
class _Copy:
    """What a task about the rows in the file `chosen` needs; they begin at row `at` afterwards."""

    before: Store
    after: Store
    chosen: str
    at: int
    labels: str
    new_labels: str


def selected(
    store: Store,
    columns: Sequence[str],
    keep: Keeping,
    context: Context,
    engine: Engine,
    label: str,
    labels: str = "",
) -> tuple[Store, str]:
    """Return a store of the rows that are kept, and the file of their group labels.

    `keep` sees the columns; `label` begins the names of new files, and `labels` is the file of the
    labels of all rows, if there is one.
    """
    quiet = Context(context.randomness, path=context.path)
    spans = store.tasks()
    files = [f"{label}-chosen-{number:05d}" for number in range(len(spans))]
    tasks = [
        _Choice(store, tuple(columns), keep, quiet, span, file)
        for span, file in zip(spans, files, strict=True)
    ]
    counts = engine.map(_choose, tasks, "choosing records")
    rows = sum(counts)
    new = {name: f"{label}-kept-{place:04d}" for place, name in enumerate(store.files)}
    after = replace(store, rows=rows, files=new, origin=f"{label}-origin")
    after.reserve(new)
    new_labels = f"{label}-labels" if labels else ""
    for file in (after.origin, new_labels):
        if file:
            reserve(store.folder / file, 8 * rows)
    starts = np.cumsum([0, *counts])[:-1].tolist()
    copies = [
        _Copy(store, after, file, at, labels, new_labels)
        for file, at in zip(files, starts, strict=True)
    ]
    engine.map(_copy, copies, "keeping records")
    for file in files:
        (store.folder / file).unlink()
    return after, new_labels


def _choose(task: _Choice) -> int:
    """Write the rows that are kept to a file; return how many they are."""
    start, end = task.span
    chosen = [np.zeros(0, dtype=np.int64)]
    for offset, stop in slices(end - start):
        first, last = start + offset, start + stop
        rows = task.before.table(task.columns, first, last)
        chosen.append(first + task.keep(rows, task.context, first))
    every = np.concatenate(chosen)
    every.tofile(task.before.folder / task.chosen)
    return len(every)


def _copy(task: _Copy) -> None:
    """Write the values of chosen rows to the new files."""
    before, after = task.before, task.after
    rows = np.fromfile(before.folder / task.chosen, np.int64)
    for at in range(0, len(rows), PIECE):
        some = rows[at : at + PIECE]
        values = dict(zip(before.files, before.rows_of(list(before.files), some), strict=True))
        new = {after.files[name]: values[name] for name in before.files}
        new[after.origin] = np.concatenate(picked(before.file_rows, some, len(before)))
        if task.labels:
            read = partial(_labels, before.folder / task.labels)
            new[task.new_labels] = np.concatenate(picked(read, some, len(before)))
        for file, column in new.items():
            write_slice(after.folder / file, column, task.at + at)


def _labels(path: Path, first: int, last: int) -> NDArray[np.int64]:
    return np.fromfile(path, np.int64, last - first, offset=8 * first)
