"""Shares of the cells of a table, with weights and missing values."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.measures.analyses.table import Table


def test_weighted_shares_by_hand() -> None:
    data = discreet.read(
        {"sex": ["f", "m", None, "f"], "w": [1.0, 4.0, 9.0, 3.0]}, roles={"w": "weight"}
    )
    found = Table(("sex",)).figures(data)
    assert found.labels == ("share (sex = f)", "share (sex = m)")
    assert found.estimates == pytest.approx([0.5, 0.5])


def test_shares_add_up_and_cells_come_from_the_other_table() -> None:
    rng = np.random.default_rng(1)
    columns = {"a": rng.choice(list("xyz"), 60), "b": rng.choice(list("uv"), 60)}
    data = discreet.read(columns)
    found = Table(("a", "b")).figures(data)
    assert found.estimates.sum() == pytest.approx(1)
    part = data.take(np.flatnonzero(data["a"] == 0))
    like_whole = Table(("a", "b")).figures(part, data)
    assert like_whole.labels == found.labels
    assert like_whole.estimates[2:] == pytest.approx(np.zeros(4))


def test_the_errors_of_two_cells_are_equal() -> None:
    data = discreet.read({"sex": ["f"] * 30 + ["m"] * 70})
    found = Table(("sex",)).figures(data)
    assert found.errors == pytest.approx(np.full(2, np.sqrt(0.3 * 0.7 / 99)))
