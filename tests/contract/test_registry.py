"""Every entry of the registry keeps every promise of its family, without an exception."""

from __future__ import annotations

from typing import Any

import pytest

from discreet.contracts.method import UNSAID
from discreet.contracts.registry import entries
from discreet.testing import checks_for
from discreet.testing.checks import MODULES

CASES = [
    pytest.param(entry, check, id=f"{entry.family}-{entry.spec.name}-{check.__name__}")
    for entry in entries()
    for check in checks_for(entry.family)
]


@pytest.mark.parametrize(("entry", "check"), CASES)
def test_contract(entry: Any, check: Any) -> None:
    check(entry.example())


@pytest.mark.parametrize("said", ["citation", "formula", "cost"])
@pytest.mark.parametrize("entry", entries(), ids=lambda entry: f"{entry.family}-{entry.spec.name}")
def test_every_entry_says_its_source_formula_and_cost(entry: Any, said: str) -> None:
    text = getattr(entry.spec, said)
    assert text.strip(), f"the spec of {entry.spec.name} has no {said}"
    assert text == text.strip()


@pytest.mark.parametrize("entry", entries("method"), ids=lambda entry: entry.spec.name)
def test_every_method_says_what_it_finds_in_each_file_anew(entry: Any) -> None:
    assert entry.example().anew != UNSAID


def test_every_family_has_entries_to_check() -> None:
    assert {entry.family for entry in entries()} == set(MODULES)
    assert all(checks_for(family) for family in MODULES)
