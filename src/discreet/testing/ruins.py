"""Ruined copies of a file: releases that are worthless, each for a different reason.

They show what a measure of utility can see. `Ruin` names them, and the spec of a measure declares
which of them it sees and to which it is blind; `shares_seen` measures whether that is so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Measure, Pairing, Randomness, Ruin, Score, share_lost
from discreet.errors import NotApplicable
from discreet.microdata import Column, Kind, Microdata
from discreet.models.design_matrix import ANALYSED

SEEN, BLIND = 0.9, 0.1
"""Shares of its range: from the first on a measure sees a ruin, below the second it is blind to
it.
"""
DROPPED = {Ruin.NUMBER_DROPPED: True, Ruin.CATEGORY_DROPPED: False}
"""Whether the column that is dropped is continuous."""


def ruined(data: Microdata, ruin: Ruin) -> Microdata:
    """Return a ruined copy, its rows in the order of the original.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 22, 40], "sex": ["f", "m", "m"]})
    >>> ruined(data, Ruin.CONSTANT)["age"].round(2), ruined(data, Ruin.CONSTANT)["sex"]
    (array([27.33, 27.33, 27.33]), array([1, 1, 1], dtype=int32))
    """
    names = data.having(*ANALYSED)
    if ruin in DROPPED:
        return data.drop([_first(data, DROPPED[ruin])])
    generator = np.random.Generator(np.random.PCG64(0))
    if ruin is Ruin.UNPAIRED:
        strata = _strata(data.column(names[-1]))
        return data.replace(_resampled(data.column(name), strata, generator) for name in names[:-1])
    make = MAKERS[ruin]
    return data.replace(make(data.column(name), generator) for name in names)


def _first(data: Microdata, continuous: bool) -> str:
    """Return the first quasi-identifier that is continuous, or is not."""
    for name in data.quasi_identifiers:
        if data.schema[name].continuous is continuous:
            return name
    raise NotApplicable(f"no quasi-identifier is {'continuous' if continuous else 'categorical'}")


def _permuted(column: Column, generator: np.random.Generator) -> Column:
    return column.with_values(generator.permutation(column.values))


def _constant(column: Column, generator: np.random.Generator) -> Column:
    """Return the column at its mean, or at its commonest category."""
    present = column.values[~column.missing]
    typical = present.mean() if column.attribute.continuous else np.bincount(present).argmax()
    return column.with_values(np.full(len(column.values), typical))


def _starred(column: Column, generator: np.random.Generator) -> Column:
    return column.recoded(np.zeros(len(column.values)), Kind.NOMINAL, ["*"])


MAKERS: dict[Ruin, Callable[[Column, np.random.Generator], Column]] = {
    Ruin.PERMUTED: _permuted,
    Ruin.CONSTANT: _constant,
    Ruin.STARRED: _starred,
}


def _resampled(column: Column, strata: NDArray[np.int64], generator: np.random.Generator) -> Column:
    """Return the column with each stratum's values drawn again, with replacement."""
    values = column.values.copy()
    for stratum in np.unique(strata):
        rows = np.flatnonzero(strata == stratum)
        values[rows] = column.values[generator.choice(rows, len(rows))]
    return column.with_values(values)


def _strata(column: Column) -> NDArray[np.int64]:
    """Return the categories of a column, or the quarters of its numbers."""
    if not column.attribute.continuous:
        return column.values.astype(np.int64)
    quarters = np.nanquantile(column.values, (0.25, 0.5, 0.75))
    return np.where(column.missing, -1, np.searchsorted(quarters, column.values)).astype(np.int64)


def shares_seen(measure: Measure, data: Microdata) -> dict[Ruin, float]:
    """Return how much of its range a measure reports for each ruin of a file that it applies to.

    Where only one column is dropped, the part of the measure that is hit hardest is what counts: a
    mean over twenty columns cannot move by more than a twentieth, and names the column all the
    same.

    >>> from discreet.contracts.registry import build
    >>> from discreet.testing.surveys import mixed
    >>> shares = shares_seen(build("measure", "abisd"), mixed(100))
    >>> round(shares[Ruin.PERMUTED], 9), round(shares[Ruin.CONSTANT], 9)
    (0.0, 1.0)
    """
    same = Pairing.same_order(len(data))
    shares = {}
    for ruin in Ruin:
        try:
            score = measure.score(data, ruined(data, ruin), Context(Randomness(1)), same)
            share = _seen(measure, data, score, ruin in DROPPED)
        except NotApplicable:
            continue
        if share is not None:
            shares[ruin] = share
    return shares


def _seen(measure: Measure, data: Microdata, score: Score, in_part: bool) -> float | None:
    spec, unchanged = measure.spec, Score(0.0)
    if spec.at_identity is None:
        same = Pairing.same_order(len(data))
        unchanged = measure.score(data, data, Context(Randomness(1)), same)
    shares = [share_lost(spec, score, unchanged.value)]
    if in_part:
        shares += [
            share_lost(spec, replace(score, value=part), unchanged.parts.get(names))
            for names, part in score.parts.items()
        ]
    return max((share for share in shares if share is not None), default=None)
