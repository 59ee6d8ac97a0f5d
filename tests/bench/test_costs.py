"""What entries cost is measured for each family of the registry."""

from __future__ import annotations

import pytest

from bench.costs import SMALLEST, example, line, table, work
from discreet.contracts import Component
from discreet.contracts.registry import entries
from discreet.measures.risk.k_anonymity import KAnonymity

FIRST = {
    entry.family: entry for entry in sorted(entries(), key=lambda e: e.spec.name, reverse=True)
}


@pytest.mark.parametrize("entry", FIRST.values(), ids=FIRST)
def test_an_entry_of_every_family_is_at_work(entry: type[Component]) -> None:
    assert work(entry, SMALLEST, 4)() is not None


def test_a_line_has_the_exponent_and_the_stated_cost() -> None:
    measured = line(KAnonymity, 0.0)
    assert measured.startswith("measure     k-anonymity")
    assert "n^" in measured
    assert KAnonymity.spec.cost in measured


def test_examples_refer_to_the_columns_that_are_generated() -> None:
    data = table(KAnonymity.spec.kinds, 50)
    for entry in entries():
        step = example(entry, data)
        for columns in (step.values().get(name) for name in ("bounds", "domains")):
            assert set(columns or ()) <= set(data.schema.names)
