"""What is measured on a sample of a large file: whole classes, so that nobody looks unique.

A sample of single records would take members out of their classes, and those left would look
unique. So whole classes of records that look alike in the release are sampled; if the classes are
large, single records serve as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import NO_ORIGIN, Context, Groups
from discreet.microdata import Column, Microdata, Role, Source
from discreet.scaling.stepped import Stepped, group_labels
from discreet.scaling.store import Store, picked, slices
from discreet.scaling.writing_parts import Outgoing

SAMPLE = 20_000
"""The approximate number of sampled records."""
LARGE_CLASS = 200
"""Classes of more records on average are not sampled whole."""
NO_ROWS = np.zeros(0, dtype=np.int64)
AT_MOST = 4
"""A sample of whole classes may be at most this many times as large."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Some records before and after, in the order of the file.

    `rows` are those of the originals in the file, and `origin` has the place of its original for
    each released record. Records that a step left out are among the originals, as many of them as
    of the others. `control` are as many of those that were held back, without their households.
    """

    rows: NDArray[np.int64]
    origin: NDArray[np.int64]
    original: Microdata
    released: Microdata
    groups: Groups | None
    whole_classes: bool
    control: Microdata | None = None

    @cached_property
    def measured(self) -> tuple[Microdata, Microdata]:
        """What is measured: the records without their households, of which only some are there."""
        keys = self.original.having(Role.HOUSEHOLD, Role.PERSON)
        return self.original.drop(keys), self.released.drop(keys)

    @property
    def described(self) -> str:
        """What it is, in a few words."""
        how = "whole classes" if self.whole_classes else "single records"
        return f"a random sample of {len(self.origin):,} records ({how})"


def sampled(
    work: Outgoing, mean_class: float, context: Context, control: Store | None = None
) -> Sample:
    """Draw the sample from the release as it was written, and from those held back (`control`)."""
    released, rng = work.released, context.generator("sample")
    secret = rng.integers(2**63, dtype=np.uint64)
    known = [n for n in released.files if n in released.head.quasi_identifiers]
    every = max(1, -(-len(released) // SAMPLE))
    # Values that were drawn for a group differ within it: there the groups are sampled whole.
    drawn = bool(work.state.labels and work.state.drawn_columns)
    whole = drawn or (bool(known) and mean_class <= LARGE_CLASS)
    keys = [] if drawn or not whole else known
    rows = _chosen(released, keys, secret, every, work.state if drawn else None)
    if len(rows) > AT_MOST * SAMPLE and every > 1:
        whole, rows = False, _chosen(released, [], secret, every)
    of_file = np.concatenate([*picked(released.file_rows, rows, len(released)), NO_ROWS])
    original_rows, origin = rows, np.arange(len(rows))
    if released.origin != work.original.origin:
        original_rows, origin = _originals(work, of_file, secret, every)
    file_rows = np.concatenate(
        [*picked(work.original.file_rows, original_rows, len(work.original)), NO_ROWS]
    )
    source = Source(_frame(work, file_rows), format=work.file.format, path=work.file.path,
                    notes=work.file.notes)  # fmt: skip
    original = _table(work.original, original_rows, source)
    of_released = source if original_rows is rows else source.take(np.maximum(origin, 0))
    after = _table(released, rows, of_released.touch(released.changed))
    groups = _groups(work, rows, after)
    if groups is not None:
        groups = groups.seen_from(origin, len(original_rows))
    held = None if control is None else _control(work, control, secret, every)
    return Sample(file_rows, origin, original, after, groups, whole, held)


def _control(work: Outgoing, control: Store, secret: np.uint64, every: int) -> Microdata:
    """Return one in `every` of the records that were held back."""
    rows = _chosen(control, [], secret, every)
    file_rows = np.concatenate([*picked(control.file_rows, rows, len(control)), NO_ROWS])
    source = Source(_frame(work, file_rows), format=work.file.format, path=work.file.path)
    return _table(control, rows, source).drop(list(control.keys))


def _originals(
    work: Outgoing, of_file: NDArray[np.int64], secret: np.uint64, every: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows of the original, and the place among them of each sampled record's original.

    They are the originals of the sampled records, and one in `every` of those left out.
    """
    original, released = work.original, work.released
    of_sample = of_file[of_file >= 0]
    if original.origin:
        of_sample = np.searchsorted(_mapped(original), of_sample)
    others = _chosen(original, [], secret, every)
    rows_there = np.concatenate([*picked(original.file_rows, others, len(original)), NO_ROWS])
    kept = _mapped(released)
    at = np.searchsorted(kept, rows_there)
    is_kept = np.asarray(kept[np.minimum(at, len(kept) - 1)] == rows_there)
    rows = np.union1d(of_sample, others[~is_kept])
    origin = np.full(len(of_file), NO_ORIGIN)
    origin[of_file >= 0] = np.searchsorted(rows, of_sample)
    return rows, origin


def _mapped(store: Store) -> NDArray[np.int64]:
    """Return the rows of the file that the records of a store came from, as they are on disk."""
    return np.asarray(np.memmap(store.folder / store.origin, np.int64, "r"))


def _chosen(
    store: Store, names: list[str], secret: np.uint64, every: int, state: Stepped | None = None
) -> NDArray[np.int64]:
    """Return the rows that are drawn by a secret: by some columns, by group, or one by one."""
    chosen = [np.zeros(0, dtype=np.int64)]
    for first, last in slices(len(store)):
        mixed = np.full(last - first, secret)
        keys = [store.values(name, first, last).astype(np.float64) for name in names]
        # NaN has many forms, and −0 is 0.
        parts = [np.where(np.isnan(key), np.inf, key + 0.0).view(np.uint64) for key in keys]
        alone = np.arange(first, last) if state is None else group_labels(state, first, last)
        for part in parts or [alone.astype(np.uint64)]:
            mixed = _mixed(mixed ^ part)
        chosen.append(first + np.flatnonzero(mixed % np.uint64(every) == 0))
    return np.concatenate(chosen)


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return numbers with their bits mixed (the finaliser of SplitMix64, Steele et al. 2014)."""
    mixed = numbers + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))


def _table(store: Store, rows: NDArray[np.int64], source: Source) -> Microdata:
    names = list(store.files)
    columns = [
        Column(store.attributes[name], values)
        for name, values in zip(names, store.rows_of(names, rows), strict=True)
    ]
    return store.named(Microdata(columns, source))


def _frame(work: Outgoing, rows: NDArray[np.int64]) -> Any:
    """Return the sampled rows as they are in the file."""
    import narwhals as nw
    import pyarrow as pa

    tables = [pa.schema([work.file.schema.field(n) for n in work.original.files]).empty_table()]
    for first, table in work.file.tables(list(work.original.files)):
        begin, end = np.searchsorted(rows, [first, first + table.num_rows])
        tables.append(table.take(pa.array(rows[begin:end] - first)))
    table = pa.concat_tables(tables).unify_dictionaries().combine_chunks()
    return nw.from_native(table, eager_only=True)


def _groups(work: Outgoing, rows: NDArray[np.int64], released: Microdata) -> Groups | None:
    from discreet.microdata.equivalence import classes

    state = work.state
    if state.labels:
        parts = [
            group_labels(state, first, last)[
                rows[np.searchsorted(rows, first) : np.searchsorted(rows, last)] - first
            ]
            for first, last in slices(len(work.released))
        ]
        labels = np.unique(np.concatenate(parts), return_inverse=True)[1]
    elif state.alike:
        labels = classes(released, state.alike)
    else:
        return None
    return Groups(
        labels,
        state.least_size,
        dict(state.detail),
        drawn=state.drawn,
        drawn_columns=state.drawn_columns,
    )
