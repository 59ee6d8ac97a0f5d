"""Microaggregation of a large file: cut along the data, then each part as in memory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Groups, Partition, Replacement
from discreet.errors import DataError
from discreet.microaggregation.blocks import (
    cut_into_blocks,
    largest_block,
    stretches,
    within_groups,
)
from discreet.microaggregation.grouping import PointPartition
from discreet.microdata import Attribute
from discreet.scaling.cutting import Cut, Leaf, cut_to_fit, fitted_embedding
from discreet.scaling.engine import Engine
from discreet.scaling.store import Store, reserve, write_slice

BYTES = 40
"""Bytes of memory for a number of a record while its part is grouped and replaced."""


@dataclass(frozen=True, eq=False)
class Grouped:
    """The store with replaced columns, the file of group labels, and how the groups were made."""

    store: Store
    labels: str
    detail: dict[str, Any]


@dataclass(frozen=True, eq=False)
class _Part:
    """What a task about one part needs."""

    cut: Cut
    leaf: Leaf
    number: int
    partition: PointPartition
    replacement: Replacement
    context: Context


@dataclass(frozen=True, eq=False)
class _Outcome:
    """The outcome of a part."""

    groups: int
    blocks: int
    within: float
    rise: float
    attributes: tuple[Attribute, ...]


def part_rows(memory: int, width: int, least: int) -> int:
    """Return how many records of `width` numbers a part may have, within the memory given."""
    return max(least, memory // (BYTES * width))


def microaggregated(
    store: Store,
    names: tuple[str, ...],
    partition: Partition,
    replacement: Replacement,
    context: Context,
    engine: Engine,
    label: str,
) -> Grouped:
    """Return the store with columns microaggregated in blocks; `label` names its new files."""
    assert isinstance(partition, PointPartition)
    assert partition.blocks is not None
    if len(store) < partition.k:
        raise DataError(
            f"{type(partition).__name__} with k = {partition.k} needs at least {partition.k} "
            f"records, but the data have {len(store)}; choose a smaller k or more records"
        )
    work = store.folder / label
    work.mkdir()
    cut = Cut(store, names, fitted_embedding(store, names, partition.scaling))
    most = part_rows(store.memory, cut.width, largest_block(partition.blocks, partition.k))
    leaves, scatter = cut_to_fit(cut, work, most, partition.k, engine.progress)
    # Workers draw nothing and show nothing.
    quiet = Context(context.randomness, path=context.path)
    parts = [
        _Part(cut, leaf, number, partition, replacement, quiet)
        for number, leaf in enumerate(leaves)
    ]
    done = engine.map(_group, parts, "grouping records in blocks")
    starts = np.cumsum([0, *(part.groups for part in done)])
    attributes = done[0].attributes
    files = {name: f"{label}-{place:04d}" for place, name in enumerate(names)}
    groups = f"{label}-groups"
    store.reserve(files)
    reserve(store.folder / groups, len(store) * 8)
    tasks = [(cut, leaves, starts, files, groups, span) for span in store.tasks()]
    engine.map(_merge, tasks, "putting records back in order")
    for leaf in leaves:
        for path in work.glob(f"{leaf.path.name}*"):
            path.unlink()
    blocks = sum(part.blocks for part in done)
    rises = [part.rise for part in done if part.blocks > 1]
    detail = {
        "blocks": blocks,
        "estimated rise of SSE through the cuts": float(
            np.mean(rises) * np.log2(blocks) if rises else 0.0
        ),
        "SSE/SST": sum(part.within for part in done) / scatter if scatter else 0.0,
    }
    return Grouped(store.with_columns(attributes, files), groups, detail)


def _group(part: _Part) -> _Outcome:
    """Group the records of a part, replace their values, and write both beside it."""
    path = part.leaf.path
    records = np.fromfile(path, np.float64).reshape(-1, part.cut.width)
    data, rows = part.cut.data(records), records[:, 0].astype(np.int64)
    del records
    nominal, k = part.cut.embedding.nominal, part.partition.k
    points = part.cut.embedding.coded(data)
    assert part.partition.blocks is not None
    blocks = cut_into_blocks(
        points, part.partition.blocks, k, nominal, part.cut.embedding.code_widths
    )
    order = np.concatenate(blocks)
    points = points[order]
    context = part.context.within("partition")
    labels, rise = part.partition.labelled(
        points, stretches(blocks), context, nominal, rise=part.number == 0
    )
    within = within_groups(points, labels, nominal)
    del points
    in_order = np.empty_like(labels)
    in_order[order] = labels
    groups = Groups(in_order, k)
    context = part.context.within("replacement")
    columns = part.replacement.replace(data, part.cut.names, groups, context)
    rows.tofile(beside(path, "rows"))
    in_order.tofile(beside(path, "labels"))
    for place, column in enumerate(columns):
        column.values.tofile(beside(path, str(place)))
    per_halving = rise / np.log2(len(blocks)) if len(blocks) > 1 else 0.0
    return _Outcome(
        groups.count, len(blocks), within, per_halving, tuple(c.attribute for c in columns)
    )


Merge = tuple[Cut, list[Leaf], NDArray[np.int64], dict[str, str], str, tuple[int, int]]


def _merge(task: Merge) -> None:
    """Write the outcome of all parts for some rows, in the order of the file."""
    cut, leaves, starts, files, groups, (first, last) = task
    folder = cut.store.folder
    labels = np.empty(last - first, dtype=np.int64)
    kinds = [np.float64 if cut.store.attributes[n].continuous else np.int32 for n in cut.names]
    columns: list[NDArray[Any]] = [np.empty(last - first, dtype=kind) for kind in kinds]
    for leaf, start in zip(leaves, starts, strict=False):
        rows = np.memmap(beside(leaf.path, "rows"), np.int64, "r")
        begin, end = np.searchsorted(rows, [first, last]).tolist()
        at = np.array(rows[begin:end]) - first
        labels[at] = start + read_beside(leaf.path, "labels", np.int64, begin, end)
        for place, column in enumerate(columns):
            column[at] = read_beside(leaf.path, str(place), column.dtype, begin, end)
    write_slice(folder / groups, labels, first)
    for name, column in zip(cut.names, columns, strict=True):
        write_slice(folder / files[name], column, first)


def beside(path: Path, property_name: str) -> Path:
    """Return the path of a file beside that of a part, for a property of its records."""
    return path.with_name(f"{path.name}-{property_name}")


def read_beside(path: Path, property_name: str, kind: Any, begin: int, end: int) -> NDArray[Any]:
    """Return that property of some of the records of a part."""
    size = np.dtype(kind).itemsize
    return np.fromfile(beside(path, property_name), kind, end - begin, offset=begin * size)
