"""Ranges and sets of groups, against an obvious twin, and how they are written."""

from __future__ import annotations

import datetime
import math
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import Kind
from discreet.contracts import Context, Groups
from discreet.microaggregation.replacement import Range

LAW = settings(max_examples=100, deadline=None, derandomize=True, database=None)
GRADES = ["low", "middle", "high", "top"]


def replaced(values: Any, labels: list[int], kind: Any = None) -> list[str | None]:
    data = discreet.read({"x": values}, kinds={"x": kind} if kind else None)
    (column,) = Range().replace(data, ["x"], Groups(np.array(labels)), Context())
    assert column.attribute.kind is Kind.NOMINAL
    assert len(set(column.attribute.categories)) == len(column.attribute.categories)
    return [None if c < 0 else column.attribute.categories[c] for c in column.values]


def slow(values: list[Any], labels: list[int], order: list[Any], form: str) -> list[str | None]:
    found: list[str | None] = []
    for label in labels:
        group = [v for v, g in zip(values, labels, strict=True) if g == label]
        present = sorted({v for v in group if v is not None}, key=order.index)
        texts = [f"{v:g}" if isinstance(v, float) else v for v in present]
        if not texts:
            found.append(None)
            continue
        if len(texts) == 1:
            text = texts[0]
        elif form == "set":
            text = ", ".join(texts)
        else:
            text = form.format(texts[0], texts[-1])
        if None in group:
            text = f"{{{text}, missing}}"
        elif form == "set" and len(texts) > 1:
            text = f"{{{text}}}"
        found.append(text)
    return found


@LAW
@given(st.data(), st.sampled_from(["continuous", "ordinal", "nominal"]))
def test_labels_are_those_of_the_definition(data: st.DataObject, kind: str) -> None:
    orders: dict[str, list[Any]] = {
        "continuous": [-2.0, -1.5, 0.0, 0.25, 3.0, 40.0],
        "ordinal": GRADES,
        "nominal": sorted(GRADES),
    }
    order = orders[kind]
    cell = st.one_of(st.none(), st.sampled_from(order))
    drawn = data.draw(st.lists(st.tuples(cell, st.integers(0, 3)), min_size=1, max_size=20))
    groups = sorted({g for _, g in drawn})
    values, labels = [v for v, _ in drawn], [groups.index(g) for _, g in drawn]
    form = {"continuous": "[{}–{}]", "ordinal": "{}–{}", "nominal": "set"}[kind]
    given_values: Any = values
    if kind == "continuous":
        given_values = np.array([math.nan if v is None else v for v in values], dtype=float)
    declared = GRADES if kind == "ordinal" else kind
    if kind == "nominal":
        given_values = pa.array(values, pa.string())
        table = pa.table({"x": given_values})
        read = discreet.read(table)
        (column,) = Range().replace(read, ["x"], Groups(np.array(labels)), Context())
        found = [None if c < 0 else column.attribute.categories[c] for c in column.values]
    else:
        found = replaced(given_values, labels, declared)
    assert found == slow(values, labels, order, form)


def test_numbers_are_written_in_their_shortest_form() -> None:
    assert replaced([20, 35, 20, 20], [0, 0, 1, 1]) == ["[20–35]"] * 2 + ["20"] * 2
    assert replaced([0.1, 1 / 3], [0, 0]) == ["[0.1–0.3333333333333333]"] * 2
    assert replaced([-1e100, 2.0], [0, 0]) == ["[-1e+100–2]"] * 2


def test_sets_stand_in_the_order_of_the_categories() -> None:
    assert replaced(["Bron", "Ayle", "Bron"], [0, 0, 1]) == ["{Ayle, Bron}"] * 2 + ["Bron"]
    assert replaced(["low", "high", "low"], [0, 0, 0], GRADES) == ["low–high"] * 3


def test_missing_values_are_named() -> None:
    assert replaced([20.0, math.nan], [0, 0]) == ["{20, missing}"] * 2
    assert replaced([20.0, math.nan, 35.0], [0, 0, 0]) == ["{[20–35], missing}"] * 3
    assert replaced(["low", None, "high"], [0, 0, 0], GRADES) == ["{low–high, missing}"] * 3
    assert replaced(["a", None, "b", None], [0, 0, 0, 1]) == ["{a, b, missing}"] * 3 + [None]


@pytest.mark.parametrize("backend", ["pyarrow", "pandas", "polars"])
def test_dates_stay_dates_and_frames_take_the_text(backend: str) -> None:
    days = [datetime.date(2020, 1, d) for d in (1, 9, 5, 5)]
    table: Any = pa.table({"born": days, "age": [1, 2, 3, 3], "weight": [1.5, 2.0, 3.0, 3.0]})
    if backend != "pyarrow":
        pytest.importorskip(backend)
        table = table.to_pandas() if backend == "pandas" else __import__("polars").from_arrow(table)
    data = discreet.read(table)
    columns = Range().replace(data, data.schema.names, Groups(np.array([0, 0, 1, 1])), Context())
    frame = data.replace(columns).frame()
    found = {name: list(map(str, frame[name].to_numpy())) for name in data.schema.names}
    assert found == {
        "born": ["[2020-01-01–2020-01-09]"] * 2 + ["2020-01-05"] * 2,
        "age": ["[1–2]"] * 2 + ["3"] * 2,
        "weight": ["[1.5–2]"] * 2 + ["3"] * 2,
    }


def test_groups_with_equal_ranges_share_a_category() -> None:
    data = discreet.read({"x": [1.0, 2.0, 1.0, 2.0]})
    (column,) = Range().replace(data, ["x"], Groups(np.array([0, 0, 1, 1])), Context())
    assert column.attribute.categories == ("[1–2]",)
