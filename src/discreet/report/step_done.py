"""What one step did to the table that it was given: columns, pairs of columns, records."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.contracts import Masked
from discreet.microdata import Microdata, Role
from discreet.microdata.dates import unit_of
from discreet.models.association import associations
from discreet.report.content import ComparedBars, ComparedHistogram, Correlations, Matrix
from discreet.report.distributions import Summary, compared
from discreet.report.moves import Moves, moved
from discreet.report.public_form import NotDrawn

SHOWN = 12
"""The most columns with pictures; the rest are named."""
PAIRED = 10
ENOUGH = 20_000
"""Enough records to estimate the association of columns for a picture."""


@dataclass(frozen=True)
class ColumnDone:
    """A column that a step changed; `changed` is the share of its records, None if not known."""

    name: str
    role: str
    changed: float | None
    gone: float
    distribution: ComparedHistogram | ComparedBars | NotDrawn
    moves: Moves | None


@dataclass(frozen=True)
class StepDone:
    """What a step did: `columns` were changed, `others` too but are not drawn, `same` were not."""

    number: int
    before: int
    after: int
    columns: tuple[ColumnDone, ...]
    others: tuple[str, ...]
    same: tuple[str, ...]
    pairs: Correlations | None
    notes: tuple[str, ...]


def step_done(number: int, table: Microdata, masked: Masked) -> StepDone:
    """Return what a step did to a table.

    >>> import discreet
    >>> table = discreet.read({"age": [31, 38, 44]}, roles={"age": "quasi-identifier"})
    >>> from discreet.contracts import Context
    >>> done = step_done(1, table, discreet.Rounding(base=10).protect(table, Context()))
    >>> done.columns[0].changed, done.columns[0].moves.after
    (1.0, ('30 – 32', '40 – 42'))
    """
    rows = np.arange(len(table)) if masked.origin is None else masked.origin
    paired = not len(rows) or int(rows.min()) >= 0
    origin = table.take(rows) if paired and masked.origin is not None else table
    changed: list[str] = []
    same: list[str] = []
    identifiers = set(table.having(Role.IDENTIFIER))
    for column in masked.data:
        if column.name in identifiers or column.name not in table.schema:
            continue
        alike = paired and column.same_as(origin.column(column.name))
        (same if alike else changed).append(column.name)
    return StepDone(
        number,
        len(table),
        len(masked.data),
        tuple(_column(n, table, masked.data, origin if paired else None) for n in changed[:SHOWN]),
        tuple(changed[SHOWN:]),
        tuple(same),
        _pairs(table, masked.data, changed),
        tuple(map(str, masked.notes)),
    )


def _column(
    name: str, table: Microdata, released: Microdata, origin: Microdata | None
) -> ColumnDone:
    dates = unit_of(table, name)
    before, after = Summary.of(table.column(name), dates), Summary.of(released.column(name), dates)
    changed = moves = None
    if origin is not None:
        old, new = origin.column(name), released.column(name)
        scale = (old.attribute.kind, old.attribute.categories)
        if scale == (new.attribute.kind, new.attribute.categories):
            differ = (old.values != new.values) & ~(old.missing & new.missing)
            changed = float(differ.mean()) if len(differ) else 0.0
        moves = moved(old, new, dates or "")
    return ColumnDone(
        name,
        table.schema[name].role.value,
        changed,
        max(0.0, after.missing - before.missing),
        compared(before, after),
        moves,
    )


def _pairs(table: Microdata, released: Microdata, changed: list[str]) -> Correlations | None:
    """Return how closely columns were associated before and after, for those that were changed."""
    known = [n for n in (*table.quasi_identifiers, *table.having(Role.CONFIDENTIAL))
             if n in released.schema]  # fmt: skip
    names = list(dict.fromkeys([*changed, *known]))
    shown = names[:PAIRED]
    if not changed or len(shown) < 2 or min(len(table), len(released)) < 2:
        return None
    before, after = (_matrix(_some(side), shown) for side in (table, released))
    difference = tuple(tuple(map(_difference, *rows)) for rows in zip(before, after, strict=True))
    return Correlations(tuple(shown), len(names) - len(shown), before, after, difference)


def _difference(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else round(after - before, 9)


def _some(data: Microdata) -> Microdata:
    if len(data) <= ENOUGH:
        return data
    return data.take(np.linspace(0, len(data) - 1, ENOUGH).astype(np.int64))


def _matrix(data: Microdata, names: list[str]) -> Matrix:
    one_way = associations(data, names)
    both = {**one_way, **{(b, a): value for (a, b), value in one_way.items()}}
    return tuple(
        tuple(
            1.0 if a == b else round(both[a, b], 9) if np.isfinite(both[a, b]) else None
            for b in names
        )
        for a in names
    )
