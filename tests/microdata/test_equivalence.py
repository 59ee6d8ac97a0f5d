"""Equivalence classes against a dictionary of tuples."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import Microdata
from discreet.microdata import equivalence
from discreet.microdata.equivalence import (
    class_sizes,
    classes,
    codes_of,
    first_and_times,
    unique_share,
)

LAW = settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def read(columns: list[list[Any]]) -> Microdata:
    found: dict[str, Any] = {}
    for j, column in enumerate(columns):
        numeric = all(isinstance(v, float) for v in column)
        found[f"c{j}"] = np.array(column) if numeric else column
    return discreet.read(
        found, kinds={n: "nominal" for n, v in found.items() if isinstance(v, list)}
    )


def slow_classes(columns: list[list[Any]]) -> list[tuple[Any, ...]]:
    def key(value: Any) -> Any:
        return None if isinstance(value, float) and math.isnan(value) else value

    return [tuple(key(v) for v in row) for row in zip(*columns, strict=True)]


def same_partition(labels: np.ndarray, keys: list[Any]) -> bool:
    return len(set(zip(labels.tolist(), keys, strict=True))) == len(set(keys)) == len(set(labels))


words = st.one_of(st.none(), st.sampled_from("abc"))
few = st.sampled_from([0.0, 1.0, -0.0, 2.5, math.nan])
many = st.one_of(st.floats(-1e9, 1e9), st.just(math.nan))


@LAW
@given(st.data(), st.integers(0, 30), st.lists(st.sampled_from([words, few, many]), max_size=4))
def test_classes_are_those_of_a_dictionary(draw: Any, n: int, kinds: list[Any]) -> None:
    columns = [draw.draw(st.lists(kind, min_size=n, max_size=n)) for kind in kinds]
    if not columns:
        columns = [["x"] * n]
    data = read(columns)
    keys = slow_classes(columns)
    labels = classes(data, data.schema.names)
    assert len(labels) == n
    if n:
        assert same_partition(labels, keys)
        assert labels.min() == 0
        assert labels.max() == len(set(keys)) - 1
    counts = Counter(keys)
    assert class_sizes(data, data.schema.names).tolist() == [counts[key] for key in keys]


@pytest.mark.parametrize("columns", [2, 5])
def test_many_combinations_of_many_values(columns: int) -> None:
    rng = np.random.default_rng(columns)
    values = [rng.integers(0, 300, 2000).astype(float).tolist() for _ in range(columns)]
    # Every record once more: classes of two at least, in a domain of 300 to the power of columns.
    values = [[*column, *column] for column in values]
    labels = classes(read(values), [f"c{j}" for j in range(columns)])
    assert same_partition(labels, slow_classes(values))


def test_a_nominal_column_with_more_categories_than_records() -> None:
    data = discreet.read({"t": ["a", "b", "a"]})
    wide = data.replace(
        [data.column("t").recoded(np.array([999, 5, 999]), discreet.Kind.NOMINAL, range(1000))]
    )
    assert class_sizes(wide, ["t"]).tolist() == [2, 1, 2]
    assert class_sizes(wide, ["t", "t"]).tolist() == [2, 1, 2]


@given(st.lists(st.integers(0, 5), max_size=40))
def test_the_first_record_and_the_size_of_each_class(values: list[int]) -> None:
    labels = np.unique(np.array(values, dtype=np.int64), return_inverse=True)[1]
    first, times = first_and_times(labels)
    _, firsts, counts = np.unique(labels, return_index=True, return_counts=True)
    assert first.tolist() == firsts.tolist()
    assert times.tolist() == counts.tolist()


def test_a_missing_value_is_a_category_of_its_own() -> None:
    data = discreet.read({"age": [30, None, None, 30], "sex": ["f", None, None, None]})
    assert class_sizes(data, ["age"]).tolist() == [2, 2, 2, 2]
    assert class_sizes(data, ["sex"]).tolist() == [1, 3, 3, 3]
    assert class_sizes(data, ["age", "sex"]).tolist() == [1, 2, 2, 1]


def test_no_columns_make_one_class() -> None:
    assert class_sizes(read([["a", "b", "c"]]), []).tolist() == [3, 3, 3]


def test_no_records_make_no_class() -> None:
    empty = read([["a"], [1.0]]).take(np.zeros(0, dtype=np.int64))
    assert classes(empty, ["c0", "c1"]).tolist() == []
    assert class_sizes(empty, ["c0", "c1"]).tolist() == []


@pytest.mark.parametrize(
    "values",
    [
        [3.0, -2.0, 3.0, 0.0],
        [0.1, 0.3, 0.1, 12.7],
        [19.99, 20.0, 19.99, -0.01],
        [1 / 3, 2 / 3, 1 / 3],
        [1.0, math.nan, 1.0, math.nan],
        [1e300, 5e-324, 1e300],
        [2.0**60, 2.0**60 + 512, 2.0**60],
        [math.inf, 0.0, -math.inf, math.inf],
    ],
)
def test_numbers_are_numbered_in_their_order_whatever_their_decimals(values: list[float]) -> None:
    # The first records have no decimals: whether all are whole is not judged by them.
    long = [1.0] * 1_100 + values
    for given_values in (values, long):
        column = discreet.read({"x": np.array(given_values)}).column("x")
        codes, least, distinct = codes_of(column)
        present, expected = np.unique(column.values, return_inverse=True)
        assert codes.tolist() == expected.tolist()
        assert (least, distinct) == (0, len(present))


@LAW
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=30), st.integers(1, 9))
def test_the_share_of_unique_records_is_that_of_classes_of_one(
    rows: list[tuple[int, int]], at_once: int
) -> None:
    columns: list[list[Any]] = [[float(row[0]) for row in rows], [f"t{row[1]}" for row in rows]]
    data, names = read(columns), ["c0", "c1"]
    times = Counter(rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equivalence, "AT_ONCE", at_once)
        alone = unique_share(data, names)
        assert class_sizes(data, names).tolist() == [times[row] for row in rows]
    assert alone == (sum(times[row] == 1 for row in rows) / len(rows) if rows else 0.0)
