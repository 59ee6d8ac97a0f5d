"""Levels as a user gives them: intervals, mappings, hierarchies."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

import discreet
from discreet.errors import UsageError
from discreet.methods.nonperturbative.full_domain.given import Given

DAYS = [date(1931, 4, 2) + timedelta(days=311 * i) for i in range(60)]


def table(born: list[Any]) -> discreet.Microdata:
    return discreet.read({"born": born}, roles={"born": "quasi-identifier"})


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"intervals": {"age": [5, 3]}}, "must be ascending numbers"),
        ({"intervals": {"age": "5"}}, "must be ascending numbers"),
        ({"intervals": {"town": [1]}}, "continuous columns, but 'town' is nominal"),
        ({"widths": {"age": 0}}, "numbers above 0, but 0 was given for 'age'"),
        ({"widths": {"agee": 5}}, "names 'agee', which is not a treated column"),
        ({"mappings": {"town": ["Ayle"]}}, "must give each new category its old ones"),
        ({"mappings": {"town": {"x": ["Ayle"], "y": ["Ayle"]}}}, "two new categories"),
        ({"intervals": {"age": [1]}, "widths": {"age": 5}}, "two ways to recode"),
    ],
)
def test_what_is_said_of_columns_is_checked(told: dict[str, object], message: str) -> None:
    data = discreet.read({"age": [20, 30], "town": ["Ayle", "Bron"]})
    with pytest.raises(UsageError, match=message):
        Given(data, ["age", "town"], "GlobalRecoding", **told)  # type: ignore[arg-type]


@pytest.mark.parametrize("names", [["Nowhere"], ["Ayle", "Brom"]])
def test_a_mapping_names_values_of_the_column(names: list[str]) -> None:
    data = discreet.read({"town": ["Ayle", "Bron"]})
    told = Given(data, ["town"], "GlobalRecoding", mappings={"town": {"coast": names}})
    with pytest.raises(UsageError, match=f"'{names[-1]}', which is not a value of column 'town'"):
        told.levels("town")


def test_a_mapping_may_name_values_that_a_small_file_lacks() -> None:
    data = discreet.read({"town": ["Ayle", "Bron"]})
    told = Given(
        data, ["town"], "GlobalRecoding", mappings={"town": {"coast": ["Ayle", "Porthaven"]}}
    )
    assert told.levels("town").labels[1] == ("coast", "Bron")


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ({"intervals": {"born": [5, 9]}}, "ascending dates at which they begin"),
        ({"intervals": {"born": ["1970-01-01", "1960-01-01"]}}, "ascending dates"),
        ({"widths": {"born": 5}}, "'born' holds dates"),
    ],
)
def test_what_is_no_date_is_refused(told: dict[str, Any], text: str) -> None:
    with pytest.raises(UsageError, match=text):
        Given(table(DAYS), ["born"], "GlobalRecoding", **told)
