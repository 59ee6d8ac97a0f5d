"""Filling gaps: how the value of a suppressed cell is read off the rest of a release.

It may be a function of another column of the record; a tree may predict it from all columns; or
other household members may have it. Each way is tried on half of the cells that are present, after
learning from the other half, and the best is used for the gaps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Column, Microdata, Numbers, Role
from discreet.microdata.clusters import households_of
from discreet.models.many_classes import fit_classes
from discreet.models.recovery import CLOSE

Rows = NDArray[np.int64]
LEARNED_FROM = 10_000
"""The most cells that are learned from and tried on."""
LEAST = 20
"""With fewer cells to try on, nothing can be said about a way of filling."""
LEAF, CLASSES = 5, 50
"""A tree has leaves of at least this size, and distinguishes at most this many categories."""


@dataclass(frozen=True, eq=False)
class Filled:
    """The guesses for some gaps of a column, in what way each was found, and the blind guess.

    `way` has the place in `ways` of each guess, `trusted` how often that way is right where the
    value is there.
    """

    guess: Numbers
    way: Rows
    ways: tuple[str, ...]
    trusted: tuple[float, ...]
    blind: float
    tolerance: float


def filled(table: Microdata, name: str, gaps: Rows, generator: np.random.Generator) -> Filled:
    """Return guesses of the values that are missing in some records.

    >>> import discreet
    >>> town = ["Ayle", "Bron", "Cull"] * 40
    >>> region = ["coast", "coast", "hills"] * 40
    >>> data = discreet.read({"town": town, "region": [None, *region[1:]]})
    >>> found = filled(data, "region", np.array([0]), np.random.default_rng(1))
    >>> data.schema["region"].categories[int(found.guess[0])], found.ways[found.way[0]]
    ('coast', "'town'")
    """
    column = table.column(name)
    known = generator.permutation(np.flatnonzero(~column.missing))[:LEARNED_FROM]
    half = len(known) // 2
    taught, tried = known[:half], known[half:]
    values = column.values.astype(np.float64)
    tolerance = CLOSE * float(values[known].std()) if column.attribute.continuous else 0.0
    blind = typical(values[taught], column) if half else np.nan
    guess = np.full(len(gaps), blind)
    way = np.zeros(len(gaps), dtype=np.int64)
    ways, trusted = ["the commonest value"], [0.0]
    if half < LEAST:
        return Filled(guess, way, tuple(ways), tuple(trusted), blind, tolerance)
    trusted[0] = _right(np.full(len(tried), blind), values[tried], tolerance)
    asked = np.concatenate([tried, gaps])
    best = trusted[0]
    for words, guesses in _off_columns(table, column, taught, asked, blind):
        right = _right(guesses[: len(tried)], values[tried], tolerance)
        if right > best:
            best, guess = right, guesses[len(tried) :]
            ways.append(words)
            trusted.append(right)
            way[:] = len(ways) - 1
    mates = _off_mates(table, column, asked)
    known_mates = ~np.isnan(mates[: len(tried)])
    if known_mates.sum() >= LEAST:
        right = _right(mates[: len(tried)][known_mates], values[tried[known_mates]], tolerance)
        if right > best:
            ways.append("others of the household")
            trusted.append(right)
            by_mates = ~np.isnan(mates[len(tried) :])
            guess = np.where(by_mates, mates[len(tried) :], guess)
            way[by_mates] = len(ways) - 1
    return Filled(guess, way, tuple(ways), tuple(trusted), blind, tolerance)


def _right(guesses: Numbers, truth: Numbers, tolerance: float) -> float:
    return float((np.abs(guesses - truth) <= tolerance * (1 + 1e-9)).mean())


def typical(values: Numbers, column: Column) -> float:
    """Return the median of numbers, or the commonest code of a column of categories."""
    if column.attribute.continuous:
        return float(np.median(values))
    return float(np.bincount(values.astype(np.int64)).argmax())


def _off_columns(
    table: Microdata, column: Column, taught: Rows, asked: Rows, blind: float
) -> Iterator[tuple[str, Numbers]]:
    """Yield what each other column says, and what a tree makes of all of them."""
    others = [
        c
        for c in table
        if c.name != column.name and c.attribute.role not in (Role.HOUSEHOLD, Role.PERSON)
    ]
    rows = np.concatenate([taught, asked])
    values = column.values[taught].astype(np.float64)
    coded = []
    for other in others:
        codes = np.unique(other.values[rows], return_inverse=True)[1].reshape(-1)
        coded.append(codes)
        yield f"'{other.name}'", _by_code(column, values, codes, len(taught), blind)
    kinds = len(np.unique(values))
    if len(others) < 2 or (not column.attribute.continuous and kinds > CLASSES) or kinds < 2:
        return
    yield "the other columns together", _by_tree(column, values, coded, len(taught))


def _by_code(column: Column, values: Numbers, codes: Rows, taught: int, blind: float) -> Numbers:
    """Return the mean, or the commonest value, of the taught records with the same code."""
    count = int(codes.max()) + 1
    taught_codes = codes[:taught]
    seen = np.bincount(taught_codes, minlength=count)
    best: Numbers
    if column.attribute.continuous:
        best = np.bincount(taught_codes, values, count) / np.maximum(seen, 1)
    else:
        width = int(values.max(initial=0)) + 1
        pairs, times = np.unique(taught_codes * width + values.astype(np.int64), return_counts=True)
        order = np.argsort(times, kind="stable")
        best = np.zeros(count)
        best[pairs[order] // width] = pairs[order] % width
    return np.where(seen > 0, best, blind)[codes[taught:]]


def _by_tree(column: Column, values: Numbers, coded: Sequence[Rows], taught: int) -> Numbers:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    features = np.column_stack(list(coded))
    learner = DecisionTreeRegressor if column.attribute.continuous else DecisionTreeClassifier
    tree = learner(min_samples_leaf=LEAF, random_state=0)
    fit_classes(tree, features[:taught], values)
    return np.asarray(tree.predict(features[taught:]), dtype=np.float64)


def _off_mates(table: Microdata, column: Column, asked: Rows) -> Numbers:
    """Return the mean, or commonest value, of the others of a household; NaN if none has one."""
    of_mates = np.full(len(asked), np.nan)
    households = households_of(table)
    if households is None:
        return of_mates
    order = np.argsort(households.labels, kind="stable")
    starts = np.searchsorted(households.labels[order], np.arange(len(households.sizes) + 1))
    missing = column.missing
    for place, row in enumerate(asked.tolist()):
        label = int(households.labels[row])
        mates = order[starts[label] : starts[label + 1]]
        mates = mates[(mates != row) & ~missing[mates]]
        if len(mates):
            values = column.values[mates].astype(np.float64)
            of_mates[place] = (
                values.mean() if column.attribute.continuous else typical(values, column)
            )
    return of_mates
