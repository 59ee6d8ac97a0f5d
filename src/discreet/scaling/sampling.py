"""What is measured on a sample of a large file: whole classes, so that nobody looks unique.

A sample of single records would take members out of their classes, and those left would look
unique. So whole classes of records that look alike in the release are sampled; if the classes are
large, single records serve as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Groups
from discreet.microdata import Column, Microdata, Source
from discreet.scaling.parts import Outgoing
from discreet.scaling.stepped import Stepped, group_labels
from discreet.scaling.store import Store, slices

SAMPLE = 20_000
"""The approximate number of sampled records."""
LARGE_CLASS = 200
"""Classes of more records on average are not sampled whole."""
AT_MOST = 4
"""A sample of whole classes may be at most this many times as large."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Some records before and after, in the order of the file."""

    rows: NDArray[np.int64]
    original: Microdata
    released: Microdata
    groups: Groups | None
    whole_classes: bool

    @property
    def described(self) -> str:
        """What it is, in a few words."""
        how = "whole classes" if self.whole_classes else "single records"
        return f"a random sample of {len(self.rows):,} records ({how})"


def sampled(work: Outgoing, mean_class: float, context: Context) -> Sample:
    """Draw the sample from the release as it was written."""
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
    source = Source(_frame(work, rows), format=work.file.format, path=work.file.path,
                    notes=work.file.notes)  # fmt: skip
    original = _table(work.original, rows, source)
    after = _table(released, rows, source.touch(released.changed))
    return Sample(rows, original, after, _groups(work, rows, after), whole)


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
    return Microdata(columns, source)


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
            for first, last in slices(len(work.original))
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
