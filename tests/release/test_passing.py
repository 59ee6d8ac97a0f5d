"""The gate: rules are kept as far as the claims allow, and nothing passes with a false claim."""

from __future__ import annotations

import pytest

import discreet

RULE = "if age < 15 then married = no"
EXCHANGED = discreet.PRAM(columns=["married"], stay=0.5)


def people() -> discreet.Microdata:
    """Thirty children, none of them married, and thirty adults, half of them."""
    return discreet.read(
        {"age": [12] * 30 + [40] * 30, "married": ["no"] * 30 + ["no", "yes"] * 15},
        roles={"age": "quasi-identifier", "married": "confidential"},
    )


def children(release: discreet.Release) -> set[str]:
    """Return what is said of the children."""
    married = release.data.column("married")
    codes = married.values[release.data["age"] < 15]
    return {str(married.attribute.categories[code]) for code in codes}


def test_rules_are_kept_where_nothing_is_claimed_against_them() -> None:
    assert children(discreet.protect(people(), EXCHANGED, seed=1)) == {"no", "yes"}
    release = discreet.protect(people(), EXCHANGED, rules=[RULE], seed=1)
    assert children(release) == {"no"}
    assert not any("rules were not enforced" in note for note in release.notes)


def test_a_claim_comes_before_a_rule() -> None:
    release = discreet.protect(people(), EXCHANGED, rules=[RULE], seed=1, claims={"l-diversity": 2})
    assert children(release) == {"no", "yes"}
    [note] = [note for note in release.notes if "rules were not enforced" in note]
    assert "would break a claim" in note
    assert "l-diversity" in note


def test_a_claim_that_fails_without_rules_stops_the_release() -> None:
    with pytest.raises(discreet.ClaimError, match="l-diversity"):
        discreet.protect(people(), EXCHANGED, rules=[RULE], seed=1, claims={"l-diversity": 3})
