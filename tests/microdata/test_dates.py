"""Calendar levels of dates and moments."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.microdata.dates import calendar, first_days, moment

DAYS = [date(1931, 4, 2) + timedelta(days=311 * i) for i in range(60)]
MOMENTS = [datetime(1931, 4, 2, 13, 5) + timedelta(days=311 * i) for i in range(60)]


def table(born: list[Any]) -> discreet.Microdata:
    return discreet.read({"born": born}, roles={"born": "quasi-identifier"})


@pytest.mark.parametrize("born", [DAYS, MOMENTS])
def test_each_level_is_a_function_of_the_one_below(born: list[Any]) -> None:
    unit = "D" if born is DAYS else "us"
    levels, labels = calendar(np.unique(table(born)["born"]), unit)
    for lower, upper in pairwise(levels):
        assert len(set(zip(lower, upper, strict=True))) == len(set(lower))
    assert all(len(texts) > 1 for texts in labels)


def test_moments_with_a_time_zone_are_taken_in_universal_time() -> None:
    assert moment("1970-01-01T02:00:00+02:00", "us") == 0


@pytest.mark.parametrize(
    ("span", "first"),
    [("month", date(1968, 5, 1)), ("quarter", date(1968, 4, 1)), ("year", date(1968, 1, 1))],
)
def test_first_days_before_and_after_1970(span: str, first: date) -> None:
    days = np.array([(date(1968, 5, 17) - date(1970, 1, 1)).days], dtype=float)
    assert first_days(days, "D", span)[0] == (first - date(1970, 1, 1)).days
    assert (
        first_days(days * 86_400e6 + 5, "us", span)[0] == (first - date(1970, 1, 1)).days * 86_400e6
    )


def test_dates_before_and_after_the_year_zero_end_in_a_span() -> None:
    days = np.array([-2e6, -8e5, 0.0, 3750.0])
    levels, labels = calendar(days, "D")
    assert len(levels) == len(labels) < 20
    assert [len(set(level)) for level in levels] == [len(texts) for texts in labels]
    for lower, upper in pairwise(levels):
        assert len(set(zip(lower, upper, strict=True))) == len(set(lower))
