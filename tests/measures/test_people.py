"""Attacks with a control: simulations with a known truth, and what they share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Attack, Context, Randomness, Target
from discreet.contracts.registry import find
from discreet.errors import DataError, NotApplicable, UsageError
from discreet.measures.attack import singling_out
from discreet.measures.people import Everybody
from discreet.measures.sampled import interval_of_share

NAMES = ("inference", "linkability", "membership", "singling-out")
EACH = pytest.mark.parametrize("entry", [find("attack", name) for name in NAMES], ids=NAMES)


def people(rows: int, seed: int) -> discreet.Microdata:
    draw = np.random.default_rng(seed)
    common = draw.normal(size=rows)
    columns: dict[str, Any] = {f"x{c}": 0.7 * common + draw.normal(size=rows) for c in range(3)}
    columns["town"] = draw.choice(list("abcde"), rows)
    roles = dict.fromkeys(columns, "quasi-identifier") | {"pay": "confidential"}
    return discreet.read({**columns, "pay": 9 * draw.lognormal(size=rows)}, roles=roles)


def split(rows: int, held: int, seed: int) -> tuple[discreet.Microdata, discreet.Microdata]:
    everybody = people(rows + held, seed)
    return everybody.take(np.arange(rows)), everybody.take(np.arange(rows, rows + held))


@EACH
def test_where_nothing_was_protected_nearly_everything_is_found(entry: Any) -> None:
    used, control = split(200, 100, 1)
    outcome = entry().attempt(Target(used, used, None, control), Context(Randomness(1)))
    assert outcome.success > 0.98
    assert outcome.excess > 0.95


@EACH
def test_independent_data_give_no_more_than_a_control_or_a_blind_guess(
    entry: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(singling_out, "ATTEMPTS", 150)
    monkeypatch.setattr(singling_out, "TRIED", 20)
    beyond, above = 0, []
    for seed in range(50):
        used, control = split(150, 100, seed)
        target = Target(used, people(150, 1000 + seed), None, control)
        outcome = entry().attempt(target, Context(Randomness(seed)))
        without = max(outcome.blind, *(outcome.control_interval or (outcome.blind,)))
        beyond += outcome.interval[0] > without
        above.append(outcome.success - outcome.without)
    # One in forty intervals lies above by chance; five or more of fifty, once in a hundred times.
    assert beyond < 5
    assert np.mean(above) < 0.02


@EACH
def test_the_order_of_the_release_changes_nothing(entry: Any) -> None:
    used, control = split(120, 60, 2)
    masked = discreet.protect(
        used, discreet.AdditiveNoise(alpha=0.05, columns=["x0", "x1", "x2"]), seed=3, shuffle=False
    ).data
    order = np.random.default_rng(1).permutation(120)
    first, second = (
        entry().attempt(Target(used, table, None, control), Context(Randomness(1)))
        for table in (masked, masked.take(order))
    )
    assert abs(first.success - second.success) <= 1e-9


@EACH
def test_a_file_alone_is_split_into_a_release_and_a_control(entry: Any) -> None:
    found = entry().run(people(200, 4), seed=1)
    assert found.detail["success"] > 0.98
    assert "if half of the records were released as they are" in found.note
    with pytest.raises(DataError, match="needs at least"):
        entry().run(people(3, 4), seed=1)


@EACH
def test_a_wrong_column_is_named(entry: Any) -> None:
    used, control = split(60, 40, 5)
    with pytest.raises(UsageError, match="nothing"):
        entry(columns=["nothing"]).attempt(Target(used, used, None, control), Context())


def test_people_held_back_need_the_same_categories() -> None:
    one = discreet.read({"town": ["a", "b"]}, roles={"town": "quasi-identifier"})
    other = discreet.read({"town": ["c", "d"]}, roles={"town": "quasi-identifier"})
    with pytest.raises(NotApplicable, match="categories of 'town'"):
        Everybody.of(Target(one, one, None, other))


def test_intervals_hold_in_nineteen_of_twenty_samples() -> None:
    draw = np.random.default_rng(6)
    held = 0
    for _ in range(500):
        low, high = interval_of_share((draw.random(80) < 0.07).astype(float))
        held += low <= 0.07 <= high
    assert 460 <= held <= 492
    assert interval_of_share(np.zeros(0)) == (0.0, 1.0)


def test_every_attack_with_a_control_is_tried_here() -> None:
    from discreet.contracts.registry import entries
    from discreet.measures.people import PeopleAttack

    elsewhere = {"earlier-release", "homogeneity", "minimality", "release-differences"}
    with_control = {e.spec.name for e in entries("attack") if issubclass(e, PeopleAttack)}
    assert with_control - elsewhere == set(NAMES)
    assert all(issubclass(find("attack", name), Attack) for name in NAMES)
