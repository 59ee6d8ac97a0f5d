"""What is expected of columns that were left: sums, products, classes."""

from __future__ import annotations

import numpy as np

import discreet
from discreet.measures.linkage.expected import ExpectedClass, ExpectedNumber, expected

HALF = np.arange(200) % 2


def table(**columns: object) -> discreet.Microdata:
    draw = np.random.default_rng(1)
    known = {"a": draw.lognormal(size=200), "b": draw.lognormal(size=200)}
    return discreet.read({**known, **{k: v(known) for k, v in columns.items()}})  # type: ignore[operator]


def test_products_are_found_unless_only_sums_are_considered() -> None:
    data = table(y=lambda known: known["a"] * known["b"])
    column = data.column("y")
    found, sums = (
        expected(data, ["a", "b"], column, column, HALF, products) for products in (True, False)
    )
    assert isinstance(found, ExpectedNumber)
    assert isinstance(sums, ExpectedNumber)
    assert np.allclose(np.exp(found.expected), data["y"])
    assert (found.costs(np.arange(200), slice(None)).argmin(axis=1) == np.arange(200)).all()
    assert (sums.costs(np.arange(200), slice(None)).argmin(axis=1) == np.arange(200)).mean() < 0.5


def test_classes_are_likelier_where_others_have_them() -> None:
    data = table(y=lambda known: np.where(known["a"] > known["b"], "more", "less"))
    column = data.column("y")
    found = expected(data, ["a", "b"], column, column, HALF)
    assert isinstance(found, ExpectedClass)
    costs = found.costs(np.arange(200), slice(None))
    mine = column.values[:, None] == column.values[None]
    assert costs[mine].mean() < 0.5 * costs[~mine].mean()


def test_too_many_classes_and_too_few_values_say_nothing() -> None:
    data = table(y=lambda known: [f"c{i % 40}" for i in range(200)])
    assert expected(data, ["a"], data.column("y"), data.column("y"), HALF) is None
    few = table(y=lambda known: [None] * 195 + [1.0] * 5)
    assert expected(few, ["a"], few.column("y"), few.column("y"), HALF) is None
