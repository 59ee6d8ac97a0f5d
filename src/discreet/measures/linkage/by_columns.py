"""Which columns give people away: adding one column at a time, and removing one cell.

Records are linked to the nearest original in standardised distance. The curve starts with no column
and adds the one that links most, which shows how few an intruder needs. For a record at risk, each
of its cells is suppressed in turn; the one that leaves the smallest chance counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Target, known_pairing
from discreet.errors import NotApplicable
from discreet.measures.linkage.assignment import Owners, cheapest
from discreet.measures.linkage.cells import Matrix, Rows, cells, summed
from discreet.microdata import Numbers

PAIRS = 4_000_000
LEAST_RECORDS, MOST_STEPS = 20, 12

Counts = NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class Revealing:
    """What each column and cell is worth to the intruder.

    `curve` has the columns as they are added, each with the share of records linked by then.
    `rows` are the released records that were examined, `chance` is the chance that each is linked,
    `cell` the position of the column to suppress next, and `then` the chance that remains.
    """

    columns: tuple[str, ...]
    curve: tuple[tuple[str, float], ...]
    rows: Rows
    chance: Numbers
    cell: Rows
    then: Numbers


def revealing(target: Target, context: Context, pairs: int = PAIRS) -> Revealing:
    """Return which columns and which cells give people away, from this many pairs of records.

    >>> import discreet
    >>> from discreet.contracts import Pairing
    >>> roles = {"sex": "quasi-identifier", "age": "quasi-identifier"}
    >>> data = discreet.read({"sex": ["f", "f", "m", "m"], "age": [30, 40, 30, 50]}, roles=roles)
    >>> found = revealing(Target(data, data, Pairing.same_order(4)), Context())
    >>> found.curve
    (('age', 0.75), ('sex', 1.0))
    >>> [found.columns[c] for c in found.cell], found.then.tolist()
    (['sex', 'age', 'sex', 'age'], [0.5, 0.5, 0.5, 0.5])
    """
    pairing, names = known_pairing(target.pairing), target.original.quasi_identifiers
    if not len(target.released) or not names:
        raise NotApplicable("there are no quasi-identifiers, or no records")
    columns = cells(target.original, target.released, names, pairing.origin)
    if not columns:
        raise NotApplicable("the release says nothing about a quasi-identifier")
    released = len(target.released)
    size = min(released, max(LEAST_RECORDS, pairs // len(target.original)))
    rows = np.sort(context.generator("records").choice(released, size, replace=False))
    owners = Owners(pairing.origin).take(rows)
    apart = [column.gaps(rows, then=np.square) for column in columns]
    curve: list[tuple[str, float]] = []
    left, total = list(range(len(columns))), np.zeros_like(apart[0])
    while left and len(curve) < MOST_STEPS:
        linked = {c: float(cheapest(total + apart[c], owners).mean()) for c in left}
        best = max(linked, key=lambda c: linked[c])
        curve.append((columns[best].name, linked[best]))
        total = total + apart[best]
        left.remove(best)
    chance = cheapest(summed(apart, rows, slice(None), len(target.original)), owners)
    whole, ruled_out = _total(apart)
    without = np.array([cheapest(_less(whole, ruled_out, c), owners) for c in apart])
    cell = without.argmin(axis=0)
    then = np.minimum(without[cell, np.arange(len(rows))], chance)
    return Revealing(tuple(c.name for c in columns), tuple(curve), rows, chance, cell, then)


def _total(apart: Sequence[Matrix]) -> tuple[Matrix, Counts]:
    """Return the sum over columns, and how many columns exclude each person.

    Their distance is infinite: it is counted, not added, so that it can be subtracted again.
    """
    whole, ruled_out = np.zeros_like(apart[0]), np.zeros(apart[0].shape, dtype=np.int16)
    for column in apart:
        whole += _possible(column)
        ruled_out += np.isinf(column)
    return whole, ruled_out


def _possible(column: Matrix) -> Matrix:
    return np.where(np.isinf(column), 0, column).astype(np.float32)


def _less(whole: Matrix, ruled_out: Counts, column: Matrix) -> Matrix:
    """Return the sum without a column; it stays infinite where another column excludes a person."""
    left: Matrix = np.maximum(whole - _possible(column), 0)
    left[ruled_out > np.isinf(column)] = np.inf
    return left
