"""δ-presence: the chance of a person to be in the file, by hand and by counting worlds."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.contracts.registry import build

QI = "quasi-identifier"
PRESENCE: Any = build("measure", "delta-presence")


def chances_in_all_worlds(everybody: list[int], bands: list[str]) -> list[float]:
    """Of the sets of people who fit the release, the share that has each person."""
    people = range(len(everybody))
    worlds = [
        set(world)
        for world in combinations(people, len(bands))
        if sorted(f"{everybody[p] // 10}0–{everybody[p] // 10}9" for p in world) == sorted(bands)
    ]
    return [sum(p in world for world in worlds) / len(worlds) for p in people]


@pytest.mark.parametrize("seed", range(3))
def test_beside_all_worlds(seed: int) -> None:
    draw = np.random.default_rng(seed)
    everybody = draw.integers(20, 60, 10).tolist()
    inside = [everybody[i] for i in draw.permutation(10)[:4]]
    bands = [f"{age // 10}0–{age // 10}9" for age in inside]
    chances = chances_in_all_worlds(everybody, bands)
    data = discreet.read({"age": inside}, roles={"age": QI})
    released = discreet.read({"age": bands}, roles={"age": QI})
    score = PRESENCE.from_population({"age": everybody}).score(data, released, Context())
    assert score.value == pytest.approx(max(chances))
    assert score.detail["least chance of a person"] == pytest.approx(min(chances))


def test_the_share_of_worlds_in_which_a_person_is_in_the_file() -> None:
    everybody = [21, 24, 28, 33, 35, 52]
    bands = ["20–29", "20–29", "30–39"]
    chances = chances_in_all_worlds(everybody, bands)
    data = discreet.read({"age": [21, 24, 35]}, roles={"age": QI})
    released = discreet.read({"age": bands}, roles={"age": QI})
    score = PRESENCE.from_population({"age": everybody}).score(data, released, Context())
    assert score.value == pytest.approx(max(chances))
    assert score.detail["least chance of a person"] == min(chances) == 0
    assert score.per_record.tolist() == pytest.approx([2 / 3, 2 / 3, 1 / 2])
    assert score.blind == 0.5


def test_overlapping_labels_add_up_to_certainty_at_most() -> None:
    data = discreet.read({"age": [21, 24]}, roles={"age": QI})
    released = discreet.read({"age": ["20–24", "24–29"]}, roles={"age": QI})
    score = PRESENCE.from_population({"age": [21, 24, 29]}).score(data, released, Context())
    assert score.value == 1.0
    assert score.per_record.tolist() == [0.5, 0.5]


def test_an_estimate_from_weights() -> None:
    data = discreet.read({"age": [30, 41], "w": [10, 4]}, roles={"age": QI, "w": "weight"})
    score = PRESENCE.score(data, data, Context())
    assert score.value == pytest.approx(1 / 4)
    assert score.interval[0] <= 1 / 4 <= score.interval[1]
