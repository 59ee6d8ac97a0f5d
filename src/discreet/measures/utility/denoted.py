"""How many values and how many records each released cell stands for.

A released cell denotes a set S of values of the original (`discreet.microdata.decoded`). The
measures of generalisation count the values of the original's column that are in S, or its records
that have one of them. A missing value of the original is a value of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Numbers
from discreet.microdata.decoded import DecodedColumn


@dataclass(frozen=True, eq=False)
class Denoted:
    """One column: what each released cell stands for, and what the original has.

    `values` counts the original's values in each cell's set, at least 1, `records` the original's
    records with one of them, by weight. `same_value` counts for each original
    record those with its value.
    `all_values` and `all_records` are those of the whole column.
    """

    values: Numbers
    records: Numbers
    same_value: Numbers
    all_values: int
    all_records: float


def denoted(column: DecodedColumn, weights: Numbers | None = None) -> Denoted:
    """Return what the cells of a released column stand for.

    >>> import discreet
    >>> from discreet.microdata.decoded import Decoded
    >>> original = discreet.read({"age": [21, 21, 38, 47]})
    >>> released = discreet.read({"age": ["20–39", "20–39", "38", None]})
    >>> found = denoted(Decoded(original, released, ["age"])["age"])
    >>> found.values, found.records, found.same_value
    (array([2., 2., 1., 3.]), array([3., 3., 1., 4.]), array([2., 2., 1., 1.]))
    """
    before = column.original
    absent = before.missing
    w = np.ones(len(absent)) if weights is None else weights
    levels, place = np.unique(before.values[~absent].astype(np.float64), return_inverse=True)
    each = np.bincount(place, w[~absent], len(levels))
    gone = float(w[absent].sum())
    same_value = np.full(len(absent), gone)
    same_value[~absent] = each[place]
    decoding = column.decoding
    if decoding is None:
        at = np.searchsorted(levels, column.values)
        met = np.append(levels, np.nan)[at] == column.values
        values, records = np.ones(len(met)), np.where(met, np.append(each, 0.0)[at], 0.0)
    else:
        below = np.append(0.0, np.cumsum(each))
        missing = decoding.missing
        first = np.searchsorted(levels, decoding.low, side="left")
        last = np.maximum(np.searchsorted(levels, decoding.high, side="right"), first)
        many = np.where(missing, float(absent.any()), last - first)
        had = np.where(missing, gone, below[last] - below[first])
        values, records = (
            np.append(np.bincount(decoding.label, part, len(decoding)), 1.0)[column.values]
            for part in (many, had)
        )
    everything = len(levels) + int(absent.any())
    nothing, stays = column.unknown, column.missing
    values = np.where(nothing, everything, np.where(stays, 1.0, np.maximum(values, 1.0)))
    records = np.where(nothing, w.sum(), np.where(stays, gone, records))
    return Denoted(values, records, same_value, everything, float(w.sum()))


def stands_for(column: DecodedColumn, origin: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether each released cell stands for the value of its original, among others.

    >>> import discreet
    >>> from discreet.microdata.decoded import Decoded
    >>> original = discreet.read({"age": [21, 38, 47]})
    >>> released = discreet.read({"age": ["20–39", "20–37", None]})
    >>> stands_for(Decoded(original, released, ["age"])["age"], np.arange(3))
    array([ True, False,  True])
    """
    truth = np.where(column.original.missing, np.nan, column.original.values.astype(float))[origin]
    absent = np.isnan(truth)
    decoding = column.decoding
    if decoding is None:
        met = np.where(absent, column.missing, column.values == truth)
        return np.asarray(met | column.unknown)
    parts = decoding.take(np.where(column.values < 0, -1, column.values).astype(np.int64))
    wanted = np.repeat(truth, parts.lengths)
    inside = np.where(
        parts.missing, np.isnan(wanted), (parts.low <= wanted) & (wanted <= parts.high)
    )
    met = np.bincount(parts.label, inside, len(truth)) > 0
    return np.asarray(met | (absent & column.missing) | column.unknown)
