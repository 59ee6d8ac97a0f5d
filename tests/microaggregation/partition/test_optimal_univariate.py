"""Groups in the order of one column: fixed-size and optimal, ties, missing values, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import DataError, Microdata, UsageError
from discreet.contracts import Context
from discreet.microaggregation.grouping import sse_share
from discreet.microaggregation.partition import MDAV, OptimalUnivariate, Ranking
from discreet.testing.tables import ordinary

LAW = settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
BOTH = pytest.mark.parametrize("kind", [Ranking, OptimalUnivariate])
Kind = type[Ranking]


def labels_of(kind: Kind, values: list[Any], k: int) -> list[int]:
    data = discreet.read({"x": np.array(values, dtype=float)})
    labels: list[int] = kind(k=k).groups(data, ["x"], Context()).labels.tolist()
    return labels


@LAW
@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=60), st.integers(2, 7))
def test_groups_follow_the_order_and_no_other_partition_loses_less(
    values: list[float], k: int
) -> None:
    if len(values) < k:
        return
    data = discreet.read({"x": values})
    optimal = OptimalUnivariate(k=k).groups(data, ["x"], Context())
    assert k <= optimal.sizes.min() <= optimal.sizes.max() <= 2 * k - 1
    in_order = optimal.labels[np.argsort(data["x"], kind="stable")]
    assert (np.diff(in_order) >= 0).all()
    points = data["x"][:, None]
    for other in (Ranking(k=k), MDAV(k=k)):
        labels = other.groups(data, ["x"], Context()).labels
        assert sse_share(points, optimal.labels) <= sse_share(points, labels) * (1 + 1e-9) + 1e-15


def test_the_optimum_is_not_the_fixed_size() -> None:
    values = [1.0, 2.0, 3.0, 50.0, 51.0, 99.0, 98.0]
    assert labels_of(OptimalUnivariate, values, 2) == [0, 0, 0, 1, 1, 2, 2]
    assert labels_of(Ranking, values, 2) == [0, 0, 1, 1, 2, 2, 2]


@BOTH
def test_equal_values_stand_in_the_order_of_the_file(kind: Kind) -> None:
    assert labels_of(kind, [7.0] * 6, 3) == [0, 0, 0, 1, 1, 1]
    data = discreet.read({"x": [7.0] * 23})
    groups = kind(k=5).groups(data, ["x"], Context())
    assert 5 <= groups.sizes.min() <= groups.sizes.max() <= 9
    assert groups.detail["SSE/SST"] == 0


@BOTH
def test_ordinal_categories_count_in_their_order(kind: Kind) -> None:
    words = ["high", "low", "low", "high", "middle", "middle"]
    data = discreet.read({"g": words}, kinds={"g": ["low", "middle", "high"]})
    assert kind(k=2).groups(data, ["g"], Context()).labels.tolist() == [2, 0, 0, 2, 1, 1]


@BOTH
def test_k_or_more_missing_values_make_groups_of_their_own(kind: Kind) -> None:
    found = labels_of(kind, [None, 1.0, None, 9.0, 1.0, 9.0, None, None, None], 2)
    assert found == [2, 0, 2, 1, 0, 1, 3, 3, 3]


@BOTH
def test_fewer_missing_values_join_the_group_in_the_middle(kind: Kind) -> None:
    found = labels_of(kind, [1.0, 1.0, 1.0, 20.0, 21.0, 22.0, None, 40.0, 41.0, 39.0, None], 3)
    assert found == [0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 1]


@BOTH
def test_few_values_join_a_group_of_missing_ones(kind: Kind) -> None:
    assert labels_of(kind, [None, None, 5.0, None, None], 2) == [0, 0, 0, 1, 1]
    assert labels_of(kind, [None, None, 5.0, 6.0], 3) == [0, 0, 0, 0]
    assert labels_of(kind, [None, None, None, None], 2) == [0, 0, 1, 1]


@BOTH
@pytest.mark.parametrize("gaps", range(0, 25, 3))
@pytest.mark.parametrize("k", [2, 5, 11])
def test_no_group_is_smaller_than_k_whatever_is_missing(kind: Kind, gaps: int, k: int) -> None:
    values = np.where(np.arange(24) < gaps, np.nan, np.arange(24) % 7)
    data = discreet.read({"x": values, "y": range(24)})
    data = data.take(np.random.default_rng(gaps).permutation(24))
    groups = kind(k=k, by="x").groups(data, ["x", "y"], Context())
    assert k <= groups.sizes.min() <= groups.sizes.max() <= 3 * k - 2
    assert sorted(set(groups.labels.tolist())) == list(range(groups.count))


def several() -> Microdata:
    return discreet.read(
        {"town": list("abab"), "age": [1.0, 2.0, 8.0, 9.0], "pay": [1.0, 9.0, 1.0, 9.0]}
    )


@BOTH
def test_the_column_that_decides(kind: Kind) -> None:
    data = several()
    names = ["town", "age", "pay"]
    assert kind(k=2).groups(data, names, Context()).detail["by"] == "age"
    assert kind(k=2).groups(data, names, Context()).labels.tolist() == [0, 0, 1, 1]
    assert kind(k=2, by="pay").groups(data, names, Context()).labels.tolist() == [0, 1, 0, 1]
    assert kind(k=2, by="pay").groups(data, ["age"], Context()).labels.tolist() == [0, 1, 0, 1]


@BOTH
def test_what_has_no_order_is_refused_with_the_way_out(kind: Kind) -> None:
    data = several()
    with pytest.raises(DataError, match=r"'town' is nominal; name the column .* by="):
        kind(k=2).groups(data, ["town"], Context())
    with pytest.raises(DataError, match="'town' is nominal; name another column with by="):
        kind(k=2, by="town").groups(data, ["age"], Context())
    with pytest.raises(UsageError, match=r"'agee'.*did you mean 'age'"):
        kind(k=2, by="agee").groups(data, ["age"], Context())
    with pytest.raises(DataError, match="needs at least 9 records, but the data have 4"):
        kind(k=9).groups(data, ["age"], Context())


def test_a_million_records() -> None:
    rng = np.random.default_rng(0)
    data = discreet.read({"x": np.where(rng.random(10**6) < 0.01, np.nan, rng.normal(size=10**6))})
    groups = OptimalUnivariate(k=3).groups(data, ["x"], Context())
    assert groups.sizes.min() == 3
    assert groups.sizes.max() <= 5


@BOTH
def test_the_table_of_the_checks_with_gaps(kind: Kind) -> None:
    data = ordinary(rows=61)
    groups = kind(k=4).groups(data, data.quasi_identifiers, Context())
    missing = groups.labels[data.column("height").missing]
    assert not set(missing) & set(groups.labels[~data.column("height").missing])
