"""Local recoding: each class of records has its own levels.

Two stages. First full-domain recoding in rounds: the best node for the records at hand, with part
of them left over, then the best node for those, until none are left (ARX recodes locally in this
way). Then, from the top down, classes are refined, as Mondrian would cut them: a class goes one
level down in the column where that saves most, and splits into parts that meet the conditions; the
rest stays behind at the old level, and must meet the conditions itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.methods.nonperturbative.full_domain.best_recoding import best_recoding
from discreet.methods.nonperturbative.full_domain.conditions import Conditions
from discreet.methods.nonperturbative.full_domain.hierarchy_levels import (
    Levels,
    encoded,
    value_texts,
)
from discreet.microdata import MISSING_CODE, Column, Kind
from discreet.microdata.decoding import Decoding
from discreet.microdata.equivalence import numbered

MOST_TAKEN = 1_000
"""Nodes of a large lattice that a round takes in order: a start for refining needs no proof."""
Times = NDArray[np.int64]
LevelOf = NDArray[np.int64]
"""The level of every record in every column."""


def local_levels(
    columns: Sequence[Levels],
    conditions: Conditions,
    left_over: float,
    context: Context,
    times: Times | None = None,
) -> LevelOf | None:
    """Return the levels of each record; None if even all records together fail the conditions.

    `left_over` is the largest share of the records that a round leaves to the next, `times` how
    many records each row stands for, by default one.

    >>> import discreet
    >>> from discreet.methods.nonperturbative.full_domain.automatic import automatic
    >>> data = discreet.read({"age": [21, 22, 38, 39, 60, 61], "sex": list("ffmmfm")})
    >>> columns = [automatic(column, width=10) for column in data]
    >>> local_levels(columns, Conditions(data, k=2), 0.5, Context()).tolist()
    [[1, 0], [1, 0], [1, 0], [1, 0], [1, 1], [1, 1]]
    """
    rows = len(columns[0].values)
    times = np.ones(rows, dtype=np.int64) if times is None else times
    levels = np.array([np.full(rows, column.height) for column in columns]).T
    rest = np.arange(rows)
    while len(rest):
        part = [_of_rows(column, rest) for column in columns]
        met = conditions.of_rows(rest)
        allowance = int(left_over * times[rest].sum())
        recoding = best_recoding(part, met, allowance, context, times[rest], MOST_TAKEN)
        if recoding is None or not recoding.suppressed.any():
            if recoding is None and len(rest) == rows:
                return None
            if recoding is not None:
                levels[rest] = recoding.node
            break
        levels[rest[~recoding.suppressed]] = recoding.node
        rest = rest[recoding.suppressed]
    return _refined(columns, conditions, levels, times)


def _of_rows(column: Levels, rows: NDArray[np.int64]) -> Levels:
    return replace(column, values=column.values[rows])


def _refined(
    columns: Sequence[Levels], conditions: Conditions, levels: LevelOf, times: Times
) -> LevelOf:
    """Go down a level, class by class, in the column that saves most, until none does."""
    levels = levels.copy()
    labels, count = _classes(columns, levels)
    open_to = np.ones((len(columns), count), dtype=bool)  # what failed once is not tried again
    while True:
        saved = np.zeros((len(columns), count))
        goes = []
        for j, column in enumerate(columns):
            lower = np.maximum(levels[:, j] - 1, 0)
            down = (levels[:, j] > 0) & open_to[j][labels]
            parts, down = _parts(column, lower, labels, count, down, conditions, times)
            gain = column.loss[levels[:, j], column.values] - column.loss[lower, column.values]
            saved[j] = np.bincount(labels, np.where(down, times * (gain + 1e-9), 0.0), count)
            open_to[j] = np.bincount(labels, down, count) > 0
            goes.append((parts, down))
        best = saved.argmax(axis=0)
        if not saved.any():
            return levels
        before, moved = labels, np.zeros(len(labels), dtype=bool)
        parted = labels * 1
        for j, (parts, down) in enumerate(goes):
            refined = down & (best[labels] == j)
            levels[refined, j] -= 1
            parted[refined] = count + j * len(labels) + parts[refined]
            moved |= refined
        labels, refined_count = numbered(parted, count + len(columns) * max(1, len(labels)))
        first = np.zeros(refined_count, dtype=np.int64)
        first[labels] = before
        changed = np.zeros(refined_count, dtype=bool)
        changed[labels[moved]] = True
        shrunk = np.zeros(count, dtype=bool)
        shrunk[before[moved]] = True
        # A part of a class may go down where the whole could not; so may what stayed behind.
        open_to = open_to[:, first] | changed | shrunk[first]
        count = refined_count


def _classes(columns: Sequence[Levels], levels: LevelOf) -> tuple[NDArray[np.int64], int]:
    """Return the classes of records with the same levels and labels."""
    labels, count = np.zeros(len(levels), dtype=np.int64), 1
    for j, column in enumerate(columns):
        for values, width in (
            (levels[:, j], column.height + 1),
            (column.codes[levels[:, j], column.values], column.codes.shape[1]),
        ):
            labels, count = numbered(labels * width + values, count * width)
    return labels, count


def _parts(
    column: Levels,
    lower: NDArray[np.int64],
    labels: NDArray[np.int64],
    count: int,
    down: NDArray[np.bool_],
    conditions: Conditions,
    times: Times,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the parts into which classes fall a level lower, and which records go down."""
    width = column.codes.shape[1]
    below = column.codes[lower, column.values]
    parts, part_count = numbered(
        np.where(down, labels * width + below, labels * width), count * width
    )
    small, far = conditions.failing(parts, _sizes(parts, times, part_count))
    down = down & ~(small | far)[parts]
    # What stays behind in each class is a class too; if it fails, the class stays whole.
    both, part_count = numbered(np.where(down, count + parts, labels), count + max(1, part_count))
    small, far = conditions.failing(both, _sizes(both, times, part_count))
    broken = np.zeros(count, dtype=bool)
    broken[labels[(small | far)[both]]] = True
    return parts, down & ~broken[labels]


def _sizes(labels: NDArray[np.int64], times: Times, count: int) -> NDArray[np.int64]:
    """Return the records of each class."""
    return np.bincount(labels, times, count).astype(np.int64)


def mean_loss(columns: Sequence[Levels], levels: LevelOf, times: Times | None = None) -> float:
    """Return the mean loss of a cell when each record has its own levels."""
    if not len(levels):
        return 0.0
    losses = [
        np.average(c.loss[levels[:, j], c.values], weights=times) for j, c in enumerate(columns)
    ]
    return float(np.mean(losses))


def locally_recoded(levels: Levels, level: NDArray[np.int64]) -> Column:
    """Return a column whose records have labels of different levels; unchanged if all have 0."""
    column = levels.column
    if not level.any():
        return column
    position: dict[str, int] = {}
    parts: dict[str, Decoding] = {}
    released = np.full(len(level), MISSING_CODE, dtype=np.int32)
    for n in np.unique(level).tolist():
        texts, decoding = levels.labels[n], levels.decodings[n]
        if not n:
            distinct = encoded(column)[0]
            texts = tuple(value_texts(column, distinct, levels.unit))
            decoding = Decoding.sets(column.attribute, np.arange(len(distinct) + 1), distinct)
        rows = np.flatnonzero(level == n)
        codes = levels.codes[n][levels.values[rows]]
        used = np.unique(codes[codes < len(texts)]).tolist()
        place = np.full(int(levels.codes[n].max(initial=0)) + 1, MISSING_CODE, dtype=np.int32)
        place[used] = [position.setdefault(texts[code], len(position)) for code in used]
        # A label that two levels share means all that it covers on the higher one.
        parts |= {texts[code]: decoding.take(np.array([code])) for code in used}
        released[rows] = place[codes]
    decoding = Decoding.together(column.attribute, [parts[text] for text in position])
    return column.recoded(released, Kind.NOMINAL, position, decoding)
