"""Homogeneity and background knowledge, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Pairing, Randomness, Target
from discreet.errors import NotApplicable
from discreet.measures.attack.homogeneity import Homogeneity
from discreet.microdata import Microdata

ROLES = {"age": "quasi-identifier", "ill": "confidential"}


def classes() -> tuple[Microdata, Microdata]:
    """Four in their thirties (flu twice, gout, cold), three in their forties (all gout)."""
    ill = ["flu", "flu", "gout", "cold", "gout", "gout", "gout"]
    people = discreet.read({"age": [30, 31, 32, 33, 40, 41, 42], "ill": ill}, roles=ROLES)
    bands = ["30–39"] * 4 + ["40–49"] * 3
    return people, discreet.read({"age": bands, "ill": ill}, roles=ROLES)


def test_the_commonest_value_is_guessed_and_a_single_one_is_certain() -> None:
    people, released = classes()
    target = Target(people, released, Pairing.same_order(7))
    outcome = Homogeneity().attempt(target, Context())
    # The two with flu are right, the other two of the class are not, the last three all are.
    assert outcome.success == pytest.approx(5 / 7)
    assert outcome.certain == pytest.approx(3 / 7)
    assert outcome.blind == pytest.approx(4 / 7)
    assert outcome.per_record is not None
    assert outcome.per_record.tolist() == [1, 1, 0, 0, 1, 1, 1]


@pytest.mark.parametrize(
    ("ruled_out", "success", "certain"), [(1, 6 / 7, 3 / 7), (2, 1.0, 1.0), (3, 1.0, 1.0)]
)
def test_values_that_are_ruled_out(ruled_out: int, success: float, certain: float) -> None:
    """Without flu, gout and cold are as common as each other: half right for either of the two."""
    people, released = classes()
    outcome = Homogeneity(ruled_out=ruled_out).attempt(Target(people, released), Context())
    assert outcome.success == pytest.approx(success)
    assert outcome.certain == pytest.approx(certain)
    assert outcome.detail["by values ruled out"] == pytest.approx([5 / 7, 6 / 7, 1.0, 1.0])


def test_the_blind_guess_knows_as_much_about_the_person() -> None:
    """Of all, gout is the commonest, then flu: those with flu are found once gout is ruled out."""
    people, released = classes()
    outcome = Homogeneity(ruled_out=1).attempt(Target(people, released), Context())
    assert outcome.blind == pytest.approx(6 / 7)


def test_a_class_with_a_gap_is_not_certain() -> None:
    people = discreet.read({"age": [30, 31], "ill": ["flu", "flu"]}, roles=ROLES)
    released = discreet.read({"age": ["30–39"] * 2, "ill": ["flu", None]}, roles=ROLES)
    outcome = Homogeneity().attempt(Target(people, released), Context())
    assert (outcome.success, outcome.certain) == (1.0, 0.0)


def test_numbers_are_guessed_by_classes() -> None:
    roles = {"age": "quasi-identifier", "pay": "confidential"}
    pay = [*range(10, 20), *range(90, 100)]
    people = discreet.read({"age": [30] * 10 + [40] * 10, "pay": pay}, roles=roles)
    outcome = Homogeneity(classes=2).attempt(Target(people, people), Context())
    assert (outcome.success, outcome.certain, outcome.blind) == (1.0, 1.0, 0.5)


def test_what_holds_for_anybody_is_the_control() -> None:
    """The illness follows from the age for those held back as well."""
    draw = np.random.default_rng(1)
    age = draw.integers(0, 4, 200)
    table = discreet.read({"age": age * 10.0, "ill": [f"i{a}" for a in age]}, roles=ROLES)
    used, control = table.take(np.arange(100)), table.take(np.arange(100, 200))
    outcome = Homogeneity().attempt(Target(used, used, None, control), Context(Randomness(1)))
    assert (outcome.success, outcome.control, outcome.excess) == (1.0, 1.0, 0.0)


def test_it_needs_something_to_guess() -> None:
    data = discreet.read({"age": [30, 40]}, roles={"age": "quasi-identifier"})
    with pytest.raises(NotApplicable, match="confidential"):
        Homogeneity().attempt(Target(data, data), Context())
