"""Regressions with drawn parameters: parameters of known models, and that they are drawn."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet import UsageError
from discreet.models.sequential.models import Regression, checked_model, suitable


def test_the_model_that_suits_a_column() -> None:
    data = discreet.read(
        {"n": [1.5, 2.0, 3.0, 7.0], "two": [3, 3, 4, 4], "zeros": [0, 0, 2.5, 4.0],
         "semi": [0.0, 5.0, 6.0, 9.0], "sex": ["f", "m", "f", "m"], "town": list("abca"),
         "grade": ["low", "high", "mid", "low"]},
        kinds={"grade": ["low", "mid", "high"]},
    )  # fmt: skip
    assert {column.name: suitable(column) for column in data} == {
        "n": "scores", "two": "logistic", "zeros": "scores", "semi": "scores",
        "sex": "logistic", "town": "multinomial", "grade": "ordered",
    }  # fmt: skip
    assert {column.name: suitable(column, "raw") for column in data} == {
        "n": "normal", "two": "logistic", "zeros": "normal", "semi": "semicontinuous",
        "sex": "logistic", "town": "multinomial", "grade": "ordered",
    }  # fmt: skip


def test_two_numbers_stay_two_numbers() -> None:
    data = discreet.read({"age": list(range(40)), "smokes": [0.0, 7.0] * 20})
    generator = np.random.default_rng(1)
    made = Regression.fit(data, data.column("smokes"), ["age"], generator).draw(data, generator)
    assert set(made.tolist()) == {0.0, 7.0}


@pytest.mark.parametrize(
    ("model", "column", "said"),
    [
        ("poisson", "n", "must be given one of the models scores"),
        ("count", "n", "values other than whole numbers of 0 or more"),
        ("semicontinuous", "signs", "values of both signs"),
        ("logistic", "n", "more than two values"),
        ("ordered", "town", "which is nominal"),
        ("normal", "town", "which is nominal; choose one of logistic, multinomial"),
    ],
)
def test_a_model_that_does_not_suit_is_refused(model: str, column: str, said: str) -> None:
    data = discreet.read({"n": [1.5, 2.0, 3.0], "signs": [-1, 1, 2], "town": list("abc")})
    with pytest.raises(UsageError, match=said):
        checked_model(model, data.column(column), "SequentialRegression")
