"""Levels that are made where none are given."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import UsageError
from discreet.methods.nonperturbative.full_domain.automatic import OTHER, automatic
from discreet.methods.nonperturbative.full_domain.hierarchy_levels import Levels
from discreet.microdata import Kind

LAW = settings(max_examples=60, deadline=None, derandomize=True, database=None)


def is_a_tree(levels: Levels) -> bool:
    pairs = zip(levels.codes[:-1], levels.codes[1:], strict=True)
    return all(len({*zip(a, b, strict=True)}) == len(set(a.tolist())) for a, b in pairs)


@LAW
@given(st.lists(st.one_of(st.none(), st.floats(-1e6, 1e6)), min_size=1, max_size=40))
def test_intervals_nest_and_losses_rise_to_one(values: list[float | None]) -> None:
    column = discreet.read({"x": [*values, 0.5]}).column("x")
    levels = automatic(column)
    assert is_a_tree(levels)
    assert (np.diff(levels.loss, axis=0) >= -1e-12).all()
    assert levels.counts[-1] == 1
    assert levels.labels[-1] == ("*",)


def test_a_decimal_edge_begins_its_interval() -> None:
    column = discreet.read({"x": [0.1, 0.2, 0.3, 0.6, 0.7]}).column("x")
    levels = automatic(column, width=0.1)
    assert levels.labels[1][:3] == ("[0.1, 0.2)", "[0.2, 0.3)", "[0.3, 0.4)")
    assert len(levels.labels[1]) == 5


def test_a_width_that_makes_too_many_intervals_is_refused() -> None:
    column = discreet.read({"pay": [0.0, 1e9]}).column("pay")
    with pytest.raises(UsageError, match="more than 1,000,000 intervals of column 'pay'"):
        automatic(column, width=0.5)


def test_numbers_far_from_zero_have_intervals() -> None:
    levels = automatic(discreet.read({"x": [1e130, 1e130]}).column("x"), width=1)
    assert is_a_tree(levels)
    assert automatic(discreet.read({"x": [1e130, 1e130]}).column("x")).labels == ((), ("*",))
    wide = automatic(discreet.read({"x": [-1e130, 3.0, 1e130]}).column("x"))
    assert is_a_tree(wide)


def test_ordinal_neighbours_and_rare_words_and_codes() -> None:
    grades = ["a", "b", "c", "d", "e"]
    data = discreet.read(
        {
            "grade": grades * 20,
            "town": ["Ayle"] * 60 + ["Bron"] * 34 + ["Cull"] * 3 + ["Dorn"] * 3,
            "code": ["81667", "81675"] * 50,
        },
        kinds={"grade": grades, "code": "nominal"},
    )
    assert automatic(data.column("grade")).labels[1:] == (
        ("a–b", "c–d", "e"),
        ("a–d", "e"),
        ("*",),
    )
    assert automatic(data.column("town")).labels[1:] == (("Ayle", "Bron", OTHER), ("*",))
    assert automatic(data.column("code")).labels[1:3] == (("8166*", "8167*"), ("816**",))


def test_missing_stays_missing_below_the_top() -> None:
    column = discreet.read({"x": [20, 31, None]}).column("x")
    levels = automatic(column, width=5)
    assert levels.recoded(1).values.tolist() == [0, 1, -1]
    assert levels.recoded(levels.height).values.tolist() == [0, 0, 0]
    assert levels.loss[:, 2].tolist() == [0.0] * levels.height + [1.0]


def test_level_0_keeps_the_values_and_suppression_makes_them_missing() -> None:
    column = discreet.read({"x": [20, 31, 45]}).column("x")
    levels = automatic(column)
    assert levels.recoded(0) is column
    hidden = levels.recoded(0, np.array([False, True, False]))
    assert hidden.attribute.kind is Kind.CONTINUOUS
    assert np.array_equal(hidden.values, [20, np.nan, 45], equal_nan=True)
