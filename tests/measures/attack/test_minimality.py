"""Minimality: what follows from the choice of the least recoding."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Pairing, Randomness, Target
from discreet.errors import NotApplicable
from discreet.measures.attack.minimality import CHOICE_SAYS_NOTHING, Minimality

ROLES = {"kind": "quasi-identifier", "ill": "confidential"}


def test_the_example_of_two_kinds() -> None:
    """Two of one kind, four of the other, two are ill; a third before, 1/7 and 3/7 after."""
    data = discreet.read(
        {"kind": ["a"] * 2 + ["b"] * 4, "ill": ["no"] * 4 + ["yes"] * 2}, roles=ROLES
    )
    release = discreet.protect(data, discreet.GlobalRecoding(k=2, l=2), seed=1, shuffle=False)
    assert len(set(release.data.column("kind").values.tolist())) == 1
    outcome = Minimality().attempt(release.target, Context())
    assert outcome.detail["largest rise"] == pytest.approx(1 / 3 - 1 / 7)
    assert "19.0 points" in outcome.note
    # To say "no" is still best for everybody.
    assert outcome.success == pytest.approx(outcome.detail["without knowing the method"])


def test_a_value_that_only_one_kind_can_have_is_certain() -> None:
    """Both of the first kind are alike, or both of the second; the values say which."""
    data = discreet.read({"kind": ["a", "a", "b", "b"], "ill": ["x", "x", "y", "z"]}, roles=ROLES)
    release = discreet.protect(data, discreet.GlobalRecoding(k=2, l=2), seed=1, shuffle=False)
    outcome = Minimality().attempt(release.target, Context())
    # Two worlds in six are left, x for the first two or for the last two: still a half each.
    assert outcome.detail["largest rise"] == pytest.approx(0.0)
    three = discreet.read(
        {"kind": ["a", "a", "b", "b", "b"], "ill": ["x", "x", "y", "z", "y"]}, roles=ROLES
    )
    release = discreet.protect(three, discreet.GlobalRecoding(k=2, l=2), seed=1, shuffle=False)
    outcome = Minimality().attempt(release.target, Context())
    # Only two of a kind can be alike here: x, x or y, y, each in as many worlds.
    assert outcome.detail["without knowing the method"] == pytest.approx(0.4)
    assert outcome.success == pytest.approx((1 + 1 + 1 / 2 * 2 + 0) / 5, abs=0.2)


@pytest.mark.parametrize(
    "method",
    [
        discreet.GlobalRecoding(k=2),
        discreet.GlobalRecoding(k=2, l=2, t=0.9),
        discreet.GlobalRecoding(k=2, l=2, suppression=0.2),
    ],
)
def test_a_choice_that_says_nothing_about_confidential_values(
    method: discreet.GlobalRecoding,
) -> None:
    data = discreet.read(
        {"kind": ["a"] * 2 + ["b"] * 4, "ill": ["no"] * 3 + ["yes"] * 3}, roles=ROLES
    )
    outcome = Minimality().attempt(discreet.protect(data, method, seed=1).target, Context())
    assert outcome.note == CHOICE_SAYS_NOTHING
    assert outcome.success == pytest.approx(outcome.detail["without knowing the method"])


def test_it_finds_no_more_than_there_is_in_random_files() -> None:
    """Where illness is drawn at random, knowing the choice wins a little at best, on average."""
    gains = []
    for seed in range(20):
        draw = np.random.default_rng(seed)
        data = discreet.read(
            {"kind": draw.choice(list("abcd"), 24), "ill": draw.choice(["no", "yes"], 24)},
            roles=ROLES,
        )
        release = discreet.protect(data, discreet.GlobalRecoding(k=3, l=2), seed=seed)
        outcome = Minimality(worlds=200).attempt(release.target, Context(Randomness(seed)))
        gains.append(outcome.success - outcome.detail["without knowing the method"])
    assert -0.03 < np.mean(gains) < 0.1


def test_it_is_judged_by_what_the_people_have_not_by_what_was_released() -> None:
    """The illnesses of everybody are exchanged after the release: nothing is known of them."""
    data = discreet.read(
        {"kind": ["a"] * 2 + ["b"] * 4, "ill": ["no"] * 4 + ["yes"] * 2}, roles=ROLES
    )
    release = discreet.protect(data, discreet.GlobalRecoding(k=2, l=2), seed=1, shuffle=False)
    ill = data.column("ill")
    target = replace(release.target, original=data.replace([ill.with_values(1 - ill.values)]))
    assert Minimality().attempt(target, Context()).success == pytest.approx(2 / 6)


def test_people_held_back_are_taken_for_one_of_their_kind() -> None:
    """Of those held back one of the second kind is ill, whom the guess "no" misses."""
    table = discreet.read(
        {"kind": ["a"] * 2 + ["b"] * 4 + ["a", "b", "b", "b"],
         "ill": ["no"] * 4 + ["yes"] * 2 + ["no", "no", "no", "yes"]},
        roles=ROLES,
    )  # fmt: skip
    data, control = table.take(np.arange(6)), table.take(np.arange(6, 10))
    release = discreet.protect(data, discreet.GlobalRecoding(k=2, l=2), seed=1)
    outcome = Minimality().attempt(replace(release.target, control=control), Context())
    assert outcome.control == 0.75
    assert outcome.blind == pytest.approx(4 / 6)
    assert outcome.interval is not None
    assert outcome.interval[0] < outcome.success < outcome.interval[1]


def test_it_needs_pairs_and_secrets() -> None:
    data = discreet.read({"kind": ["a", "b"], "ill": ["x", "y"]}, roles=ROLES)
    with pytest.raises(NotApplicable, match="which original"):
        Minimality().attempt(Target(data, data), Context())
    bare = data.drop(["ill"])
    with pytest.raises(NotApplicable, match="confidential"):
        Minimality().attempt(Target(bare, bare, Pairing.same_order(2)), Context())


def test_columns_with_too_many_values_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    data = discreet.read({"kind": ["a", "b"], "ill": ["x", "y"]}, roles=ROLES)
    monkeypatch.setattr("discreet.measures.attack.minimality.MOST_CHANCES", 3)
    with pytest.raises(NotApplicable, match="too many different values"):
        Minimality().attempt(Target(data, data, Pairing.same_order(2)), Context())


def test_of_changed_values_nobody_knows_the_class() -> None:
    draw = np.random.default_rng(1)
    data = discreet.read(
        {"age": draw.integers(20, 60, 80), "ill": draw.choice(list("ab"), 80)},
        roles={"age": "quasi-identifier", "ill": "confidential"},
    )
    swapped = discreet.protect(data, discreet.RankSwapping(p=30), seed=1, allow=None)
    assert "changed, not recoded" in Minimality().attempt(swapped.target, Context()).moot
    recoded = discreet.protect(data, discreet.GlobalRecoding(k=3), seed=1, allow=None)
    assert not Minimality().attempt(recoded.target, Context()).moot
