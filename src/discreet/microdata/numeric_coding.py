"""Numeric coding: columns of every kind as numbers to be perturbed, and numbers as columns again.

Perturbation and averages need numbers. A continuous column is itself, an ordinal one the number of
its category, a nominal one a 0–1 indicator for each category (Li & Sarkar 2013, §7: categorical
attributes in 0–1 format). On the way back a continuous column keeps its real values; an ordinal
column takes the nearest category, and a nominal one the category whose indicator is largest, since
there is nothing between two categories.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from discreet.errors import DataError
from discreet.microdata.arrays import Numbers
from discreet.microdata.dates import step_of
from discreet.microdata.embedding import MAX_CELLS
from discreet.microdata.schema import Kind
from discreet.microdata.table import MISSING_CODE, Column, Microdata


def numbers_of(data: Microdata, names: Sequence[str]) -> Numbers:
    """Return the columns as numbers, one row per record; NaN where a value is missing.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 50, None], "sex": ["f", "m", "m"]})
    >>> numbers_of(data, ["age", "sex"])
    array([[30.,  1.,  0.],
           [50.,  0.,  1.],
           [nan,  0.,  1.]])
    """
    columns = [data.column(name) for name in names]
    width = sum(map(_width, columns))
    if len(data) * width > MAX_CELLS:
        widest = max(columns, key=_width)
        raise DataError(
            f"{len(data):,} records with {width} numbers each do not fit in memory; column "
            f"'{widest.name}' alone has {_width(widest)} categories: recode it to fewer"
        )
    numbers = np.empty((len(data), width))
    at = 0
    for column in columns:
        part = numbers[:, at : at + _width(column)]
        if column.attribute.kind is Kind.NOMINAL:
            part[:] = column.values[:, None] == np.arange(_width(column))
        else:
            part[:] = column.values[:, None]
        part[column.missing] = np.nan
        at += _width(column)
    return numbers


def columns_from(
    data: Microdata, names: Sequence[str], numbers: Numbers, *, whole: bool = False
) -> list[Column]:
    """Return the columns of these numbers; `whole` rounds as `whole_again` does.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 50], "sex": ["f", "m"]})
    >>> age, sex = columns_from(data, ["age", "sex"], np.array([[31.4, 0.7, 0.3], [48.6, 0, 1]]))
    >>> age.values, sex.values
    (array([31.4, 48.6]), array([0, 1], dtype=int32))
    """
    columns = []
    at = 0
    for name in names:
        column = data.column(name)
        part = numbers[:, at : at + _width(column)]
        at += part.shape[1]
        if column.attribute.continuous:
            made = part[:, 0]
            columns.append(whole_again(data, name, made) if whole else column.with_values(made))
            continue
        known = ~np.isnan(part).any(axis=1)
        codes = np.full(len(part), MISSING_CODE, dtype=np.int32)
        if not part.shape[1]:
            pass  # a column without categories has no values at all
        elif column.attribute.kind is Kind.NOMINAL:
            codes[known] = part[known].argmax(axis=1)
        else:
            top = max(len(column.attribute.categories) - 1, 0)
            codes[known] = np.clip(np.rint(part[known, 0]), 0, top)
        columns.append(column.with_values(codes))
    return columns


def whole_again(data: Microdata, name: str, released: Numbers) -> Column:
    """Return the released column, rounded if the original holds only whole numbers or days.

    >>> import discreet
    >>> data = discreet.read({"x": [1, 2, None]})
    >>> whole_again(data, "x", np.array([1.2, 2.7, np.nan])).values
    array([ 1.,  3., nan])
    """
    column, step = data.column(name), step_of(data, name)
    whole = step > 1 or holds_whole_numbers(column)
    return column.with_values(np.rint(released / step) * step if whole else released)


def numbers_rounded(
    rows: Microdata, names: Sequence[str], released: Numbers, whole: Collection[str] | None
) -> list[Column]:
    """Return columns of numbers; with `whole`, rounded where it names them, dates to whole days.

    >>> import discreet
    >>> data = discreet.read({"x": [1, 2], "y": [1, 2]})
    >>> made = np.array([[1.2, 1.2], [2.7, 2.7]])
    >>> [column.values for column in numbers_rounded(data, ["x", "y"], made, {"x"})]
    [array([1., 3.]), array([1.2, 2.7])]
    """
    return [
        rows.column(name).with_values(rounded_to_whole(rows, name, released[:, j], whole))
        for j, name in enumerate(names)
    ]


def rounded_to_whole(
    data: Microdata, name: str, values: Numbers, whole: Collection[str] | None
) -> Numbers:
    """Return numbers of a column, rounded where `whole` names it, and dates to whole days.

    >>> import discreet
    >>> rounded_to_whole(discreet.read({"x": [1]}), "x", np.array([1.2]), {"x"})
    array([1.])
    """
    step = step_of(data, name)
    if whole is None or not (step > 1 or name in whole):
        return values
    return np.asarray(np.rint(values / step) * step)


def holds_whole_numbers(column: Column) -> bool:
    """Whether a continuous column has only whole numbers.

    >>> import discreet
    >>> holds_whole_numbers(discreet.read({"age": [30, None]}).column("age"))
    True
    """
    present = column.values[~column.missing]
    return bool(np.array_equal(present, np.floor(present)))


def _width(column: Column) -> int:
    nominal = column.attribute.kind is Kind.NOMINAL
    return len(column.attribute.categories) if nominal else 1
