"""The steps of a plan on a large file, each by what its method needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from discreet.contracts import Claim, Context, Fitted, Method, Needs
from discreet.contracts.registry import entries
from discreet.errors import UsageError
from discreet.methods.perturbative.microaggregation import Microaggregation
from discreet.microaggregation.grouping import LARGE, PointPartition
from discreet.microdata import Attribute, Microdata
from discreet.scaling.blocks import microaggregated
from discreet.scaling.engine import Engine
from discreet.scaling.store import Store, slices, write_slice

ABLE = {Needs.ROWS, Needs.COUNTS, Needs.BLOCKS}


@dataclass(frozen=True, eq=False)
class Stepped:
    """The state after some steps: the store, and what holds for it.

    `labels` is the file of group labels; `alike` are the columns that make the groups where there
    is none.
    """

    store: Store
    claims: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()
    labels: str = ""
    alike: tuple[str, ...] = ()
    least_size: int = 1
    detail: Mapping[str, Any] = field(default_factory=dict)


def large_steps(steps: Sequence[Method]) -> tuple[tuple[Method, ...], tuple[str, ...]]:
    """Return the steps as they are done on a large file, and notes on what was added to them.

    A method that needs the whole file at once is refused here, before any work.

    >>> from discreet.contracts.registry import build
    >>> steps, notes = large_steps([build("method", {"microaggregation": {}})])
    >>> steps[0].partition.blocks, notes[0][:40]
    (100000, 'step 1 (microaggregation) works in block')
    >>> large_steps([build("method", "mart")])
    Traceback (most recent call last):
    discreet.errors.UsageError: step 1 (mart) needs the whole file at once, ...
    """
    done, notes = [], []
    for number, step in enumerate(steps, start=1):
        what = f"step {number} ({step.spec.name})"
        if step.by is not None:
            raise UsageError(
                f"{what} is run in strata ('by'), for which the whole file is needed at once, and "
                "it is larger than the memory that may be used; allow more (--memory), or protect "
                "a file for each stratum"
            )
        if step.needs not in ABLE:
            raise UsageError(
                f"{what} needs {_words(step.needs)} at once, and the file is larger than the "
                f"memory that may be used; allow more (--memory), or use {_nearest(step)}"
            )
        partition = step.partition if isinstance(step, Microaggregation) else None
        if isinstance(partition, PointPartition) and partition.blocks is None:
            partition = type(partition)(**{**partition.values(), "blocks": LARGE})
            step = type(step)(**{**step.values(), "partition": partition})
            notes.append(
                f"{what} works in blocks of at most {LARGE:,} records, because the file is "
                "larger than memory"
            )
        done.append(step)
    return tuple(done), tuple(notes)


def _words(need: Needs) -> str:
    return "the order of the whole file" if need is Needs.ORDER else need.value


def _nearest(step: Method) -> str:
    """Return the methods for the same kinds of columns that can treat large files."""
    if isinstance(step, Microaggregation):
        return (
            "a partition of points such as mdav, v-mdav or mst-partition with the replacement "
            "centroid, all columns together"
        )
    able = [
        entry.spec.name
        for entry in entries("method")
        if entry.spec.needs in ABLE and set(entry.spec.kinds) & set(step.spec.kinds)
    ]
    return "a method that can treat it in parts: " + ", ".join(able)


def run_large(store: Store, steps: Sequence[Method], context: Context, engine: Engine) -> Stepped:
    """Run the steps one after the other; what holds afterwards is told as in memory."""
    state = Stepped(store)
    for number, step in enumerate(steps, start=1):
        part = context.within(f"step {number}", step.spec.name)
        label = f"step-{number}"
        if isinstance(step, Microaggregation):
            after = _microaggregated(state, step, part, engine, label)
        else:
            after = _treated(state, step, part, engine, label)
        state = _joined(state, after, f"step {number} ({step.spec.name})")
    return state


def _microaggregated(
    state: Stepped, step: Microaggregation, context: Context, engine: Engine, label: str
) -> Stepped:
    head = state.store.head
    names = step.checked(head)
    grouped = microaggregated(
        state.store, names, step.partition, step.replacement, context, engine, label
    )
    assert isinstance(step.partition, PointPartition)
    return Stepped(
        grouped.store,
        claims=step.claims_about(head, names, step.partition.k),
        labels=grouped.labels,
        least_size=step.partition.k,
        detail=grouped.detail,
    )


def _treated(state: Stepped, step: Method, context: Context, engine: Engine, label: str) -> Stepped:
    """Fit a method to the file, then treat it slice by slice."""
    store = state.store
    fitted = step.fit(store, context)
    attributes = {c.name: c.attribute for c in fitted.treat(store.head, context, 0)}
    files = {name: f"{label}-{place:04d}" for place, name in enumerate(attributes)}
    after = store.with_columns(attributes.values(), files)
    after.reserve(files)
    quiet = Context(context.randomness, path=context.path)
    tasks = [_Slice(store, after, fitted, quiet, span) for span in store.tasks()]
    changed = frozenset[str]().union(*engine.map(_treat, tasks, f"treating rows: {step.spec.name}"))
    kept: list[Attribute] = [attributes[name] for name in attributes if name in changed]
    return Stepped(
        store.with_columns(kept, {a.name: files[a.name] for a in kept}),
        fitted.claims,
        fitted.notes,
        alike=fitted.alike,
        least_size=fitted.least_size,
    )


@dataclass(frozen=True, eq=False)
class _Slice:
    """What a task about some rows needs."""

    before: Store
    after: Store
    fitted: Fitted
    context: Context
    span: tuple[int, int]


def _treat(task: _Slice) -> set[str]:
    """Treat some rows; return the columns that are not what they were."""
    start, end = task.span
    changed = set()
    for offset, stop in slices(end - start):
        first, last = start + offset, start + stop
        rows: Microdata = task.before.table(task.fitted.columns, first, last)
        for column in task.fitted.treat(rows, task.context, first):
            path = task.after.folder / task.after.files[column.name]
            write_slice(path, column.values, first)
            if not column.same_as(rows.column(column.name)):
                changed.add(column.name)
    return changed


def _joined(before: Stepped, after: Stepped, step: str) -> Stepped:
    """Return what holds after a step: an earlier promise may be about values that are gone."""
    known = [
        n for n, a in before.store.attributes.items() if n in before.store.head.quasi_identifiers
    ]
    changed = [n for n in known if before.store.files[n] != after.store.files[n]]
    withdrawn = bool(before.claims and changed)
    notes = list(before.notes)
    if withdrawn:
        notes.append(
            f"{step} changed quasi-identifiers that an earlier step had protected; the earlier "
            f"claim of {before.claims[0].measure} is not made"
        )
    grouped = bool(after.labels or after.alike) and (
        bool(changed) or not (before.labels or before.alike)
    )
    chosen = after if grouped else before
    return replace(
        chosen,
        store=after.store,
        claims=(() if withdrawn else before.claims) + after.claims,
        notes=(*notes, *after.notes),
    )


def group_labels(state: Stepped, first: int, last: int) -> Any:
    """Return the group labels of some rows; None where no step grouped records."""
    if not state.labels:
        return None
    path = state.store.folder / state.labels
    return np.fromfile(path, np.int64, last - first, offset=first * 8)
