"""The campaign's own intruders who learn, by hand; and a claim that is too low is found."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bench.campaign import learned_attacks
from bench.campaign.faults import Fault
from bench.campaign.learned_attacks import People, compare
from bench.campaign.learning import (
    Linked,
    classes_guessed,
    error_removed,
    linked_by_equality,
    linked_by_weights,
)

AGE = np.repeat([30.0, 60.0], 20)
PEOPLE = {"age": AGE, "ill": np.repeat(["no", "yes"], 20), "pay": AGE * 10}


def test_what_follows_from_the_age_is_guessed() -> None:
    assert classes_guessed(PEOPLE, PEOPLE, ["age"], "ill") == 0.5
    assert error_removed(PEOPLE, PEOPLE, ["age"], "pay") == pytest.approx(1.0)
    blurred = {**PEOPLE, "age": np.full(40, 45.0)}
    assert classes_guessed(PEOPLE, blurred, ["age"], "ill") == 0.0


def test_links_are_counted_by_hand() -> None:
    """Of the three records two are alike, so that each of these is linked by half."""
    original = {"age": np.array([30.0, 30.0, 60.0]), "town": np.array(["a", "a", "b"])}
    linked = Linked(original, np.arange(3))
    assert linked_by_equality(original, linked, ["age", "town"]) == pytest.approx(2 / 3)
    assert linked_by_weights(original, linked, linked, ["age", "town"]) == pytest.approx(2 / 3)
    turned = Linked(original, np.array([2, 1, 0]))
    assert linked_by_equality(original, turned, ["age", "town"]) == pytest.approx(1 / 6)


def test_a_claim_that_is_too_low_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    people = People(1, 150, 0.9, 2, ())
    told: dict[str, Any] = {"classification-attack": (0.0, 0.4)}
    monkeypatch.setattr(learned_attacks, "figures", lambda people: told)
    with pytest.raises(Fault, match="simple intruder"):
        compare(people)
    told["classification-attack"] = (0.38, 0.4)
    assert compare(people) == told
