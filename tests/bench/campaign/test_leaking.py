"""A message that quotes a record is told from one that does not."""

from __future__ import annotations

import pytest

from bench.campaign.counting import SeenColumn
from bench.campaign.faults import Fault
from bench.campaign.leaking import gone, refuse_quoting, refuse_telling
from bench.campaign.tables import Column, Table

CELLS = ["Quellbrunn", "a", 12, 73456.125]


@pytest.mark.parametrize("message", ["the value Quellbrunn is wrong", "73456.125 is too large"])
def test_a_quoted_value_is_a_fault(message: str) -> None:
    with pytest.raises(Fault, match="quotes a value"):
        refuse_quoting(message, CELLS, "", "protect")


def test_short_values_and_those_of_the_plan_may_occur() -> None:
    refuse_quoting("a column has 12 values", CELLS, "", "protect")
    refuse_quoting("the data have 0.00125628", [0.001], "", "protect")
    refuse_quoting("too few to fit a model", ["model"], "", "protect")
    refuse_quoting("no column Quellbrunn", CELLS, "columns: [Quellbrunn]", "protect")


def test_a_seed_in_a_public_file_is_a_fault() -> None:
    with pytest.raises(Fault, match=r"manifest\.json tells"):
        refuse_telling('{"seed": 123456}', ["123456"], "manifest.json", "release")


def test_names_that_are_gone_are_secrets() -> None:
    cells = ("'Quellbrunn'", "'Ziegelau'", "'a'")
    town = Column("town", "words", "nominal", "quasi-identifier", cells, "")
    seen = {"town": SeenColumn("quasi-identifier", "nominal", ["a"], ["Ziegelau+a"])}
    assert gone(Table("csv", (town,)), seen) == ["Quellbrunn"]
    recoded = {"local-recoding": {"hierarchies": {"town": [["Quellbrunn", "*"]]}}}
    assert gone(Table("csv", (town,)), seen, [recoded]) == ["Quellbrunn"]
    drawn = {"dp-synthesis": {"domains": {"town": {"categories": ["Quellbrunn", "a"]}}}}
    assert gone(Table("csv", (town,)), seen, [drawn]) == [], "a declared domain is public"
