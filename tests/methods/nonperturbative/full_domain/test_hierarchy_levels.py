"""Levels of columns: made, given, recoded."""

from __future__ import annotations

import discreet
from discreet.methods.nonperturbative.full_domain.hierarchy_levels import from_hierarchy
from discreet.microdata import Kind
from discreet.microdata.hierarchy import Hierarchy


def test_labels_in_the_order_of_the_values_are_ordinal() -> None:
    column = discreet.read({"age": [45, 20, 31]}).column("age")
    ordered = Hierarchy([("45", "old"), ("20", "young"), ("31", "young")])
    torn = Hierarchy([("45", "odd"), ("20", "odd"), ("31", "other")])
    assert from_hierarchy(column, ordered).recoded(1).attribute.categories == ("young", "old")
    assert from_hierarchy(column, ordered).recoded(1).attribute.kind is Kind.ORDINAL
    assert from_hierarchy(column, torn).recoded(1).attribute.kind is Kind.NOMINAL
