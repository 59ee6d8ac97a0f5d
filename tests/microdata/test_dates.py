"""Calendar levels of dates and moments."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.microdata.dates import calendar, moment

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
