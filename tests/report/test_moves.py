from __future__ import annotations

import numpy as np

import discreet
from discreet.microdata import Column
from discreet.report.moves import MISSING, OTHERS, Moves, moved, moves_picture


def column(values: list[object]) -> Column:
    return discreet.read({"x": values}).column("x")


def test_numbers_share_their_spans_so_that_what_stayed_is_on_the_diagonal() -> None:
    before = column([0, 10, 20, 30, 40, 50, 60, 70, 80])
    stayed = moved(before, before)
    assert stayed is not None
    assert stayed.before == stayed.after
    assert np.array_equal(stayed.went, np.eye(len(stayed.before)))
    assert abs(sum(stayed.shares) - 1) < 1e-5
    all_low = moved(before, before.with_values(np.zeros(9)))
    assert all_low is not None
    assert all_low.after == stayed.before[:1]


def test_missing_values_and_rare_categories_have_places_of_their_own() -> None:
    names = [f"town {i}" for i in range(12)]
    before = column([*names, *names[:8]])
    gone = before.with_values(np.where(np.arange(20) < 2, -1, before.values))
    found = moved(before, gone)
    assert found is not None
    assert found.before[-1] == OTHERS
    assert found.after[-1] == MISSING
    assert found.went[0][-1] == 0.5


def test_numbers_that_became_labels_are_told_too() -> None:
    table = discreet.read({"age": [20, 30, 40, 50]}, roles={"age": "quasi-identifier"})
    method = discreet.GlobalRecoding(k=None, intervals={"age": [35]})
    after = discreet.protect(table, method, shuffle=False).data.column("age")
    found = moved(table.column("age"), after)
    assert found is not None
    assert set(found.after) == {"below 35", "35 and above"}


def test_nothing_and_what_has_no_common_axis_is_not_drawn() -> None:
    assert moved(column([]), column([])) is None
    assert moved(column([1e308, -1e308]), column([1e308, -1e308])) is None


def test_names_are_escaped_and_cut() -> None:
    long = "<b>" + "x" * 40
    drawn = moves_picture("<i>", Moves((long,), (long,), (1.0,), ((1.0,),)))
    assert "<b>" not in drawn
    assert "…" in drawn
