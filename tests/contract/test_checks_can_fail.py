"""The contract checks catch what they are there for: each broken component fails its check."""

from __future__ import annotations

from typing import Any

import pytest

from discreet.errors import ClaimError
from discreet.testing import Check, checks_for
from discreet.testing.checks import MODULES
from tests.contract import broken_analyses, broken_maskings, broken_measures
from tests.contract.witness import WITNESSES, Witness

HONEST = (*broken_maskings.HONEST, *broken_measures.HONEST, *broken_analyses.HONEST)
RECIPE = "check_recipe_makes_it_again"  # of what is in the registry only


@pytest.mark.parametrize("witness", WITNESSES, ids=lambda w: w.component.__name__)
def test_broken_component_fails(witness: Witness) -> None:
    assert witness.check in checks_for(witness.component.family)
    with pytest.raises((AssertionError, ClaimError), match=witness.says):
        witness.check(witness.component.example())


@pytest.mark.parametrize(
    ("honest", "check"),
    [
        pytest.param(honest, check, id=f"{honest.__name__}-{check.__name__}")
        for honest in HONEST
        for check in checks_for(honest.family)
        if check.__name__ != RECIPE
    ],
)
def test_honest_component_passes(honest: Any, check: Check) -> None:
    check(honest.example())


def test_every_check_has_a_witness() -> None:
    checks = {check for family in MODULES for check in checks_for(family)}
    unwitnessed = checks - {witness.check for witness in WITNESSES}
    assert not unwitnessed, f"no broken component shows that these can fail: {unwitnessed}"


def test_every_family_has_an_honest_component() -> None:
    assert {honest.family for honest in HONEST} == set(MODULES)
