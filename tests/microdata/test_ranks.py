"""Ranks: by the order of each kind, equal values in random order, missing ones not at all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.microdata import ranks
from discreet.microdata.lasting import lasting
from discreet.microdata.ranks import order_of, ranked


@settings(deadline=None)
@given(st.lists(st.one_of(st.none(), st.integers(0, 4)), max_size=40), st.integers(0, 1000))
def test_rows_come_in_ascending_order_without_missing_ones(
    values: list[int | None], seed: int
) -> None:
    numbers = discreet.read({"x": [float(v) if v is not None else None for v in [*values, 1]]})
    words = discreet.read({"x": [f"v{v}" if v is not None else None for v in [*values, 1]]})
    for data in (numbers, words):
        column = data.column("x")
        rows = ranked(column, np.random.default_rng(seed))
        assert sorted(rows.tolist()) == np.flatnonzero(~column.missing).tolist()
        assert (np.diff(order_of(column)[rows]) >= 0).all()


@pytest.mark.parametrize("short", [ranks.SHORT, 0])
def test_every_order_of_equal_values_is_as_likely(
    short: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from scipy.stats import chisquare

    monkeypatch.setattr(ranks, "SHORT", short)  # categories too many to be sorted by counting
    rng = np.random.default_rng(1)
    for values in ([2.0, 1.0, 2.0, 2.0], ["b", "a", "b", "b"]):
        column = discreet.read({"x": values}, kinds={}).column("x")
        seen: dict[tuple[int, ...], int] = {}
        for _ in range(1800):
            order = tuple(ranked(column, rng).tolist())
            seen[order] = seen.get(order, 0) + 1
        assert len(seen) == 6
        assert {order[0] for order in seen} == {1}
        assert chisquare(list(seen.values())).pvalue > 1e-4


@pytest.mark.parametrize("decimals", [0, 1, 2])
def test_numbers_that_are_sorted_by_counting_come_in_the_same_order(
    decimals: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = np.random.default_rng(2).normal(0, 9, 3_000).round(decimals)
    values[:40] = np.nan
    column = discreet.read({"x": values}).column("x")
    counted = ranked(column, np.random.default_rng(7))
    monkeypatch.setattr(ranks, "SHORT", 0)
    assert counted.tolist() == ranked(column, np.random.default_rng(7)).tolist()


def test_text_is_ranked_by_the_alphabet_and_an_order_by_itself() -> None:
    data = discreet.read(
        {"town": ["Cull", "Ayle", "Bron"], "grade": ["top", "low", "mid"]},
        kinds={"grade": ["low", "mid", "top"]},
    )
    for name in ("town", "grade"):
        assert ranked(data.column(name), np.random.default_rng(1)).tolist() == [1, 2, 0]


def test_a_zero_with_a_sign_is_a_zero() -> None:
    column = discreet.read({"x": [0.0, -0.0, *range(1, 40)]}).column("x")
    first = {ranked(column, np.random.default_rng(seed))[0] for seed in range(20)}
    assert first == {0, 1}


def test_a_table_that_lasts_ranks_as_any_other() -> None:
    values = np.random.default_rng(3).normal(size=300).round(3)
    values[:9], values[20:60] = np.nan, 0.123456
    data = discreet.read({"x": values, "n": np.arange(300) % 7})
    table = lasting(data)
    for name in ("x", "n"):
        for seed in (1, 2, 1):
            alone = ranked(data.column(name), np.random.default_rng(seed))
            kept = ranked(table.column(name), np.random.default_rng(seed), table)
            assert kept.tolist() == alone.tolist()
