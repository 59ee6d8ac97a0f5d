"""Records that look alike in the cells of a file, and columns by their role."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import DataError
from discreet.publishing.cell_meanings import Writing
from discreet.publishing.released_cells import Cells, NotCountable, ReleasedColumn, grouped


@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(-1, 1)), min_size=1, max_size=50))
def test_groups_are_those_of_equal_keys(rows: list[tuple[int, int]]) -> None:
    labels = grouped([np.array([row[0] for row in rows]), np.array([row[1] for row in rows])])
    by_row = defaultdict(set)
    for row, label in zip(rows, labels.tolist(), strict=True):
        by_row[row].add(label)
    assert all(len(found) == 1 for found in by_row.values())
    assert sorted(set(labels.tolist())) == list(range(len(by_row)))


def test_records_are_alike_in_all_quasi_identifiers_but_one_left_out() -> None:
    table = pa.table({"a": ["x", "x", "y"], "b": ["1", "2", "2"], "c": ["u", "u", "u"]})
    roles = {"a": "quasi-identifier", "b": "quasi-identifier", "c": "confidential"}
    cells = Cells(table, [ReleasedColumn(n, r, Writing("nominal")) for n, r in roles.items()])
    assert cells.having("quasi-identifier") == ["a", "b"]
    assert cells.class_sizes.tolist() == [1, 1, 1]
    assert cells.alike(leave_out="b").tolist() == [0, 0, 1]
    with pytest.raises(NotCountable, match="'d' was not released"):
        cells.values("d")


def test_a_column_that_is_not_as_stated_is_named() -> None:
    cells = Cells(pa.table({"x": ["a"]}), [ReleasedColumn("x", "other", Writing("continuous"))])
    with pytest.raises(DataError, match="column 'x' does not match its manifest"):
        cells.values("x")
    with pytest.raises(NotCountable, match="'x' does not hold numbers"):
        cells.numbers("x")
