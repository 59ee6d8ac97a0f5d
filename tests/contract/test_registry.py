"""Every entry of the registry keeps every promise of its family, without an exception."""

from __future__ import annotations

from typing import Any

import pytest

from discreet.contracts.method import UNSPECIFIED
from discreet.contracts.registry import entries
from discreet.testing import check, checks_for
from discreet.testing.checks import MODULES


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: f"{entry.family}-{entry.spec.name}")
def test_contract(entry: Any) -> None:
    check(entry)


@pytest.mark.parametrize("field", ["citation", "formula", "cost"])
def test_every_entry_says_its_source_formula_and_cost(field: str) -> None:
    for entry in entries():
        text = getattr(entry.spec, field)
        assert text.strip(), f"the spec of {entry.spec.name} has no {field}"
        assert text == text.strip()


def test_every_method_says_what_it_finds_in_each_file_anew() -> None:
    entry: Any
    for entry in entries("method"):
        assert entry.example().anew != UNSPECIFIED, entry.spec.name


def test_every_family_has_entries_to_check() -> None:
    assert {entry.family for entry in entries()} == set(MODULES)
    assert all(checks_for(family) for family in MODULES)
