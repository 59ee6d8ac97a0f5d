"""Synthetic records in place of those of a large file, drawn from models of a sample."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from discreet.contracts import NO_ORIGIN, Context, Fitted
from discreet.microdata import Column, Microdata
from discreet.models.sequential.assembly import below_zero, on_replicas
from discreet.scaling.counting import replicated_uniques
from discreet.scaling.engine import Engine
from discreet.scaling.stepped import Stepped
from discreet.scaling.store import Store, reserve, slices, write_slice
from discreet.scaling.treating import treated


def new_records(
    store: Store, fitted: Fitted, context: Context, engine: Engine, label: str
) -> Stepped:
    """Return a store of new records, none of which comes from a record of the file."""
    assert fitted.new is not None
    origin = f"{label}-origin"
    blank = replace(store, rows=fitted.new, origin=origin)
    reserve(store.folder / origin, 8 * fitted.new)
    for first, last in slices(fitted.new):
        write_slice(store.folder / origin, np.full(last - first, NO_ORIGIN), first)
    after, _ = treated(blank, fitted, context, engine, label, "drawing records")
    notes = [*fitted.notes, *below_zero(_lowest(store), list(_lowest(after)))]
    notes += on_replicas(replicated_uniques(store, after), fitted.new)
    return Stepped(after, fitted.claims, tuple(notes), new=True)


def _lowest(store: Store) -> Microdata:
    """Return a table of one record, with the lowest number of each column of numbers."""
    names = [name for name, attribute in store.attributes.items() if attribute.continuous]
    lowest = np.full(len(names), np.nan)
    for piece in store.pieces(names):
        for place, name in enumerate(names):
            lowest[place] = np.fmin(lowest[place], np.fmin.reduce(piece[name], initial=np.nan))
    head = store.head.drop([name for name in store.attributes if name not in names])
    columns = [Column(head.schema[n], lowest[i : i + 1]) for i, n in enumerate(names)]
    return Microdata(columns, head.source)
