"""Dates as they are written, and their months, years and spans of years.

Internally a date is a number of days and a moment a number of microseconds since 1970. Readers
would not recognise these, so they are formatted here.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.microdata.arrays import Numbers
from discreet.microdata.table import Microdata

DAY = {"D": 1.0, "us": 86_400e6}
"""A day in the units of dates and of moments."""
SPANS = {"month": 1, "quarter": 3, "year": 12}
"""Spans of the calendar, in months."""
FIRST_SPAN = 5
"""Years of the first level above single years; each further span is twice as long."""


def unit_of(data: Microdata, name: str) -> str | None:
    """Return what a column of dates counts since 1970: "D" or "us"; None for other columns.

    >>> import discreet
    >>> data = discreet.read({"born": [date(1990, 5, 17)], "age": [31]})
    >>> unit_of(data, "born"), unit_of(data, "age")
    ('D', None)
    """
    import narwhals as nw

    dtype = _dtype(data, name)
    if isinstance(dtype, nw.Date | nw.Datetime):
        return "D" if isinstance(dtype, nw.Date) else "us"
    return None


def day_of(data: Microdata, name: str) -> float | None:
    """Return how much a day counts in a column of dates; None for other columns.

    >>> import discreet
    >>> data = discreet.read({"born": [datetime(1990, 5, 17)], "age": [31]})
    >>> day_of(data, "born"), day_of(data, "age")
    (86400000000.0, None)
    """
    unit = unit_of(data, name)
    return None if unit is None else DAY[unit]


def step_of(data: Microdata, name: str) -> float:
    """Return a day for dates without a time of day, as it counts in their column, else 1.

    >>> import discreet
    >>> data = discreet.read({"born": [datetime(1990, 5, 17)], "seen": [datetime(1990, 5, 17, 8)]})
    >>> step_of(data, "born"), step_of(data, "seen")
    (86400000000.0, 1.0)
    """
    day, column = day_of(data, name), data.column(name)
    return day if day and not (column.values[~column.missing] % day).any() else 1.0


def refuse_times(data: Microdata, names: Sequence[str], owner: str) -> None:
    """Refuse times of day and durations, which have no calendar."""
    for name in names:
        dtype = _dtype(data, name)
        if dtype is not None and dtype.is_temporal() and unit_of(data, name) is None:
            raise DataError(
                f"{owner} recodes dates, but column '{name}' holds times of day or durations; turn "
                "it into numbers, such as hours, before reading"
            )


def _dtype(data: Microdata, name: str) -> Any:
    if data.source is None or not data.schema[name].continuous:
        return None
    # Many ask for each column, and a series of the frame takes longer to make than they take.
    known = data.source.types
    if name not in known:
        known[name] = _dtype_of(data.source.frame.get_column(name))
    return known[name]


def _dtype_of(series: Any) -> Any:
    import narwhals as nw

    if series.dtype != nw.Object:
        return series.dtype
    # pandas holds dates as Python objects, all of one type, among missing values (NaN or None).
    first = next((value for value in series if value is not None and value == value), None)
    if isinstance(first, datetime):
        return nw.Datetime()
    return nw.Date() if isinstance(first, date) else series.dtype


def date_texts(dates: Numbers, unit: str) -> list[str]:
    """Return dates as they are written, with the time of day if one of them has any.

    >>> date_texts(np.array([0.0, 7441.0]), "D")
    ['1970-01-01', '1990-05-17']
    """
    return [str(text) for text in np.datetime_as_string(_moments(dates, unit), unit="auto")]


def moment(value: object, unit: str) -> Decimal | None:
    """Return a date as its number; None if the value is not a date.

    >>> moment("1990-05-17", "D"), moment(date(1970, 1, 2), "us"), moment(12, "D")
    (Decimal('7441'), Decimal('86400000000'), None)
    """
    if not isinstance(value, str | date):
        return None
    try:
        at = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    at = at.astimezone(UTC).replace(tzinfo=None) if at.tzinfo else at
    return Decimal(int(np.array([at], dtype=f"datetime64[{unit}]").astype(np.int64)[0]))


def date_labels(cuts: Sequence[Decimal], unit: str) -> list[str]:
    """Return what the dates before, between and after some cuts are called.

    >>> date_labels([Decimal(0), Decimal(7441)], "D")
    ['before 1970-01-01', 'from 1970-01-01 to before 1990-05-17', '1990-05-17 and after']
    """
    texts = date_texts(np.array([float(cut) for cut in cuts]), unit)
    between = [f"from {a} to before {b}" for a, b in pairwise(texts)]
    return [f"before {texts[0]}", *between, f"{texts[-1]} and after"]


def calendar(dates: Numbers, unit: str) -> tuple[list[NDArray[np.int64]], list[list[str]]]:
    """Return the month, the year, and spans of years of some dates, level by level.

    >>> calendar(np.array([0.0, 40.0, 7441.0]), "D")[1][:3]
    [['1970-01', '1970-02', '1990-05'], ['1970', '1990'], ['1970–1974', '1990–1994']]
    """
    months = _moments(dates, unit).astype("datetime64[M]").astype(np.int64) + 12 * 1970
    levels: list[NDArray[np.int64]] = []
    labels: list[list[str]] = []
    span = 1
    in_months = True
    while len(dates):
        length = 1 if in_months else 12 * span
        used, level = np.unique(months // length, return_inverse=True)
        # Years before and after the year 0 are in different spans, however long these are.
        if levels and (len(used) == 1 or length > np.abs(months).max()):
            break
        levels.append(level)
        labels.append([_label(int(i) * length, in_months, span) for i in used])
        span = span if in_months else FIRST_SPAN if span == 1 else 2 * span
        in_months = False
    return levels, labels


def first_days(values: Numbers, unit: str, span: str) -> Numbers:
    """Return the first day of the month, quarter or year of some dates; NaN for missing ones.

    >>> first_days(np.array([7441.0, np.nan]), "D", "year").tolist()
    [7305.0, nan]
    """
    missing = np.isnan(values)
    months = _moments(np.where(missing, 0, values), unit).astype("datetime64[M]").astype(np.int64)
    first = (months // SPANS[span] * SPANS[span]).astype("datetime64[M]")
    numbers = first.astype(f"datetime64[{unit}]").astype(np.float64)
    return np.where(missing, np.nan, numbers)


def _label(months: int, single_month: bool, span: int) -> str:
    year, month = divmod(months, 12)
    if single_month:
        return f"{year}-{month + 1:02d}"
    return f"{year}" if span == 1 else f"{year}–{year + span - 1}"


def _moments(dates: Numbers, unit: str) -> NDArray[np.datetime64]:
    # Means of dates need not be whole days; they are released as whole ones.
    return np.rint(dates).astype(np.int64).astype(f"datetime64[{unit}]")
