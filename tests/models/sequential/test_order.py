"""Columns synthesised along their dependency tree."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Randomness
from discreet.models.sequential.order import MOST_PREDICTORS, TreeOrder
from discreet.models.sequential.sequence import visits


def _chain(rows: int = 2000) -> discreet.Microdata:
    """Return a chain a - b - c - d - e of dependences, its columns in disorder."""
    rng = np.random.default_rng(1)
    columns = {"a": rng.normal(size=rows)}
    for before, name in zip("abcd", "bcde", strict=True):
        columns[name] = columns[before] + rng.normal(0, 0.4, rows)
    return discreet.read({name: columns[name] for name in "aebdc"})


def test_a_column_follows_the_one_that_it_depends_on_most() -> None:
    data = _chain()
    order = TreeOrder.of(data, data.schema.names).columns
    assert order[0] == "c"
    place = {name: at for at, name in enumerate(order)}
    assert all(place[inner] < place[outer] for inner, outer in ("cb", "cd", "ba", "de"))


def test_the_order_of_the_plan_comes_first_and_predictors_of_the_plan_count() -> None:
    data = _chain()
    made = visits(data, data.schema.names, (), first=["e"], predictors=["a=e"], order="dependency")
    assert [visit.column for visit in made][:2] == ["e", "c"]
    assert {visit.column: visit.predictors for visit in made}["a"] == ("e",)


def test_only_the_nearest_columns_predict_one_of_many() -> None:
    rng = np.random.default_rng(2)
    signal = rng.normal(size=600)
    columns = {f"noise{i:02d}": rng.normal(size=600) for i in range(25)}
    columns |= {"one": signal, "other": signal + rng.normal(0, 0.1, 600)}
    data = discreet.read(columns)
    last = visits(data, data.schema.names, (), first=[*columns][:-1], order="dependency")[-1]
    assert last.column == "other"
    assert len(last.predictors) == MOST_PREDICTORS
    assert "one" in last.predictors


def test_what_a_household_shares_is_drawn_first() -> None:
    home = np.arange(300) // 3
    data = discreet.read(
        {"home": home, "age": home % 50 + np.arange(300) % 3, "job": home % 5, "rent": home % 50},
        roles={"home": "household"},
        levels={"rent": "household"},
    )
    made = visits(data, ["rent", "age", "job"], (), order="dependency")
    assert made[0].column == "rent"


@pytest.mark.parametrize("method", [discreet.CartSynthesis, discreet.SequentialRegression])
def test_dependence_is_kept_along_the_tree(method: type) -> None:
    options = {"everything": True} if method is discreet.CartSynthesis else {}
    data = _chain(800)
    made = method(order="dependency", **options).protect(data, Context(Randomness(3))).data
    assert made.schema.names == data.schema.names
    kept = np.corrcoef(made["a"], made["b"])[0, 1]
    assert kept == pytest.approx(np.corrcoef(data["a"], data["b"])[0, 1], abs=0.05)
