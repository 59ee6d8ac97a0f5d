"""Embedding: distances of mixed records against a slow twin."""

from __future__ import annotations

import math
import statistics
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import DataError, Microdata
from discreet.microdata import embedding
from discreet.microdata.embedding import SCALINGS, Embedding

LAW = settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)

GRADES = ["low", "middle", "high", "top"]
Record = tuple[float | None, str | None, str | None]

records = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(-5, 5).map(float), st.floats(-1e3, 1e3)),
        st.one_of(st.none(), st.sampled_from(GRADES)),
        st.one_of(st.none(), st.sampled_from(["Ayle", "Bron", "Cull"])),
    ),
    min_size=2,
    max_size=12,
)


def table(rows: list[Record]) -> Microdata:
    columns = list(zip(*rows, strict=True))
    return discreet.read(
        {
            "size": np.array([math.nan if v is None else v for v in columns[0]]),
            "grade": list(columns[1]),
            "town": list(columns[2]),
        },
        kinds={"grade": GRADES, "town": "nominal", "size": "continuous"},
    )


def quantile(values: list[float], q: float) -> float:
    ordered = sorted(values)
    at = q * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def spread(values: list[float], scaling: str) -> float:
    if not values or min(values) == max(values):
        return 0.0
    if scaling == "standard":
        return statistics.pstdev(values)
    if scaling == "range":
        return max(values) - min(values)
    if scaling == "robust":
        middle = (quantile(values, 0.75) - quantile(values, 0.25)) / 1.349
        return middle or statistics.pstdev(values)
    return 1.0


def slow_distance(a: Record, b: Record, rows: list[Record], scaling: str) -> float:
    """Squared distance, column by column, as the module's text says."""
    total = 0.0
    for j in range(2):
        numbers = [_number(row[j]) for row in rows if row[j] is not None]
        scale = spread(numbers, scaling)
        centre = statistics.fmean(numbers) if numbers else 0.0
        x, y = a[j], b[j]
        if x is None and y is None:
            continue
        values = [centre if v is None else _number(v) for v in (x, y)]
        if scale > 0:
            total += ((values[0] - values[1]) / scale) ** 2
        if (x is None) != (y is None):
            total += 1
    return total + (a[2] != b[2])


def _number(value: Any) -> float:
    return float(GRADES.index(value)) if isinstance(value, str) else float(value)


@pytest.mark.parametrize("scaling", SCALINGS)
@LAW
@given(rows=records)
def test_distances_are_those_of_the_twin(scaling: str, rows: list[Record]) -> None:
    data = table(rows)
    points = Embedding.fit(data, ["size", "grade", "town"], scaling).points(data)
    assert np.isfinite(points).all()
    for i in range(len(rows)):
        for j in range(i):
            found = float(((points[i] - points[j]) ** 2).sum())
            expected = slow_distance(rows[i], rows[j], rows, scaling)
            assert found == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_standardised_columns_have_mean_zero_and_deviation_one() -> None:
    data = discreet.read({"x": [1.0, 4.0, 7.0, 100.0]})
    points = Embedding.fit(data, ["x"]).points(data)
    assert points.mean() == pytest.approx(0, abs=1e-12)
    assert points.std() == pytest.approx(1)


def test_the_four_scalings_by_hand() -> None:
    # Quartiles of 0, 2, 4, 6, 88 are 2 and 6; the mean is 20.
    data = discreet.read({"x": [0, 2, 4, 6, 88]})
    for scaling, scale in {
        "range": 88.0,
        "robust": 4 / 1.349,
        "none": 1.0,
        "standard": math.sqrt((400 + 324 + 256 + 196 + 4624) / 5),
    }.items():
        points = Embedding.fit(data, ["x"], scaling).points(data)
        assert points[:, 0] == pytest.approx([(v - 20) / scale for v in (0, 2, 4, 6, 88)])


def test_robust_scaling_falls_back_where_half_of_the_values_are_equal() -> None:
    data = discreet.read({"x": [5, 5, 5, 5, 5, 5, 5, 9]})
    assert Embedding.fit(data, ["x"], "robust").coordinates[0].spread == pytest.approx(
        statistics.pstdev([5] * 7 + [9])
    )


@pytest.mark.parametrize("value", [0.1, 1e130, -3.0])
@pytest.mark.parametrize("scaling", SCALINGS)
def test_a_constant_column_tells_no_records_apart(value: float, scaling: str) -> None:
    data = discreet.read({"x": [value] * 7})
    assert not Embedding.fit(data, ["x"], scaling).points(data).any()


def test_a_column_without_values_tells_no_records_apart() -> None:
    data = discreet.read({"x": np.full(3, np.nan), "t": [None, None, None]}, kinds={"t": "nominal"})
    points = Embedding.fit(data, ["x", "t"]).points(data)
    assert (points == points[0]).all()


def test_nominal_columns_differ_by_one_and_no_more() -> None:
    data = discreet.read({"t": ["a", "b", "c", None]})
    points = Embedding.fit(data, ["t"]).points(data)
    squared = ((points[:, None] - points[None]) ** 2).sum(axis=2)
    assert squared == pytest.approx(1 - np.eye(4))


def test_another_table_is_placed_by_the_first_ones_scale() -> None:
    first = discreet.read({"x": [0.0, 10.0]})
    other = discreet.read({"x": [5.0, 20.0]})
    points = Embedding.fit(first, ["x"]).points(other)
    assert points[:, 0].tolist() == [0.0, 3.0]


def test_missing_values_of_the_other_table_get_their_own_step() -> None:
    first = discreet.read({"x": [0.0, 10.0], "t": ["a", "b"]})
    other = discreet.read({"x": [5.0, None], "t": ["a", None]})
    other = other.replace(
        [other.column("t").recoded(other["t"], first.schema["t"].kind, ("a", "b"))]
    )
    fitted = Embedding.fit(first, ["x", "t"], also=other)
    assert fitted.dimensions == 1 + 1 + 2 + 1
    before, after = fitted.points(first), fitted.points(other)
    assert float(((before[0] - after[1]) ** 2).sum()) == pytest.approx(1 + 1 + 1)
    assert float(((before[0] - after[0]) ** 2).sum()) == pytest.approx(1)


def test_too_many_coordinates_are_refused_with_the_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "MAX_CELLS", 20)
    data = discreet.read({"x": [1, 2, 3, 4, 5], "t": list("abcde")})
    with pytest.raises(DataError, match="column 't' alone has 5 categories"):
        Embedding.fit(data, ["x", "t"]).points(data)
