"""What gives people away, as plain data for the report."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Pairing
from discreet.release.revealing import revealed

ROLES = dict.fromkeys(["age", "sex", "town"], "quasi-identifier")


def test_the_curve_rises_and_cells_are_counted_by_column() -> None:
    """Ages are all different, so that suppressing the age is what helps everybody."""
    data = discreet.read(
        {"age": range(20, 40), "sex": ["f", "m"] * 10, "town": ["Ayle"] * 20}, roles=ROLES
    )
    found = revealed(data, data, Pairing.same_order(20))
    assert found is not None
    assert found.curve[0].column == "age"
    assert found.curve[0].linked == 1.0
    assert [(cells.column, cells.share) for cells in found.cells] == [("age", 1.0)]
    assert (found.compared, found.at_risk, len(found.rows)) == (20, 20, 10)
    assert (found.rows[0].row, found.rows[0].then) == (1, 0.1)


def test_nobody_is_at_risk_where_all_are_alike() -> None:
    data = discreet.read({"age": [30] * 5}, roles={"age": "quasi-identifier"})
    found = revealed(data, data, Pairing.same_order(5))
    assert found is not None
    assert (found.at_risk, found.cells, found.rows) == (0, (), ())


def test_there_is_nothing_to_say_without_pairs_or_columns() -> None:
    data = discreet.read({"age": [30, 40]}, roles={"age": "quasi-identifier"})
    assert revealed(data, data, None) is None
    bare = discreet.read({"age": [30, 40]})
    assert revealed(bare, bare, Pairing(np.arange(2))) is None


def test_too_few_records_say_nothing_of_many_people(monkeypatch: pytest.MonkeyPatch) -> None:
    data = discreet.read({"age": [30, 40, 50]}, roles={"age": "quasi-identifier"})
    monkeypatch.setattr("discreet.release.revealing.MOST_PEOPLE", 3)
    assert revealed(data, data, Pairing.same_order(3)) is not None
    monkeypatch.setattr("discreet.release.revealing.MOST_PEOPLE", 2)
    assert revealed(data, data, Pairing.same_order(3)) is None
