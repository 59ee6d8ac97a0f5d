"""A fitted column: values, gaps and decimals as in the file."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.contracts.randomness import Randomness
from discreet.microdata import Microdata
from discreet.models.sequential.fitted import FittedColumn, Visit


def table(rows: int = 400) -> Microdata:
    rng = np.random.default_rng(3)
    age = rng.integers(18, 90, rows)
    pay = np.round(20.0 * age + rng.normal(0, 50, rows), 1)
    pay[age > 65] = np.nan
    return discreet.read({"age": age, "pay": pay, "empty": np.full(rows, np.nan)})


def fitted(data: Microdata, name: str, *, rounded: bool = True, gaps: bool = True) -> FittedColumn:
    context = Context(Randomness.of(5))
    return FittedColumn.of(data, Visit(name, ("age",)), context, rounded, gaps)


def test_gaps_are_drawn_where_they_were_or_given_or_left_out() -> None:
    data = table()
    old = data["age"] > 65
    drawn = fitted(data, "pay").draw(data)
    assert np.isnan(drawn[data["age"] > 75]).mean() > 0.8
    assert np.isnan(drawn[data["age"] < 55]).mean() < 0.2
    given = fitted(data, "pay").draw(data, gaps=old)
    np.testing.assert_array_equal(np.isnan(given), old)
    assert not np.isnan(fitted(data, "pay", gaps=False).draw(data)).any()


def test_values_have_the_decimals_of_the_column() -> None:
    drawn = fitted(table(), "pay", gaps=False).draw(table())
    np.testing.assert_allclose(drawn, np.round(drawn, 1), atol=1e-9)
    assert (drawn != np.round(drawn)).any()


def test_a_column_without_values_stays_empty() -> None:
    column = fitted(table(), "empty")
    assert column.model is None
    assert np.isnan(column.draw(table())).all()


def test_large_files_are_fitted_to_some_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.models.sequential.fitted.MOST_FITTED", 50)
    seen: list[int] = []

    def watched(data: Microdata, *rest: object) -> object:
        seen.append(len(data))
        return Visit("pay", ("age",)).fit(data, *rest)  # type: ignore[arg-type]

    visit = Visit("pay", ("age",), watched, watched)  # type: ignore[arg-type]
    FittedColumn.of(table(), visit, Context(Randomness.of(5)), False, True)
    assert seen == [50, 50]


def test_one_draw_after_another_goes_on() -> None:
    column = fitted(table(), "pay", gaps=False)
    assert (column.draw(table()) != column.draw(table())).any()
