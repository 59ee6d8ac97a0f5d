"""Iterative proportional fitting of weights, beside the rounds of Deming & Stephan written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.errors import DataError, UsageError
from discreet.methods.perturbative.iterative_proportional_fitting import (
    IterativeProportionalFitting,
)
from discreet.microdata import Microdata

MARGINS = {"sex": {"f": 520, "m": 480}, "town": {"a": 300, "b": 500, "c": 200}}


def table(n: int = 60) -> Microdata:
    draw = np.random.default_rng(3)
    return discreet.read(
        {
            "sex": draw.choice(["f", "m"], n).tolist(),
            "town": draw.choice(["a", "b", "c"], n).tolist(),
            "home": [i // 2 for i in range(n)],
            "w": draw.uniform(1, 5, n).repeat(1),
        },
        roles={"w": "weight", "home": "household"},
        kinds={"w": "continuous"},
    )


def fitted(data: Microdata, margins: Any) -> np.ndarray:
    return IterativeProportionalFitting(margins=margins).protect(data, Context()).data["w"]


def words(data: Microdata, name: str) -> list[str]:
    return [str(data.schema[name].categories[code]) for code in data[name]]


def test_beside_round_after_round() -> None:
    data = table()
    w = data["w"].copy()
    for _ in range(200):
        for name, totals in MARGINS.items():
            for category, total in totals.items():
                mine = np.array(words(data, name)) == category
                w[mine] *= total / w[mine].sum()
    assert fitted(data, MARGINS) == pytest.approx(w)


def test_the_totals_hold_and_nothing_else_changes() -> None:
    data = table()
    made = IterativeProportionalFitting(margins=MARGINS).protect(data, Context()).data
    for name, totals in MARGINS.items():
        for category, total in totals.items():
            assert made["w"][np.array(words(data, name)) == category].sum() == pytest.approx(total)
        assert made.column(name).same_as(data.column(name))


def test_a_household_with_one_weight_keeps_one() -> None:
    data = table()
    data = data.replace([data.column("w").with_values(np.repeat(data["w"][::2], 2))])
    now = fitted(data, MARGINS)
    assert (now[::2] == now[1::2]).all()
    assert now[np.array(words(data, "town")) == "b"].sum() == pytest.approx(500)


def test_one_column_is_poststratification() -> None:
    data = discreet.read(
        {"sex": ["f", "f", "m", None], "w": [1.0, 3.0, 5.0, 2.0]}, roles={"w": "weight"}
    )
    assert fitted(data, {"sex": {"f": 8, "m": 10}}).tolist() == pytest.approx([2, 6, 10, 2])


@pytest.mark.parametrize(
    ("margins", "error", "said"),
    [
        ({"sex": {"f": 500}}, DataError, "1 of them have none"),
        ({"sex": {"f": 500, "m": 400, "x": 9}}, DataError, "1 totals belong to no record"),
        ({"sex": {"f": 5, "m": 5}, "town": {"a": 3, "b": 3, "c": 3}}, UsageError, "10 for another"),
        ({"sex": {"f": 500, "m": 0}}, UsageError, "numbers above 0"),
        ({"sex": 500}, UsageError, "its categories with their totals"),
        ({"sx": {"f": 5}}, UsageError, "did you mean 'sex'"),
        ({}, UsageError, "at least one column"),
    ],
)
def test_totals_that_cannot_be(margins: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        fitted(table(), margins)


def test_without_weights_it_is_refused() -> None:
    with pytest.raises(UsageError, match="role weight"):
        fitted(table().drop(["w"]), MARGINS)
