"""A person's records are one trajectory."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.errors import NotApplicable
from discreet.measures.risk.k_anonymity import KAnonymity
from discreet.measures.risk.trajectory_k_anonymity import TrajectoryKAnonymity

ROLES = {"person": ["who"], "quasi-identifier": ["wave", "job"]}


def test_alike_in_every_wave_and_alone_over_all() -> None:
    """Four persons, two waves, both jobs held by two persons in each: no two share both."""
    panel = {
        "who": [1, 2, 3, 4] * 2,
        "wave": [1] * 4 + [2] * 4,
        "job": ["a", "a", "b", "b", "a", "b", "a", "b"],
    }
    data = discreet.read(panel, roles=ROLES)
    assert KAnonymity().score(data, data, Context()).value == 2
    score = TrajectoryKAnonymity().score(data, data, Context())
    assert (score.value, score.detail["share of persons alone"]) == (1, 1.0)


def test_as_counted_one_by_one() -> None:
    rng = np.random.default_rng(7)
    who = rng.integers(0, 40, 120)
    panel = {"who": who, "wave": rng.integers(0, 2, 120), "job": rng.choice(["a", "b"], 120)}
    data = discreet.read(panel, roles=ROLES, kinds={"wave": "nominal"})
    rows = list(zip(who.tolist(), panel["wave"].tolist(), panel["job"].tolist(), strict=True))
    trajectory = {w: tuple(sorted(r[1:] for r in rows if r[0] == w)) for w in set(who.tolist())}
    times = Counter(trajectory.values())
    score = TrajectoryKAnonymity().score(data, data, Context())
    assert score.per_record is not None
    assert score.per_record.tolist() == [times[trajectory[w]] for w in who.tolist()]
    assert score.value == min(times.values())


def test_without_persons_it_does_not_apply() -> None:
    data = discreet.read({"age": [1, 2]}, roles={"age": "quasi-identifier"})
    with pytest.raises(NotApplicable, match="records belong to one person"):
        TrajectoryKAnonymity().score(data, data, Context())
