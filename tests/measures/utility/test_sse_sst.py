"""SSE/SST by hand and by the decomposition of sums of squares."""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import discreet
from discreet import Microdata
from discreet.contracts import Context, Groups, Pairing
from discreet.contracts.registry import build
from discreet.errors import NotApplicable
from discreet.microaggregation.replacement import Centroid

LAW = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
LOSS: Any = build("measure", "sse-sst")


def table(**columns: Any) -> Microdata:
    return discreet.read(columns, roles=dict.fromkeys(columns, "quasi-identifier"))


def loss(before: Microdata, after: Microdata, origin: Any = None) -> Any:
    pairing = Pairing.same_order(len(after)) if origin is None else Pairing(np.array(origin))
    return LOSS.score(before, after, Context(), pairing)


def test_one_column_by_hand() -> None:
    # About 31: 121 + 81 + 81 + 121 = 404. Changes: 1 + 1 + 4 + 0 = 6.
    found = loss(table(x=[20, 22, 40, 42]), table(x=[21, 21, 42, 42]))
    assert found.value == pytest.approx(6 / 404)
    assert found.per_record == pytest.approx([4 / 404, 4 / 404, 16 / 404, 0])
    assert found.detail["SST"] == pytest.approx(4)


def test_two_columns_count_alike_whatever_their_unit() -> None:
    before = table(x=[0, 2], y=[0, 2000])
    assert loss(before, table(x=[1, 1], y=[0, 2000])).value == pytest.approx(0.5)
    assert loss(before, table(x=[0, 2], y=[1000, 1000])).value == pytest.approx(0.5)


def test_a_changed_category_counts_one() -> None:
    before = table(t=["a", "a", "b", "b"])
    # Each record is ½ from the centre: SST is 4 · ½ · ½ = 1 in squares of 1/√2 coordinates.
    found = loss(before, table(t=["a", "b", "b", "b"]))
    assert found.detail["SSE"] == pytest.approx(1)
    assert found.detail["SST"] == pytest.approx(1)


def test_the_overall_mean_loses_everything() -> None:
    before = table(x=[1, 2, 3, 10], y=[5, 5, 7, 9])
    assert loss(before, table(x=[4.0] * 4, y=[6.5] * 4)).value == pytest.approx(1)


def test_nothing_changed_is_zero_whatever_the_order() -> None:
    before = table(x=[1, 2, 3, 10], t=["a", "b", None, "a"])
    assert loss(before, before).value == 0
    assert loss(before, before.take(np.array([2, 0, 3, 1])), [2, 0, 3, 1]).value == 0
    assert loss(before, before.take(np.array([2, 0, 3, 1]))).value > 0


def test_noise_can_lose_more_than_there_is() -> None:
    assert loss(table(x=[0, 2]), table(x=[10, -10])).value == pytest.approx((100 + 144) / 2)


@LAW
@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 3)), min_size=2, max_size=20))
def test_group_means_lose_the_within_group_share(rows: list[tuple[int, int]]) -> None:
    values = [float(v) for v, _ in rows]
    present = sorted({g for _, g in rows})
    labels = [present.index(g) for _, g in rows]
    before = table(x=values)
    if len(set(values)) == 1:
        with pytest.raises(NotApplicable, match="same quasi-identifiers"):
            loss(before, before)
        return
    after = before.replace(Centroid().replace(before, ["x"], Groups(np.array(labels)), Context()))
    centre = statistics.fmean(values)
    total = sum((v - centre) ** 2 for v in values)
    within = 0.0
    for group in set(labels):
        members = [v for v, g in zip(values, labels, strict=True) if g == group]
        within += sum((v - statistics.fmean(members)) ** 2 for v in members)
    assert loss(before, after).value == pytest.approx(within / total, abs=1e-12)


@pytest.mark.parametrize("released", [["*"] * 6, [None] * 6, None], ids=["top", "missing", "gone"])
def test_a_lost_column_loses_all_of_its_sum_of_squares(released: list[Any] | None) -> None:
    columns = {"x": [1.0, 5.0, 2.0, None, 9.0, 9.0], "t": ["a", "b", "b", "c", None, "b"]}
    before = table(**columns)
    for name in columns:
        others = {n: v for n, v in columns.items() if n != name}
        after = table(**others) if released is None else table(**others, **{name: released})
        found = loss(before, after)
        other = next(iter(others))
        assert found.parts[other,] == 0
        if name == "x":
            assert found.parts[name,] == pytest.approx(1)
        else:
            assert found.parts[name,] >= 1
        assert "says nothing about " + name in found.note


def test_intervals_lose_a_twelfth_of_their_squared_width() -> None:
    rng = np.random.default_rng(4)
    before = table(x=rng.uniform(0, 100, 20_000))
    for width in (4, 10, 25):
        method = discreet.GlobalRecoding(k=None, widths={"x": width})
        after = method.protect(before, Context()).data
        expected = width**2 / 12 / before["x"].var()
        assert loss(before, after).value == pytest.approx(expected, rel=0.02)


def test_a_suppressed_cell_costs_what_its_columns_spread_says() -> None:
    values = [1.0, 5.0, 2.0, 9.0]
    before = table(x=values)
    found = loss(before, table(x=[1.0, None, 2.0, None]))
    spread = np.var(values) * 4
    expected = sum((values[i] - np.mean(values)) ** 2 for i in (1, 3)) / spread
    assert found.value == pytest.approx(expected)
    # Of the towns a, a, b, c the shares of the others are a ⅔, b ⅓ where c is not said.
    town = table(t=["a", "a", "b", "c"])
    lost = ((2 / 3) ** 2 + (1 / 3) ** 2 + 1) / 2
    assert loss(town, table(t=["a", "a", "b", None])).detail["SSE"] == pytest.approx(lost)


def test_a_concatenation_costs_by_its_shares() -> None:
    before = table(t=["a", "a", "b", "c"])
    found = loss(before, table(t=["a2+b1"] * 3 + ["c"]))
    # Shares ⅔ and ⅓: an "a" loses ½ (1/9 + 1/9), the "b" ½ (4/9 + 4/9).
    assert found.detail["SSE"] == pytest.approx(2 * 1 / 9 + 4 / 9)


def test_a_part_of_the_records_is_measured_by_its_mean() -> None:
    before = table(x=[1.0, 2.0, 3.0, 4.0])
    assert loss(before, table(x=["*", "*"]), [0, 3]).value == pytest.approx(2.25 / 1.25)
    assert loss(before, table(x=[1.0, 4.0]), [0, 3]).value == 0


def test_where_it_does_not_apply() -> None:
    before = table(x=[1, 2])
    with pytest.raises(NotApplicable, match="no column is a quasi-identifier"):
        loss(discreet.read({"x": [1, 2]}), before)
    with pytest.raises(NotApplicable, match="no records"):
        loss(before, before.take(np.zeros(0, dtype=np.int64)), [])


def test_nominal_columns_count_as_their_coordinates_would() -> None:
    from discreet.microdata.embedding import Embedding

    roles = {"x": "quasi-identifier", "c": "quasi-identifier"}
    original = discreet.read({"x": [1, 2, 3, 9], "c": ["a", "b", None, "a"]}, roles=roles)
    released = discreet.read({"x": [1, 2, 2, 9], "c": ["a", "a", "b", "a"]}, roles=roles)
    measure: Any = build("measure", "sse-sst")
    score = measure.score(original, released, Context(), Pairing.same_order(4))
    embedding = Embedding.fit(original, ["x", "c"], also=released)
    before, after = embedding.points(original), embedding.points(released)
    total = ((before - before.mean(axis=0)) ** 2).sum()
    assert score.value == pytest.approx(((after - before) ** 2).sum() / total)
