"""A column that is not there is answered with the names of the others, unless they are values."""

from __future__ import annotations

import pytest

from discreet.microdata.unknown_column import look_like_values, named_by_header, unknown_column


def test_records_that_became_names_are_not_repeated() -> None:
    """A quotation mark that is never closed makes a record part of the header."""
    message = unknown_column("age", ["ge;town\n30", "Quellbrunn"], asked_by="the list of roles")
    assert "names column 'age'" in message
    assert "quotation marks" in message
    assert "Quellbrunn" not in message
    assert "Quellbrunn" not in unknown_column("Quellbrun", ["ge;town\n30", "Quellbrunn"])
    assert "Quellbrunn" not in unknown_column("town", ["twn\nQuellbrunn"])
    assert "'first\nname', 'town'" in unknown_column("pay", ["first\nname", "town"])


@pytest.mark.parametrize(
    "record", [["31", "Quellbrunn"], ["2020-01-31", "Quellbrunn"], ["Quellbrunn", "-1.5e3"]]
)
def test_a_first_line_of_values_is_not_quoted(record: list[str]) -> None:
    message = unknown_column("Quellbrun", record)
    assert "no column 'Quellbrun'" in message
    assert "first line" in message
    assert "Quellbrunn" not in message


def test_names_are_not_quoted_where_none_of_several_is_found() -> None:
    lost = unknown_column("town", ["Quellbrunn", "low"], asked=["town", "grade"], asked_by="a plan")
    assert "nor is any other that it names" in lost
    assert "first line names the columns" in lost
    assert "Quellbrunn" not in lost


def test_a_name_that_is_also_a_value_of_its_column_is_not_quoted() -> None:
    assert "Quellbrunn" in unknown_column("town", ["Quellbrunn"])
    assert "Quellbrunn" not in unknown_column("town", ["Quellbrunn"], repeated_below=True)


def test_one_name_that_is_found_shows_that_the_others_are_names() -> None:
    known = ["AGE ", "2019", "town"]
    message = unknown_column("twon", known, asked=["age", "twon"], repeated_below=True)
    assert "did you mean 'town'? (columns: 'AGE ', '2019', 'town')" in message


def test_what_looks_like_a_value() -> None:
    values = ["0", "1,234", "12:30", "1e400", "nan", "31.12.2020 UTC", "50 %"]
    names = ["age", "v2", "1st", "", "q1-2020", "e5"]
    assert [name for name in (*values, *names) if look_like_values([name])] == values
    assert not named_by_header([], ["age"])
