"""Renaming: a component asks the same of other columns."""

from __future__ import annotations

import discreet
from discreet.contracts.renaming import with_columns


def test_what_speaks_of_treated_columns_is_taken_out() -> None:
    step = discreet.Microaggregation(
        columns=["age", "town", "pay"], attribute_groups=["age+town", "pay"]
    )
    some = with_columns(step, {"town": (), "pay": ()})
    assert (some.columns, some.attribute_groups) == (("age",), ("age",))


def test_what_is_looked_at_stays_unless_it_is_gone_from_the_table() -> None:
    step = discreet.RankSwapping(strata=["town"], columns=["age"])
    assert with_columns(step, {"town": ()}).strata == ("town",)
    assert with_columns(step, {"town": ("town 1", "town 2")}, everywhere=True).strata == (
        "town 1",
        "town 2",
    )


def test_files_and_predictors_keep_what_they_say() -> None:
    recoding = discreet.GlobalRecoding(hierarchies=["age=a.csv", "town=t.csv"])
    assert with_columns(recoding, {"town": ()}).hierarchies == ("age=a.csv",)
    synthesis = discreet.CartSynthesis(predictors=["pay=age+town", "age="], visit=["age", "pay"])
    some = with_columns(synthesis, {"age": ()})
    assert (some.predictors, some.visit) == (("pay=age+town",), ("pay",))
    wide = with_columns(synthesis, {"age": ("a", "b")}, everywhere=True)
    assert wide.predictors == ("pay=a+b+town", "a=", "b=")


def test_parts_of_a_component_are_renamed_too() -> None:
    hybrid = discreet.Hybrid(synthetic=discreet.Bootstrap(columns=["age", "pay"]))
    assert with_columns(hybrid, {"pay": ()}).synthetic.values()["columns"] == ("age",)


def test_nothing_left_is_nothing_said() -> None:
    step = discreet.LocalSuppression(importance={"age": 2}, columns=["age"])
    some = with_columns(step, {"age": ()})
    assert some.importance is None
    assert some.columns is None
