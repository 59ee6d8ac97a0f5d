"""Holding back records of a large file: they become a store of their own, which no step sees.

They are the same as with `discreet.release.holding_back`: whole households or none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.microdata import Microdata
from discreet.release.holding_back import note_on_held_back, refuse_nobody, units_held_back
from discreet.scaling.engine import Engine
from discreet.scaling.keys import key_of_store
from discreet.scaling.selecting import selected
from discreet.scaling.store import Store, slices

MARKS = "held-back"
DRAWN = 10
"""Bytes of memory for a record or household while those that are held back are drawn."""


@dataclass(frozen=True, eq=False)
class HeldStore:
    """The records that are protected, and those that were held back, in the order of the file."""

    others: Store
    control: Store | None = None
    notes: tuple[str, ...] = ()


def held_back_store(
    store: Store, share: float | None, context: Context, engine: Engine
) -> HeldStore:
    """Hold back a share of the records; without a share, none."""
    if share is None:
        return HeldStore(store)
    engine.begin()
    held = _marked(store, share, context.generator("held back"))
    refuse_nobody(held, len(store), share)
    columns = list(store.files)[:1]
    others, control = (
        selected(store, columns, _Chosen(store, wanted), context, engine, name)[0]
        for wanted, name in ((False, "others"), (True, "control"))
    )
    return HeldStore(others, control, (note_on_held_back(held, len(store)),))


@dataclass(frozen=True, eq=False)
class _Chosen:
    """Chooses the rows that are held back, or the others."""

    store: Store
    held: bool

    def __call__(self, rows: Microdata, context: Context, first: int) -> NDArray[np.int64]:
        marks = np.fromfile(self.store.folder / MARKS, bool, len(rows), offset=first)
        return np.flatnonzero(marks == self.held)


def _marked(store: Store, share: float, generator: np.random.Generator) -> int:
    """Write which rows are held back, and return how many there are."""
    key = key_of_store(store)
    known = 0 if key is None else store.keys[key].count
    single = len(store) if key is None else _without_number(store, key)
    store.require(DRAWN * (known + single), "drawing the records that are held back")
    drawn = np.zeros(known + single, dtype=bool)
    drawn[units_held_back(known + single, share, generator)] = True
    held, alone = 0, known
    with (store.folder / MARKS).open("wb") as target:
        for first, last in slices(len(store)):
            if key is None:
                units = np.arange(first, last)
            else:
                units = store.values(key, first, last).astype(np.int64)
                # Records without a number are households of their own, after all others.
                gaps = np.flatnonzero(units < 0)
                units[gaps] = alone + np.arange(len(gaps))
                alone += len(gaps)
            drawn[units].tofile(target)
            held += int(drawn[units].sum())
    return held


def _without_number(store: Store, key: str) -> int:
    return sum(int((store.values(key, *span) < 0).sum()) for span in slices(len(store)))
