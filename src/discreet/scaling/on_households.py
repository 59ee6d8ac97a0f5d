"""What was counted about the households of a large release, as notes and reasons of the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from discreet.contracts import Method
from discreet.microdata import Column, Microdata, Role
from discreet.microdata.levels import of_household
from discreet.release.by_level import reached_by
from discreet.release.notes import (
    brought_together,
    note_on_design,
    note_on_one_household,
    note_on_whole_persons,
)
from discreet.release.verdict import Reason, Thresholds, alone_together, came_apart, one_household
from discreet.release.what_is_counted import note_on_counting
from discreet.scaling.gating import Counted
from discreet.scaling.levels import Households
from discreet.scaling.store import Store, differs, slices


def notes_on_households(
    known: Households | None,
    counted: Counted,
    steps: Sequence[Method],
    original: Store,
    store: Store,
) -> Iterator[str]:
    """Yield what is noteworthy about the households of a release, as in memory.

    What the design reveals is left out where a step drew quasi-identifiers.
    """
    if known is None or counted.homes is None:
        return
    released = store.head
    drawn = {n for step in steps if step.is_random for n in reached_by(step, released)}
    if not drawn & set(released.quasi_identifiers):
        shares = counted.homes.identified, counted.homes.beside
        design = released.having(Role.WEIGHT, Role.STRATUM)
        yield from note_on_design(*shares, counted.records, design, known.clusters, True)
    yield from note_on_counting(released)
    if known.clusters.role is Role.HOUSEHOLD:
        yield from note_on_one_household(
            counted.homes.one_household_classes, counted.homes.one_household_records
        )
        yield from _on_lost_numbers(known.key, original, store)
    else:
        yield from note_on_whole_persons(counted.homes.alone)


def _on_lost_numbers(key: str, original: Store, store: Store) -> Iterator[str]:
    """Yield what brings households together again whose numbers were suppressed."""
    lost = [np.zeros(0, dtype=np.int64)]
    for first, last in slices(len(store)):
        gone = (store.values(key, first, last) < 0) & (original.values(key, first, last) >= 0)
        lost.append(first + np.flatnonzero(gone))
    rows = np.concatenate(lost)
    if not len(rows):
        return
    same = [n for n in of_household(original.head) if not differs(original, store, n)]
    before, after = (
        Microdata([Column(s.attributes[n], v) for n, v in zip(names, values, strict=True)])
        for s in (original, store)
        for names in [[*same, key]]
        for values in [s.rows_of(names, rows)]
    )
    yield from brought_together(store.named(after), original.named(before))


def reasons_on_households(
    known: Households | None, counted: Counted, limits: Thresholds
) -> Iterator[Reason]:
    """Yield why the verdict is not green: households came apart, or are unique as a whole."""
    if known is None or counted.agreed is None:
        return
    for name in known.before.apart:
        before, after = known.before.share(name), counted.agreed.share(name)
        if before is not None and after is not None:
            yield from came_apart(name, before, after, known.clusters)
    if counted.homes is None:
        return
    if known.clusters.role is Role.HOUSEHOLD:
        yield from one_household(
            counted.homes.one_household_classes, counted.homes.one_household_records
        )
    yield from alone_together(counted.homes.alone, known.clusters.word, limits)
