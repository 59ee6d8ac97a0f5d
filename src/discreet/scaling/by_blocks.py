"""A step in blocks on a large file: cut along the data, then each block as in memory.

The blocks are those of `discreet.release.by_blocks`, to the last record, and each has the same
random numbers there, so that the outcome depends neither on the memory nor on the workers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Claim, Context, Masked, Method
from discreet.errors import DataError
from discreet.microaggregation.blocks import largest_block, lower_half
from discreet.microdata import Attribute
from discreet.release.by_blocks import (
    SCALING,
    blocks_along,
    cut_by,
    least_of,
    note_on_blocks,
    of_block,
    of_one_block,
    points_of,
)
from discreet.release.strata import claims_of_all, joint_scale, notes_of_all, same_scale
from discreet.scaling.cutting import Cut, Leaf, cut_to_fit, fitted_embedding
from discreet.scaling.engine import Engine
from discreet.scaling.microaggregating import beside, part_rows, read_beside
from discreet.scaling.stepped import Stepped
from discreet.scaling.store import Store, reserve, write_slice


@dataclass(frozen=True, eq=False)
class _Part:
    """What a task about one part needs; `first` is the number of its first block."""

    cut: Cut
    leaf: Leaf
    first: int
    step: Method
    context: Context


@dataclass(frozen=True, eq=False)
class _Block:
    """The outcome of a block: the columns that it changed, and what holds for it."""

    changed: Mapping[str, Attribute]
    claims: tuple[Claim, ...]
    notes: tuple[str, ...]
    groups: int | None
    least_size: int = 1
    drawn: bool = False
    drawn_columns: frozenset[str] = field(default_factory=frozenset)


def run_in_blocks(
    store: Store, step: Method, context: Context, engine: Engine, label: str
) -> Stepped:
    """Return the store after a step that is run block by block; `label` names its new files."""
    assert step.in_blocks is not None
    head, names = store.head, cut_by(step, store.head)
    step.treated(head, step.values().get("columns"))
    work = store.folder / label
    work.mkdir()
    embedding = fitted_embedding(store, names, SCALING)
    cut = Cut(store, tuple(store.files), embedding, points_of)
    k = least_of(step)
    most = part_rows(store.memory, cut.width, largest_block(step.in_blocks, k))
    leaves, _ = cut_to_fit(cut, work, most, k, engine.progress)
    quiet = Context(context.randomness, path=context.path)
    parts, first = [], 0
    for leaf in leaves:
        parts.append(_Part(cut, leaf, first, step, quiet))
        first += blocks_in(leaf.rows, step.in_blocks, k)
    done = engine.map(_run, parts, f"{step.spec.name} in blocks")
    outcome = _put_together(cut, leaves, done, engine, label)
    for leaf in leaves:
        for path in work.glob(f"{leaf.path.name}*"):
            path.unlink()
    blocks = [block for part in done for block in part]
    notes = notes_of_all([block.notes for block in blocks])
    if len(store) > step.in_blocks:
        notes.append(note_on_blocks(step, len(blocks), names))
    grouped = all(block.groups is not None for block in blocks)
    return Stepped(
        outcome,
        claims=claims_of_all([block.claims for block in blocks])
        if len(blocks) > 1
        else blocks[0].claims,
        notes=tuple(notes),
        labels=f"{label}-groups" if grouped else "",
        least_size=min(block.least_size for block in blocks),
        drawn=all(block.drawn for block in blocks),
        drawn_columns=frozenset.intersection(*(block.drawn_columns for block in blocks)),
    )


@cache
def blocks_in(rows: int, most: int, k: int) -> int:
    """Return how many blocks this many records are cut into.

    >>> blocks_in(1000, 300, 5), blocks_in(300, 300, 5)
    (4, 1)
    """
    if rows <= largest_block(most, k):
        return 1
    half = lower_half(rows, k)
    return blocks_in(half, most, k) + blocks_in(rows - half, most, k)


def _run(part: _Part) -> list[_Block]:
    """Run the step in the blocks of a part, and write the outcome beside it."""
    cut, step, path = part.cut, part.step, part.leaf.path
    records = np.fromfile(path, np.float64).reshape(-1, cut.width)
    data = cut.data(records)
    records[:, 0].astype(np.int64).tofile(beside(path, "rows"))
    del records
    inner = of_one_block(step)
    assert step.in_blocks is not None
    whole = len(cut.store) <= step.in_blocks
    blocks = blocks_along(cut.embedding, data, step)
    of_row = np.empty(len(data), dtype=np.int32)
    labels = np.full(len(data), -1, dtype=np.int64)
    columns: dict[str, NDArray[np.float64]] = {}
    done, groups = list[_Block](), 0
    for number, rows in enumerate(blocks):
        before = data.take(rows)
        masked = (
            inner.protect(before, part.context)
            if whole
            else of_block(inner, before, part.first + number, part.context)
        )
        changed = {c.name: c for c in masked.data if not c.same_as(before.column(c.name))}
        for name, column in changed.items():
            kept = columns.setdefault(name, data[name].astype(np.float64))
            kept[rows] = column.values
        of_row[rows] = number
        if masked.groups is not None:
            block_labels = masked.groups.labels
            labels[rows] = np.where(block_labels < 0, -1, block_labels + groups)
            groups += masked.groups.count
        done.append(_summary(masked, {n: c.attribute for n, c in changed.items()}))
    of_row.tofile(beside(path, "blocks"))
    labels.tofile(beside(path, "labels"))
    for name, values in columns.items():
        values.tofile(beside(path, cut.store.files[name]))
    return done


def _summary(masked: Masked, changed: Mapping[str, Attribute]) -> _Block:
    groups = masked.groups
    if groups is None:
        return _Block(changed, masked.claims, masked.notes, None)
    return _Block(
        changed, masked.claims, masked.notes, groups.count, groups.least_size, groups.drawn,
        groups.drawn_columns,
    )  # fmt: skip


def _put_together(
    cut: Cut, leaves: list[Leaf], done: Sequence[list[_Block]], engine: Engine, label: str
) -> Store:
    """Return the store with the columns that any block changed, in the order of the file."""
    store = cut.store
    blocks = [block for part in done for block in part]
    changed = [n for n in store.files if any(n in block.changed for block in blocks)]
    attributes: dict[str, Attribute] = {}
    tables: dict[str, list[NDArray[np.int32] | None]] = {}
    for name in changed:
        original = store.attributes[name]
        scales = [block.changed.get(name, original) for block in blocks]
        if any(a.continuous for a in scales) and not same_scale(scales):
            raise DataError(
                f"'{name}' became labels in some blocks and stayed a number in others, which is "
                "put together in memory only; use larger blocks (in_blocks), recode the column in "
                "an earlier step, or allow more memory"
            )
        attributes[name], tables[name] = joint_scale(scales, original)
    files = {name: f"{label}-{place:04d}" for place, name in enumerate(changed)}
    after = store.with_columns(attributes.values(), files)
    after.reserve(files)
    groups = f"{label}-groups"
    reserve(store.folder / groups, len(store) * 8)
    counts = [sum(block.groups or 0 for block in part) for part in done]
    starts = np.cumsum([0, *counts]).tolist()
    firsts = np.cumsum([0, *map(len, done)]).tolist()
    merges = [
        _Merge(cut, after, leaves, starts, firsts, tables, groups, span) for span in store.tasks()
    ]
    engine.map(_merge, merges, "putting records back in order")
    return after


@dataclass(frozen=True, eq=False)
class _Merge:
    """What a task about some rows needs: the parts, and the codes of each of their blocks."""

    cut: Cut
    after: Store
    leaves: list[Leaf]
    starts: list[int]
    firsts: list[int]
    tables: Mapping[str, list[NDArray[np.int32] | None]]
    groups: str
    span: tuple[int, int]


def _merge(task: _Merge) -> None:
    """Write the outcome of all parts for some rows, in the order of the file."""
    first, last = task.span
    store, after = task.cut.store, task.after
    labels = np.empty(last - first, dtype=np.int64)
    columns = {name: store.values(name, first, last).astype(np.float64) for name in task.tables}
    for leaf, start, number in zip(task.leaves, task.starts, task.firsts, strict=False):
        rows = np.memmap(beside(leaf.path, "rows"), np.int64, "r")
        begin, end = np.searchsorted(rows, [first, last]).tolist()
        at = np.array(rows[begin:end]) - first
        block_labels = read_beside(leaf.path, "labels", np.int64, begin, end)
        labels[at] = np.where(block_labels < 0, -1, block_labels + start)
        block = number + read_beside(leaf.path, "blocks", np.int32, begin, end)
        for name, tables in task.tables.items():
            if beside(leaf.path, store.files[name]).exists():
                columns[name][at] = read_beside(
                    leaf.path, store.files[name], np.float64, begin, end
                )
            if tables[0] is not None:
                columns[name][at] = _recoded(columns[name][at], block, tables)
    write_slice(store.folder / task.groups, labels, first)
    for name, values in columns.items():
        kind = np.float64 if after.attributes[name].continuous else np.int32
        write_slice(store.folder / after.files[name], values.astype(kind), first)


def _recoded(
    codes: NDArray[np.float64], block: NDArray[np.int64], tables: list[NDArray[np.int32] | None]
) -> NDArray[np.float64]:
    """Return codes of many blocks on the scale of all of them."""
    recoded = np.empty(len(codes))
    for number in np.unique(block).tolist():
        table, in_block = tables[number], block == number
        assert table is not None
        recoded[in_block] = table[codes[in_block].astype(np.int64)]
    return recoded
