"""What gives people away in a release: columns, one at a time, records and cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from discreet.contracts import Context, Pairing, Randomness, Target
from discreet.errors import NotApplicable
from discreet.measures.linkage.by_columns import Revealing, revealing
from discreet.measures.linkage.cells import Rows
from discreet.microdata import Microdata

PAIRS = 500_000
"""The most pairs of records compared for the report: a tenth of a second's work."""
MOST_PEOPLE = 10_000
"""With more people, fewer than fifty records could be compared, which would say too little."""
ROWS = 10


@dataclass(frozen=True)
class OneMore:
    """A column, and the share of records that are linked once it is known with those before."""

    column: str
    linked: float


@dataclass(frozen=True)
class NextCells:
    """A column, and the share of the records at risk for which its cell is the one to suppress."""

    column: str
    share: float


@dataclass(frozen=True)
class ExposedRecord:
    """A record by the row of its original, its chance of being linked, and the cell to suppress.

    `column` is empty where no single cell lowers the chance, which is `then` without it.
    """

    row: int
    chance: float
    column: str
    then: float


@dataclass(frozen=True)
class Revealed:
    """What columns and cells do for an intruder who takes the nearest original.

    `compared` of the `records` were examined, of which `at_risk` are linked more often than by a
    blind guess.
    """

    records: int
    compared: int
    at_risk: int
    curve: tuple[OneMore, ...]
    cells: tuple[NextCells, ...]
    rows: tuple[ExposedRecord, ...]


def revealed(original: Microdata, released: Microdata, pairing: Pairing | None) -> Revealed | None:
    """Return what gives people away; None if nobody can be linked, or there are too many people.

    >>> import discreet
    >>> data = discreet.read({"sex": ["f", "f", "m", "m"], "age": [30, 40, 30, 50]},
    ...                      roles={"sex": "quasi-identifier", "age": "quasi-identifier"})
    >>> people = revealed(data, data, Pairing.same_order(4))
    >>> [(step.column, step.linked) for step in people.curve]
    [('age', 0.75), ('sex', 1.0)]
    >>> people.rows[0]
    ExposedRecord(row=1, chance=1.0, column='sex', then=0.5)
    """
    if pairing is None or len(original) > MOST_PEOPLE:
        return None
    try:
        target = Target(original, released, pairing)
        attack = revealing(target, Context(Randomness(0)), PAIRS)
    except NotApplicable:
        return None
    blind = 1 / len(original)
    risky = np.flatnonzero(attack.chance > blind * (1 + 1e-9))
    return Revealed(
        records=len(released),
        compared=len(attack.rows),
        at_risk=len(risky),
        curve=tuple(OneMore(name, share) for name, share in attack.curve),
        cells=_cells(attack, risky),
        rows=_rows(attack, risky, original.rows_read[pairing.origin[attack.rows]]),
    )


def _cells(attack: Revealing, risky: Rows) -> tuple[NextCells, ...]:
    helped = risky[attack.then[risky] < attack.chance[risky]]
    times = np.bincount(attack.cell[helped], minlength=len(attack.columns))
    order = [c for c in np.argsort(-times, kind="stable").tolist() if times[c]]
    return tuple(NextCells(attack.columns[c], float(times[c] / len(risky))) for c in order)


def _rows(
    attack: Revealing,
    risky: Rows,
    rows: Rows,
) -> tuple[ExposedRecord, ...]:
    order = risky[np.lexsort((rows[risky], -attack.chance[risky]))][:ROWS]
    return tuple(
        ExposedRecord(
            int(rows[i]) + 1,
            float(attack.chance[i]),
            attack.columns[attack.cell[i]] if attack.then[i] < attack.chance[i] else "",
            float(attack.then[i]),
        )
        for i in order.tolist()
    )
