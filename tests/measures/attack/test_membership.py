"""Membership: synthetic data that remember their records, and such that do not."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Randomness, Target
from discreet.errors import NotApplicable
from discreet.measures.attack.membership import Membership, _best_limit


def people(rows: int, seed: int) -> discreet.Microdata:
    draw = np.random.default_rng(seed)
    columns = {c: draw.normal(size=rows) for c in "abc"}
    return discreet.read(columns, roles=dict.fromkeys(columns, "quasi-identifier"))


def test_a_release_that_follows_its_records_gives_members_away() -> None:
    everybody = people(600, 1)
    used, control = everybody.take(np.arange(300)), everybody.take(np.arange(300, 600))
    draw = np.random.default_rng(2)
    near, far = (
        used.replace(
            used.column(c).with_values(used[c] + draw.normal(0, deviation, 300)) for c in "abc"
        )
        for deviation in (0.05, 3.0)
    )
    told = Membership().attempt(Target(used, near, None, control), Context(Randomness(1)))
    not_told = Membership().attempt(Target(used, far, None, control), Context(Randomness(1)))
    assert told.success > 0.85
    assert told.detail["advantage"] == pytest.approx(2 * told.success - 1)
    assert told.interval is not None
    assert not_told.interval is not None
    assert told.interval[0] > not_told.interval[1]
    assert not_told.success < 0.6


def test_it_needs_people_held_back() -> None:
    data = people(50, 3)
    with pytest.raises(NotApplicable, match="hold back"):
        Membership().attempt(Target(data, data), Context())


def test_the_best_limit_tells_most_of_both_kinds_apart() -> None:
    """Members at 1, 2 and 5, others at 2, 3 and 4: up to 1 a third is gained, up to 2 as much."""
    score = np.array([1.0, 2.0, 5.0, 2.0, 3.0, 4.0])
    truth = np.array([True, True, True, False, False, False])
    limit, gain = _best_limit(score, truth)
    assert limit == 1.0
    assert gain == pytest.approx(1 / 3)
