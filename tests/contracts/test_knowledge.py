"""What an intruder knows: less of it, and less exactly, finds fewer people."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Knowledge, Pairing, Randomness, Target
from discreet.contracts.registry import build
from discreet.errors import NotApplicable, UsageError

RECORDS = 200


@pytest.fixture(scope="module")
def target() -> Target:
    draw = np.random.default_rng(1)
    data = discreet.read(
        {"age": draw.normal(50, 9, RECORDS), "pay": draw.normal(30, 5, RECORDS),
         "town": draw.choice(list("abcd"), RECORDS), "ill": draw.choice(["yes", "no"], RECORDS)},
        roles=dict.fromkeys(["age", "pay", "town"], "quasi-identifier") | {"ill": "confidential"},
    )  # fmt: skip
    return Target(data, data, Pairing.same_order(RECORDS), data.take(np.arange(50)))


def linked(target: Target, knowledge: Knowledge) -> float:
    attack = build("attack", "nearest-linkage")
    assert isinstance(attack, discreet.contracts.Attack)
    context = Context(Randomness(1))
    return attack.attempt(knowledge.of(target, context), context).success


def test_everything_exactly_is_the_worst_case(target: Target) -> None:
    assert linked(target, Knowledge()) == 1.0


def test_who_knows_half_of_the_people_finds_half(target: Target) -> None:
    assert linked(target, Knowledge(share=0.5)) == pytest.approx(0.5, abs=0.03)


def test_errors_and_fewer_columns_find_fewer(target: Target) -> None:
    assert linked(target, Knowledge(columns=("town",))) == pytest.approx(4 / RECORDS)
    exact, rough, rougher = (linked(target, Knowledge(error=e)) for e in (0.0, 0.1, 0.5))
    assert exact > rough > rougher


def test_what_is_guessed_stays_as_it_is(target: Target) -> None:
    seen = Knowledge(error=0.3, share=0.5).of(target, Context(Randomness(1)))
    assert seen.original.column("ill").same_as(target.original.column("ill"))
    assert seen.released is target.released
    assert seen.control is not None
    assert not seen.control.column("age").missing.any()
    changed = seen.original["town"] != target.original["town"]
    assert 0.5 < changed.mean() < 0.7


def test_the_ignorant_cannot_run_the_method(target: Target) -> None:
    attack = build("attack", "imitation-linkage")
    assert isinstance(attack, discreet.contracts.Attack)
    release = discreet.protect(target.original, discreet.RankSwapping(p=5, columns=["age"]), seed=1,
                               allow=None)  # fmt: skip
    assert attack.attempt(release.target, Context()).success > 0.5
    with pytest.raises(NotApplicable, match="the method is not known"):
        attack.attempt(Knowledge(method=False).of(release.target, Context()), Context())


@pytest.mark.parametrize("wrong", [{"error": -0.1}, {"error": 2.0}, {"share": 0.0}])
def test_nonsense_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="was given"):
        Knowledge(**wrong)  # type: ignore[arg-type]


def test_columns_that_are_not_there(target: Target) -> None:
    with pytest.raises(UsageError, match="'city'"):
        Knowledge(columns=("city",)).of(target, Context())
