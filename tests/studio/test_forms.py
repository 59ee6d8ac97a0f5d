"""Every parameter of every method has a field, and the form gives back what was put in."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from discreet.contracts.registry import build, entries
from discreet.errors import UsageError
from discreet.studio.forms import COLUMNS, TRUTH, Field, fields, read_values


def sent(shown: Iterable[Field]) -> dict[str, list[str]]:
    """What a browser sends of a form that nobody touched."""
    given: dict[str, list[str]] = {}
    for field in shown:
        if field.input == TRUTH:
            if field.value:
                given[field.path] = ["true"]
        elif field.input == COLUMNS:
            given[field.path] = list(field.value)
        elif isinstance(field.value, list):
            given[field.path] = ["\n".join(field.value)]
        else:
            given[field.path] = ["" if field.value is None else str(field.value)]
        given |= sent(field.inner)
    return given


@pytest.mark.parametrize("name", [entry.spec.name for entry in entries("method")])
def test_a_form_that_nobody_touched_changes_nothing(name: str) -> None:
    entry = next(e for e in entries("method") if e.spec.name == name)
    example = entry.example()
    shown = fields("method", name, example.recipe()[name])
    assert {field.path for field in shown} == set(entry.params())
    assert all(field.help for field in shown)
    again = build("method", {name: read_values("method", name, sent(shown))})
    assert again == example


def test_another_part_brings_its_own_fields() -> None:
    values = read_values(
        "method", "microaggregation", {"partition": ["mondrian"], "partition.k": ["7"]}
    )
    assert values == {"partition": {"mondrian": {"k": 7}}}
    [partition] = [f for f in fields("method", "microaggregation", values) if f.name == "partition"]
    assert "partition.k" in [field.path for field in partition.inner]


def test_what_is_no_number_is_explained() -> None:
    with pytest.raises(UsageError, match="'base' must be a number"):
        read_values("method", "rounding", {"base": ["five"]})
