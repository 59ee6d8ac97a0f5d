"""Columns as numbers and back."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.errors import DataError
from discreet.microdata import numeric_coding
from discreet.microdata.numeric_coding import columns_from, numbers_of

DATA = discreet.read(
    {
        "age": [30, 50, None],
        "town": ["Bron", None, "Ayle"],
        "grade": ["high", "low", None],
    },
    kinds={"grade": ["low", "middle", "high"]},
)


def test_numbers_of_every_kind() -> None:
    expected: list[list[float]] = [[30, 0, 1, 2], [50, np.nan, np.nan, 0], [np.nan, 1, 0, np.nan]]
    assert np.array_equal(numbers_of(DATA, DATA.schema.names), expected, equal_nan=True)


def test_there_and_back_is_the_same() -> None:
    names = DATA.schema.names
    for column in columns_from(DATA, names, numbers_of(DATA, names)):
        assert column.same_as(DATA.column(column.name))


def test_back_takes_the_nearest_category_within_the_scale() -> None:
    numbers = np.array([[1.5, 0.2, 0.9, 7.0], [2.5, 0.6, 0.4, -3.0], [3.2, 0.5, 0.5, 0.9]])
    age, town, grade = columns_from(DATA, DATA.schema.names, numbers, whole=True)
    assert age.values.tolist() == [2, 2, 3]
    assert town.values.tolist() == [1, 0, 0]
    assert grade.values.tolist() == [2, 0, 1]


def test_too_many_categories_for_the_memory_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numeric_coding, "MAX_CELLS", 10)
    with pytest.raises(DataError, match="column 'town' alone has 2 categories: recode it to fewer"):
        numbers_of(DATA, DATA.schema.names)
