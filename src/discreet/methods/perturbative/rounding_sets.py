"""Rounding sets: the multiples of a base, or given points, to which values are rounded."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Entries
from discreet.errors import UsageError
from discreet.microdata import Microdata, Numbers
from discreet.microdata.dates import day_of, moment, unit_of

RoundingSet = float | Numbers
"""A base, whose multiples are the rounding points, or the points themselves in ascending order."""


def rounding_sets(
    data: Microdata,
    names: Sequence[str],
    base: float,
    bases: Entries,
    points: Entries,
    owner: str,
) -> dict[str, RoundingSet]:
    """Return the rounding set of each column: its points, else its base, else the common base.

    In a column of dates a base counts days, and the points are dates.

    >>> import discreet
    >>> data = discreet.read({"age": [31], "pay": [1800]})
    >>> rounding_sets(data, ["age", "pay"], 10.0, {"pay": 100}, None, "Rounding")
    {'age': 10.0, 'pay': 100.0}
    """
    days = {name: day_of(data, name) or 1.0 for name in names}
    sets: dict[str, RoundingSet] = {name: base * days[name] for name in names}
    for table in (bases, points):
        for name, value in (table or {}).items():
            if name not in sets:
                raise UsageError(
                    f"{owner} has a rounding rule for column '{name}', which it does not treat; "
                    "name the columns to treat with columns=[…], or leave it out"
                )
            if table is bases:
                sets[name] = _base(value, str(name), owner) * days[name]
            else:
                sets[name] = np.unique(point_list(data, value, name, owner))
    return sets


def point_list(data: Microdata, values: Any, name: str, owner: str) -> Numbers:
    """Return the rounding points of a column in the order given; raise if they are not usable."""
    unit = unit_of(data, name)
    numbers = [_point(v, unit) for v in values] if isinstance(values, tuple | list) else []
    if not numbers or not all(map(math.isfinite, numbers)):
        expected = "numbers, such as [0, 10, 50]"
        if unit is not None:
            expected = "dates, such as [1950-01-31, 1980-01-31]"
        raise UsageError(
            f"the rounding points of column '{name}' in {owner} must be a list of {expected}, but "
            f"{values!r} was given"
        )
    return np.array(numbers)


def _point(value: Any, unit: str | None) -> float:
    if unit is None:
        return _number(value)
    at = moment(value, unit)
    return math.nan if at is None else float(at)


def neighbours(values: Numbers, points: RoundingSet) -> tuple[Numbers, Numbers]:
    """Return the rounding points next to each value, from below and from above.

    A value beyond the last point has that one on both sides; missing stays missing.

    >>> neighbours(np.array([12.0, 20.0]), 10.0)
    (array([10., 20.]), array([20., 20.]))
    >>> neighbours(np.array([12.0, 70.0]), np.array([0.0, 15.0, 50.0]))
    (array([ 0., 50.]), array([15., 50.]))
    """
    if isinstance(points, float):
        return _multiples(values, points)
    at = np.searchsorted(points, values, side="right") - 1
    low = points[np.maximum(at, 0)]
    exact = low == values
    high = np.where(exact, low, points[np.minimum(at + 1, len(points) - 1)])
    low = np.where(values > points[-1], points[-1], low)
    missing = np.isnan(values)
    return np.where(missing, np.nan, low), np.where(missing, np.nan, high)


def _multiples(values: Numbers, base: float) -> tuple[Numbers, Numbers]:
    """Return the multiples of a base below and above each value."""
    # Below the smallest normal number a base has no inverse.
    inverse = round(1 / base) if sys.float_info.min <= base < 1 else 0
    # A tenth has no exact form: 3 · 0.1 is not the float 0.3, but 3 / 10 is.
    by_division = inverse > 0 and math.isclose(inverse * base, 1, rel_tol=1e-12)
    with np.errstate(over="ignore", invalid="ignore"):
        steps = values * inverse if by_division else values / base
        whole = np.rint(steps)
        steps = np.where(np.abs(steps - whole) <= 1e-9, whole, steps)
        low, high = (
            side / inverse if by_division else side * base
            for side in (np.floor(steps), np.ceil(steps))
        )
    # This many steps from zero, a number has no digits left to round.
    beyond = np.abs(steps) >= 2.0**53
    return np.where(beyond, values, low), np.where(beyond, values, high)


def nearest_point(values: Numbers, points: RoundingSet) -> Numbers:
    """Return the nearest rounding point; values halfway between two multiples go up.

    >>> nearest_point(np.array([12.0, 15.0, 25.0, -15.0]), 10.0)
    array([ 10.,  20.,  30., -10.])
    """
    low, high = neighbours(values, points)
    return np.asarray(np.where(values - low < high - values, low, high))


def nearest_vectors(values: Numbers, vectors: Numbers, spread: Numbers) -> NDArray[np.int64]:
    """Return the number of the nearest vector for each record, in units of `spread`.

    >>> nearest_vectors(np.array([[1.0, 9.0]]), np.array([[0.0, 0.0], [0.0, 9.0]]), np.ones(2))
    array([1])
    """
    from scipy.spatial import cKDTree

    return np.asarray(cKDTree(vectors / spread).query(values / spread)[1], dtype=np.int64)


def _base(value: Any, name: str, owner: str) -> float:
    number = _number(value)
    if not (math.isfinite(number) and number > 0):
        raise UsageError(
            f"the base of column '{name}' in {owner} must be a number above 0, but {value!r} was "
            "given"
        )
    return number


def _number(value: Any) -> float:
    real = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if real else math.nan


def vectors_of(data: Microdata, points: Entries, names: Sequence[str], owner: str) -> Numbers:
    """Return rounding points in several dimensions: the n-th point of every column make one.

    >>> import discreet
    >>> data = discreet.read({"age": [31], "pay": [18]})
    >>> vectors_of(data, {"age": [20, 40], "pay": [10, 30]}, ["age", "pay"], "Rounding")
    array([[20., 10.],
           [40., 30.]])
    """
    missing = [name for name in names if name not in (points or {})]
    if points is None or missing:
        raise UsageError(
            f"{owner} with together needs points for every treated column, but '{missing[0]}' "
            "has none; give points, or name fewer columns with columns=[…]"
        )
    lists = [point_list(data, points[name], name, owner) for name in names]
    counts = [len(column) for column in lists]
    if len(set(counts)) > 1:
        raise UsageError(
            f"{owner} with together needs the same number of points for each column, since the "
            f"n-th of all make one vector, but {', '.join(map(str, counts))} were given"
        )
    return np.column_stack(lists)
