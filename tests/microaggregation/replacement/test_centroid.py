"""Centroids against obvious twins."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context, Groups
from discreet.errors import UsageError
from discreet.microaggregation.replacement import Centroid

LAW = settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
GRADES = ["low", "middle", "high", "top"]


def replaced(values: Any, labels: list[int], centroid: Any, kind: Any = None) -> list[Any]:
    """Replace one column; categories come back as themselves, missing as None."""
    data = discreet.read({"x": values}, kinds={"x": kind} if kind else None)
    groups = Groups(np.array(labels, dtype=np.int64))
    (column,) = centroid.replace(data, ["x"], groups, Context())
    if column.attribute.continuous:
        return [None if math.isnan(v) else v for v in column.values.tolist()]
    return [None if c < 0 else column.attribute.categories[c] for c in column.values]


def by_group(values: list[Any], labels: list[int], rule: Any) -> list[Any]:
    """Apply a rule to the present values of each group."""
    found = []
    for label in labels:
        members = [v for v, g in zip(values, labels, strict=True) if g == label and v is not None]
        found.append(rule(members) if members else None)
    return found


def grouped(element: Any) -> Any:
    return st.lists(
        st.tuples(st.one_of(st.none(), element), st.integers(0, 3)), min_size=1, max_size=20
    )


def split(drawn: list[tuple[Any, int]]) -> tuple[list[Any], list[int]]:
    values = [v for v, _ in drawn]
    present = sorted({g for _, g in drawn})
    return values, [present.index(g) for _, g in drawn]


def floats(values: list[Any]) -> Any:
    return np.array([math.nan if v is None else v for v in values], dtype=float)


@LAW
@given(grouped(st.floats(-1e6, 1e6, allow_subnormal=False)))
def test_means_are_right_to_the_last_digits(drawn: list[tuple[float | None, int]]) -> None:
    values, labels = split(drawn)
    found = replaced(floats(values), labels, Centroid(), "continuous")
    expected = by_group(values, labels, lambda members: math.fsum(members) / len(members))
    for a, b, label in zip(found, expected, labels, strict=True):
        if b is None:
            assert a is None
            continue
        size = max(
            abs(v) for v, g in zip(values, labels, strict=True) if g == label and v is not None
        )
        # A unit in the last place of the largest value, where values cancel.
        assert abs(a - b) <= math.ulp(b) + math.ulp(size)


@LAW
@given(grouped(st.floats(-1e300, 1e300).filter(lambda v: abs(v) < 1e139)))
def test_means_lie_within_their_group(drawn: list[tuple[float | None, int]]) -> None:
    values, labels = split(drawn)
    found = replaced(floats(values), labels, Centroid(), "continuous")
    low, high = by_group(values, labels, min), by_group(values, labels, max)
    for mean, a, b in zip(found, low, high, strict=True):
        assert (mean is None and a is None) or a <= mean <= b


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e-300, 123456.789, -0.7])
@pytest.mark.parametrize("size", [3, 7, 10])
def test_equal_values_stay_equal_to_the_last_bit(value: float, size: int) -> None:
    assert replaced([value] * size, [0] * size, Centroid()) == [value] * size


@LAW
@given(grouped(st.one_of(st.integers(-9, 9), st.floats(-1e6, 1e6))))
def test_medians_of_numbers(drawn: list[tuple[float | None, int]]) -> None:
    values, labels = split(drawn)
    found = replaced(floats(values), labels, Centroid("median"), "continuous")
    expected = by_group(values, labels, statistics.median)
    assert [v is None for v in found] == [v is None for v in expected]
    assert [v for v in found if v is not None] == pytest.approx(
        [v for v in expected if v is not None]
    )


@LAW
@given(grouped(st.sampled_from(GRADES)))
def test_medians_of_grades_are_the_lower_middle(drawn: list[tuple[str | None, int]]) -> None:
    values, labels = split(drawn)

    def lower(members: list[str]) -> str:
        return GRADES[statistics.median_low([GRADES.index(m) for m in members])]

    assert replaced(values, labels, Centroid(), GRADES) == by_group(values, labels, lower)


@LAW
@given(grouped(st.sampled_from("abcd")))
def test_modes_are_the_commonest_and_of_equals_the_first(
    drawn: list[tuple[str | None, int]],
) -> None:
    values, labels = split(drawn)

    def mode(members: list[str]) -> str:
        counts = Counter(members)
        return min(counts, key=lambda c: (-counts[c], c))

    assert replaced(values, labels, Centroid(), "nominal") == by_group(values, labels, mode)


def test_first_means_first_of_the_categories_not_of_the_file() -> None:
    assert replaced(["b", "a"], [0, 0], Centroid()) == ["a", "a"]
    assert replaced(["b", "a", "b"], [0, 0, 0], Centroid()) == ["b"] * 3


def test_a_missing_value_gets_the_centroid_of_the_others() -> None:
    assert replaced([1.0, None, 3.0, None], [0, 0, 0, 1], Centroid()) == [2.0, 2.0, 2.0, None]
    assert replaced(["a", None, None], [0, 0, 1], Centroid()) == ["a", "a", None]


def test_rounding_is_for_columns_of_whole_numbers_only() -> None:
    assert replaced([1.0, 2.0, 4.0], [0, 0, 0], Centroid(round=True)) == [2.0] * 3
    assert replaced([1.0, 2.0, None, 3.0, 4.0], [0, 0, 0, 1, 1], Centroid(round=True)) == [
        2.0, 2.0, 2.0, 4.0, 4.0,
    ]  # fmt: skip
    assert replaced([1.5, 2.0], [0, 0], Centroid(round=True)) == [1.75, 1.75]
    assert replaced([1.0, 2.0], [0, 0], Centroid()) == [1.5, 1.5]
    assert replaced([1, 2], [0, 0], Centroid("median", round=True)) == [2.0, 2.0]


def test_only_the_named_columns_are_returned_and_groups_may_be_anywhere() -> None:
    data = discreet.read({"x": [1.0, 5.0, 3.0], "y": [1.0, 2.0, 3.0]})
    groups = Groups(np.array([1, 0, 1]))
    columns = Centroid().replace(data, ["x"], groups, Context())
    assert [c.name for c in columns] == ["x"]
    assert columns[0].values.tolist() == [2.0, 5.0, 2.0]
    assert data["x"].tolist() == [1.0, 5.0, 3.0]


def test_weighted_centroids_are_those_of_copies() -> None:
    draw = np.random.default_rng(5)
    weights = draw.integers(1, 5, 60)
    columns = {
        "pay": draw.integers(0, 99, 60).astype(float),
        "grade": draw.integers(1, 6, 60),
        "town": draw.choice(list("abcd"), 60),
    }
    kinds = {"pay": "continuous", "grade": "ordinal", "town": "nominal", "w": "continuous"}
    data = discreet.read({**columns, "w": weights}, roles={"w": "weight"}, kinds=kinds)
    groups = Groups(np.arange(60) // 6)
    often = np.repeat(np.arange(60), weights)
    for how in ("mean", "median"):
        plain, weighted = Centroid(continuous=how), Centroid(continuous=how, weighted=True)
        found = weighted.replace(data, list(columns), groups, Context())
        copies = plain.replace(data.take(often), list(columns), Groups(often // 6), Context())
        for one, other in zip(found, copies, strict=True):
            if how == "median" and one.name == "pay":
                # Between two middle values the weighted median is the lower one.
                assert (one.values[often] <= other.values).all()
            else:
                assert one.values[often] == pytest.approx(other.values)


def test_weighted_centroids_need_weights() -> None:
    data = discreet.read({"pay": [1.0, 2.0]})
    with pytest.raises(UsageError, match="role weight"):
        Centroid(weighted=True).replace(data, ["pay"], Groups(np.zeros(2, dtype=int)), Context())


def test_weighted_microaggregation_keeps_weighted_means() -> None:
    draw = np.random.default_rng(6)
    data = discreet.read(
        {"age": draw.integers(18, 90, 200), "w": draw.lognormal(3, 0.5, 200)},
        roles={"age": "quasi-identifier", "w": "weight"},
    )
    step = discreet.Microaggregation(
        discreet.partition.MDAV(k=5), discreet.replacement.Centroid(weighted=True)
    )
    release = discreet.protect(data, step, seed=1, allow=None)
    means = [np.average(table["age"], weights=table["w"]) for table in (data, release.data)]
    assert means[0] == pytest.approx(means[1])
