"""Partially synthetic data: chosen columns or cells are replaced."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet import (
    DataError,
    PartiallySynthetic,
)
from tests.methods.synthetic.persons import children, protected, slope, survey


def test_only_chosen_columns_are_replaced() -> None:
    data = survey()
    masked = protected(PartiallySynthetic(columns=["pay"]), data)
    assert masked.origin is None
    for column in data:
        assert masked.data.column(column.name).same_as(column) == (column.name != "pay")
    made = masked.data
    assert (made.column("pay").missing == data.column("pay").missing).all()
    assert slope(made, "age", "pay") == pytest.approx(slope(data, "age", "pay"), rel=0.1)
    present = ~made.column("pay").missing
    assert not np.isin(made["pay"][present], data["pay"]).any()


def test_only_chosen_cells_are_replaced() -> None:
    data = survey()
    old = data["age"] > 60
    male = data["sex"] == 1
    masked = protected(PartiallySynthetic(columns=["wealth"], cells="age > 60 and sex = m"), data)
    changed = masked.data["wealth"] != data["wealth"]
    assert changed.any()
    assert not changed[~(old & male)].any()
    untouched = protected(PartiallySynthetic(cells="age > 500"), data)
    assert untouched.data is data
    assert "nothing was replaced" in untouched.notes[0]
    with pytest.raises(DataError, match="at least 10 records"):
        protected(PartiallySynthetic(cells="age > 85"), data)


def test_cells_are_modelled_by_their_own_records() -> None:
    """Two groups with opposite slopes: a model of all records would have none."""
    rng = np.random.default_rng(3)
    x, group = rng.normal(0, 1, 1000), np.repeat([0, 1], 500)
    y = np.where(group == 1, 2 * x, -2 * x) + rng.normal(0, 0.2, 1000)
    data = discreet.read(
        {"x": x, "y": y, "g": np.array(["a", "b"])[group]},
        roles={"x": "other", "y": "quasi-identifier", "g": "other"},
    )
    made = protected(PartiallySynthetic(cells="g = b"), data).data["y"]
    assert np.polyfit(x[500:], made[500:], 1)[0] == pytest.approx(2, abs=0.1)


def test_too_few_cells_are_told_with_the_way_out() -> None:
    method = PartiallySynthetic(columns=["pay"], cells="age > 78")
    with pytest.raises(DataError, match=r"but cells chooses [1-9]; choose more or none"):
        protected(method, children())
