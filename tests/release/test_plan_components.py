"""Methods, measures and analyses are built from a plan's text; a mistake has its line."""

from __future__ import annotations

from typing import Any

import pytest

from discreet.contracts import Component
from discreet.errors import UsageError
from discreet.release.plan_components import component, listed
from discreet.release.plan_file import parse_plan_text


def built(text: str, family: str = "method") -> Component:
    plan = parse_plan_text(text)
    return component(plan, (), family, plan.content)


def test_a_component_within_a_component_is_built_too() -> None:
    found: Any = built("microaggregation:\n  partition: {mdav: {k: 7}}")
    assert found.partition.k == 7
    assert built("rounding").spec.name == "rounding"


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("microagregation:", "line 1", "did you mean 'microaggregation'"),
        ("microaggregation:\n  partition:\n    mdav:\n      kk: 3", "line 4", "no parameter 'kk'"),
        ("microaggregation:\n  partition:\n    mdav: {k: 0}", "line 3", "at least 2"),
        ("{rounding: , pram: }", "line 1", "one method with its parameters"),
    ],
)
def test_a_mistake_is_reported_on_its_own_line(text: str, where: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        built(text)
    assert where in str(caught.value)


def test_a_list_holds_one_component_for_each_entry() -> None:
    plan = parse_plan_text("[k-anonymity, {l-diversity: {variant: entropy}}]")
    found = listed(plan, "measures", "measure", plan.content)
    assert found is not None
    assert [entry.spec.name for entry in found] == ["k-anonymity", "l-diversity"]
    assert listed(plan, "measures", "measure", None) is None
    with pytest.raises(UsageError, match="this must be a list of measures"):
        listed(plan, "measures", "measure", "k-anonymity")
