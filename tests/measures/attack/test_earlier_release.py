"""Two releases together: what each hides among others, both together give away."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Pairing, Randomness, Target
from discreet.errors import NotApplicable, UsageError
from discreet.measures.attack.earlier_release import EarlierRelease

ROLES = {"age": "quasi-identifier", "pay": "confidential"}


def bands(ages: np.ndarray, width: int, shift: int) -> list[str]:
    low = (ages - shift) // width * width + shift
    return [f"{a}–{a + width - 1}" for a in low.tolist()]


def people(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(seed)
    return draw.integers(20, 80, rows), 9 * draw.lognormal(size=rows)


def test_bands_that_overlap_differently_rule_values_out() -> None:
    """About ten people share a band of ten years, and about five both bands."""
    age, pay = people(60, 1)
    data = discreet.read({"age": age.astype(float), "pay": pay}, roles=ROLES)
    first, second = (
        discreet.read({"age": bands(age, 10, shift), "pay": pay}, roles=ROLES) for shift in (0, 5)
    )
    target = Target(data, second, Pairing.same_order(60), earlier=(first,))
    outcome = EarlierRelease().attempt(target, Context(Randomness(1)))
    both = [
        ((age // 10 == a // 10) & ((age - 5) // 10 == (a - 5) // 10)).sum() for a in age.tolist()
    ]
    # Pay differs between all people, so one of those in both bands is guessed at random.
    assert outcome.success == pytest.approx(float(np.mean([1 / b for b in both])))
    assert max(outcome.detail["alone"]) < 0.6 * outcome.success
    assert outcome.certain == pytest.approx(float(np.mean([b == 1 for b in both])), abs=0.02)
    assert outcome.detail["values left"] == np.median(both)


def test_the_same_release_twice_gives_nothing_more() -> None:
    age, pay = people(60, 2)
    data = discreet.read({"age": age.astype(float), "pay": pay}, roles=ROLES)
    release = discreet.read({"age": bands(age, 10, 0), "pay": pay}, roles=ROLES)
    outcome = EarlierRelease().attempt(Target(data, release, earlier=(release,)), Context())
    assert outcome.success == pytest.approx(outcome.detail["alone"][0])
    assert outcome.certain == 0.0


def test_where_nothing_was_protected_everything_is_found() -> None:
    age, pay = people(80, 3)
    data = discreet.read({"age": age + np.linspace(0, 0.9, 80), "pay": pay}, roles=ROLES)
    assert EarlierRelease().attempt(Target(data, data, earlier=(data,)), Context()).success == 1.0


def test_independent_releases_are_no_better_than_a_blind_guess() -> None:
    beyond = 0
    for seed in range(50):
        draw = np.random.default_rng(seed)
        tables = [
            discreet.read(
                {"age": draw.integers(20, 40, 100), "pay": draw.choice(list("abcd"), 100)},
                roles=ROLES,
            )
            for _ in range(3)
        ]
        target = Target(tables[0], tables[1], earlier=(tables[2],))
        outcome = EarlierRelease().attempt(target, Context(Randomness(seed)))
        assert outcome.interval is not None
        # The value that is most frequent in the release is right for about a quarter.
        beyond += outcome.interval[0] > max(outcome.blind, 0.25)
    assert beyond < 5


def test_releases_that_contradict_each_other_are_read_by_the_later_one() -> None:
    data = discreet.read({"age": [30.0, 40.0], "pay": ["a", "b"]}, roles=ROLES)
    other = discreet.read({"age": [30.0, 40.0], "pay": ["b", "a"]}, roles=ROLES)
    outcome = EarlierRelease().attempt(Target(data, data, earlier=(other,)), Context())
    assert outcome.success == 1.0
    assert outcome.detail["alone"] == [0.0, 1.0]


def test_a_third_release_narrows_further() -> None:
    """Bands of twelve years that begin at three places leave those of the same four years."""
    age, pay = people(90, 4)
    data = discreet.read({"age": age.astype(float), "pay": pay}, roles=ROLES)
    releases = [
        discreet.read({"age": bands(age, 12, shift), "pay": pay}, roles=ROLES)
        for shift in (0, 4, 8)
    ]
    two, three = (
        EarlierRelease().attempt(Target(data, releases[-1], earlier=tuple(earlier)), Context())
        for earlier in (releases[:1], releases[:2])
    )
    alike = [(age // 4 == a // 4).sum() for a in age.tolist()]
    assert three.success == pytest.approx(float(np.mean([1 / n for n in alike])))
    assert three.success > two.success > max(three.detail["alone"])
    assert len(three.detail["alone"]) == 3


def test_what_it_needs() -> None:
    data = discreet.read({"age": [30.0, 40.0], "pay": [1.0, 2.0]}, roles=ROLES)
    with pytest.raises(NotApplicable, match="no earlier release"):
        EarlierRelease().attempt(Target(data, data), Context())
    with pytest.raises(NotApplicable, match="in all releases"):
        EarlierRelease().attempt(Target(data, data, earlier=(data.drop(["pay"]),)), Context())
    with pytest.raises(NotApplicable, match="says nothing"):
        EarlierRelease().attempt(Target(data, data, earlier=(data.drop(["age"]),)), Context())
    with pytest.raises(UsageError, match="wage"):
        EarlierRelease(secrets=("wage",)).attempt(Target(data, data, earlier=(data,)), Context())


def test_releases_that_contradict_each_other_tell_no_less_than_the_better_of_them() -> None:
    """The earlier one is the file as it is, the later one is about anybody."""
    age, pay = people(100, 6)
    data = discreet.read({"age": age + np.linspace(0, 0.9, 100), "pay": pay}, roles=ROLES)
    other = data.replace([data.column("pay").with_values(np.roll(pay, 7))])
    outcome = EarlierRelease().attempt(Target(data, other, earlier=(data,)), Context())
    assert outcome.detail["alone"] == [1.0, 0.0]
    assert outcome.success == 1.0
