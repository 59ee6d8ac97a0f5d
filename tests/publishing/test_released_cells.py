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
from discreet.publishing.released_cells import (
    Cells,
    NotCountable,
    ReleasedColumn,
    firsts,
    grouped,
)


@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(-1, 1)), min_size=1, max_size=50))
def test_groups_are_those_of_equal_keys(rows: list[tuple[int, int]]) -> None:
    labels = grouped([np.array([row[0] for row in rows]), np.array([row[1] for row in rows])])
    by_row = defaultdict(set)
    for row, label in zip(rows, labels.tolist(), strict=True):
        by_row[row].add(label)
    assert all(len(found) == 1 for found in by_row.values())
    assert sorted(set(labels.tolist())) == list(range(len(by_row)))


@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-1, 3)), min_size=1, max_size=30))
def test_the_first_record_of_each_group_is_known(rows: list[tuple[int, int]]) -> None:
    labels = grouped(np.array(rows).T)
    assert firsts(labels).tolist() == [row not in rows[:i] for i, row in enumerate(rows)]


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from([None, 1, 2, 3]), st.integers(0, 2)),
        min_size=1,
        max_size=30,
    )
)
def test_a_value_counts_once_for_each_unit_of_a_class(rows: list[tuple[int, int, int]]) -> None:
    named = ("age", "hid", "ill")
    table = pa.table({name: [row[i] for row in rows] for i, name in enumerate(named)})
    roles = ("quasi-identifier", "household", "confidential")
    columns = [
        ReleasedColumn(name, role, Writing("nominal"), role == "household" or None)
        for name, role in zip(named, roles, strict=True)
    ]
    cells = Cells(table, columns)
    # Whoever has no number is a household of their own.
    homes = [(hid, None if hid else i) for i, (_, hid, _) in enumerate(rows)]
    ages, values = cells.table.column("age").to_pylist(), cells.values("ill")[0]
    places = [
        i
        for i, home in enumerate(homes)
        if (ages[i], home, values[i]) not in [(ages[j], homes[j], values[j]) for j in range(i)]
    ]
    classes, counted = cells.once(cells.classes, values)
    assert classes.tolist() == cells.classes[places].tolist()
    assert counted.tolist() == values[places].tolist()
    for number, size in enumerate(cells.class_sizes.tolist()):
        here = np.flatnonzero(cells.classes == number).tolist()
        assert size == len({homes[i] for i in here})


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
