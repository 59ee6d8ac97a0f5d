"""Formulas: what they mean, and what is wrong with those that mean nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest

import discreet
from discreet.errors import DataError, UsageError
from discreet.models.formula import Formula

DATA = discreet.read(
    {
        "pay": [1.0, math.e, 0.0, None],
        "age": [10, 20, 30, 40],
        "sex": ["f", "m", "m", "f"],
        "town of birth": ["A", "B", "C", "A"],
    }
)


def matrix(text: str) -> tuple[tuple[str, ...], np.ndarray]:
    return Formula.parse(text).matrix(DATA, DATA)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("pay ~ age", ("intercept", "age")),
        ("pay ~ age + age^2", ("intercept", "age", "age^2")),
        ("pay ~ sex", ("intercept", "sex = m")),
        ("pay ~ age:sex", ("intercept", "age:sex = m")),
        ("pay ~ age*sex", ("intercept", "age", "sex = m", "age:sex = m")),
        (
            "pay~`town of birth`",
            ("intercept", "town of birth = B", "town of birth = C"),
        ),
        ("pay ~ age + age", ("intercept", "age")),
    ],
)
def test_terms(text: str, labels: tuple[str, ...]) -> None:
    assert matrix(text)[0] == labels


def test_values() -> None:
    _, x = matrix("pay ~ age*sex + age^2")
    assert x.tolist() == [
        [1, 10, 0, 100, 0],
        [1, 20, 1, 400, 20],
        [1, 30, 1, 900, 30],
        [1, 40, 0, 1600, 0],
    ]


def test_the_logarithm_of_what_has_none_is_missing() -> None:
    y = Formula.parse("log(pay) ~ age").numbers(DATA)
    assert y[:2].tolist() == pytest.approx([0, 1])
    assert np.isnan(y[2:]).all()


def test_categories_are_those_of_the_original() -> None:
    released = DATA.take(np.array([1, 2]))
    labels, x = Formula.parse("pay ~ sex").matrix(released, DATA)
    assert labels == ("intercept", "sex = m")
    assert x[:, 1].tolist() == [1, 1]


@pytest.mark.parametrize("text", ["sex ~ age", "sex == m ~ age", "sex == 'm' ~ age"])
def test_a_yes_or_no(text: str) -> None:
    assert Formula.parse(text).successes(DATA).tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("pay", "a formula is written as 'response ~ column"),
        ("~ age", "a formula is written as"),
        ("pay ~ ", "a formula is written as"),
        ("pay ~ age + ", "'' in the formula"),
        ("pay ~ exp(age)", r"'exp\(age\)' in the formula"),
        ("pay ~ town of birth", "put names with other characters in backquotes"),
    ],
)
def test_what_is_no_formula(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        Formula.parse(text)


def test_unusable_columns() -> None:
    with pytest.raises(UsageError, match=r"a formula names column 'aeg'.*did you mean 'age'"):
        Formula.parse("pay ~ aeg").require(DATA)
    with pytest.raises(DataError, match=r"'log\(sex\)' needs numbers"):
        matrix("pay ~ log(sex)")
    with pytest.raises(DataError, match="'sex' is nominal; use a logistic regression"):
        Formula.parse("sex ~ age").numbers(DATA)
    with pytest.raises(DataError, match="has 3 categories; write 'town of birth == category'"):
        Formula.parse("`town of birth` ~ age").successes(DATA)
    with pytest.raises(UsageError, match="a category that column 'sex' does not have"):
        Formula.parse("sex == x ~ age").successes(DATA)
    with pytest.raises(DataError, match="has other numbers than 0 and 1"):
        Formula.parse("age ~ sex").successes(DATA)
