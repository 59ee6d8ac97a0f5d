"""Rows that are treated slice by slice, each by what was learned from the whole file."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.contracts import Context, Fitted
from discreet.microdata import Microdata
from discreet.scaling.engine import Engine
from discreet.scaling.store import Store, slices, write_slice


@dataclass(frozen=True, eq=False)
class _Slice:
    """What a task about some rows needs."""

    before: Store
    after: Store
    fitted: Fitted
    context: Context
    span: tuple[int, int]


def treated(
    store: Store, fitted: Fitted, context: Context, engine: Engine, label: str, title: str
) -> tuple[Store, frozenset[str]]:
    """Return the store with the treated columns, and which of them changed.

    `label` begins the names of new files, and `title` says what is done.
    """
    attributes = {c.name: c.attribute for c in fitted.treat(store.head, context, 0)}
    files = {name: f"{label}-{place:04d}" for place, name in enumerate(attributes)}
    after = store.with_columns(attributes.values(), files)
    after.reserve(files)
    quiet = Context(context.randomness, path=context.path)
    tasks = [_Slice(store, after, fitted, quiet, span) for span in store.tasks()]
    return after, frozenset[str]().union(*engine.map(_treat, tasks, title))


def _treat(task: _Slice) -> set[str]:
    """Treat some rows; return the columns that changed."""
    start, end = task.span
    changed = set()
    for offset, stop in slices(end - start):
        first, last = start + offset, start + stop
        rows: Microdata = task.before.table(task.fitted.columns, first, last)
        for column in task.fitted.treat(rows, task.context, first):
            path = task.after.folder / task.after.files[column.name]
            write_slice(path, column.values, first)
            same = column.name in rows.schema and column.same_as(rows.column(column.name))
            if not same:
                changed.add(column.name)
    return changed
