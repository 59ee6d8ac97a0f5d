"""Ranks of a column's values, equal values in random order."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.microdata.ascending import ascending
from discreet.microdata.hierarchy import text_of
from discreet.microdata.lasting import once
from discreet.microdata.schema import Kind
from discreet.microdata.table import Column, Microdata
from discreet.microdata.whole_numbers import whole_numbers

SHORT = 2**15
"""Below this many categories, codes fit into the integer type that NumPy sorts by counting."""


class _InOrder(NamedTuple):
    """The rows with a value, and the order of these: by short codes, or as it is."""

    rows: NDArray[np.int64]
    short: NDArray[np.int16] | None
    order: NDArray[np.int64]
    equal: NDArray[np.bool_]
    """Which of the values in their order are equal to the one before."""


def ranked(
    column: Column, generator: np.random.Generator, table: Microdata | None = None
) -> NDArray[np.int64]:
    """Return the rows with a value, from the lowest value to the highest.

    Equal values come in random order, not in that of the file. The order of the others is computed
    once if the column is that of a lasting `table`.

    >>> import discreet
    >>> column = discreet.read({"x": [7.0, 1.0, None, 3.0]}).column("x")
    >>> ranked(column, np.random.default_rng(1))
    array([1, 3, 0])
    """
    if table is None:
        rows, short, order, equal = _in_order(column)
    else:
        rows, short, order, equal = once(
            table, ("in order", column.name), lambda: _in_order(column)
        )
    # By a random number per row: a sort does not define which of equal values comes first.
    lots = generator.random(len(rows))
    if short is not None:
        drawn = ascending(lots)
        return np.asarray(rows[drawn[np.argsort(short[drawn], kind="stable")]])
    if equal.any():
        tied = np.concatenate([[False], equal]) | np.concatenate([equal, [False]])
        block = np.concatenate([[0], np.cumsum(~equal)])
        places = np.flatnonzero(tied)
        tied_rows = order[places]
        order = order.copy()
        order[places] = tied_rows[np.lexsort((lots[tied_rows], block[places]))]
    return np.asarray(rows[order])


def _in_order(column: Column) -> _InOrder:
    rows = np.flatnonzero(~column.missing)
    short = _short_codes(column, rows)
    if short is not None:
        return _InOrder(rows, short, rows[:0], np.zeros(0, dtype=bool))
    values = order_of(column).astype(np.float64, copy=False)[rows]
    order = ascending(values)
    values = values[order]
    return _InOrder(rows, None, order, values[1:] == values[:-1])


def _short_codes(column: Column, rows: NDArray[np.int64]) -> NDArray[np.int16] | None:
    """Return whole numbers in the order of the values of some rows, if few numbers are possible."""
    if not column.attribute.continuous:
        few = len(column.attribute.categories) < SHORT
        return order_of(column)[rows].astype(np.int16) if few else None
    whole = whole_numbers(column.values[rows])
    return whole[0].astype(np.int16) if whole is not None and whole[1] < SHORT else None


def order_of(column: Column) -> NDArray[Any]:
    """Return what the values are ranked by: numbers, places in an order, or in the alphabet.

    >>> import discreet
    >>> order_of(discreet.read({"town": ["Bron", "Ayle", None]}).column("town"))
    array([ 1,  0, -1])
    """
    if column.attribute.kind is not Kind.NOMINAL:
        return column.values
    texts = [text_of(category) for category in column.attribute.categories]
    places = np.empty(len(texts) + 1, dtype=np.int64)
    places[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))
    places[-1] = -1
    return np.asarray(places[column.values])
