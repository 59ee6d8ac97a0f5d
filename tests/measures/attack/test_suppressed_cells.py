"""Suppressed cells that can be read off the rest of a release."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Pairing, Randomness, Target
from discreet.errors import NotApplicable, UsageError
from discreet.measures.attack.suppressed_cells import SuppressedCells
from discreet.microdata import Microdata

DRAW = np.random.default_rng(5)


def with_gaps(data: Microdata, name: str, rows: np.ndarray) -> Microdata:
    column = data.column(name)
    values = column.values.copy()
    values[rows] = np.nan if column.attribute.continuous else -1
    return data.replace([column.with_values(values)])


def attempt(data: Microdata, released: Microdata) -> discreet.contracts.Outcome:
    target = Target(data, released, Pairing.same_order(len(data)))
    return SuppressedCells().attempt(target, Context(Randomness(1)))


def test_a_region_is_read_off_its_town_and_nothing_off_an_independent_column() -> None:
    town = DRAW.integers(0, 9, 300)
    data = discreet.read(
        {"town": [f"t{t}" for t in town], "region": [f"r{t // 3}" for t in town],
         "sex": DRAW.choice(["f", "m"], 300)}
    )  # fmt: skip
    gaps = np.arange(0, 300, 10)
    outcome = attempt(data, with_gaps(data, "region", gaps))
    assert (outcome.success, outcome.certain) == (1.0, 1.0)
    assert outcome.by == {"region by 'town'": 1.0}
    assert outcome.per_record is not None
    assert np.flatnonzero(outcome.per_record).tolist() == gaps.tolist()
    blind = attempt(data, with_gaps(data, "sex", gaps))
    assert blind.interval is not None
    assert blind.interval[0] <= 0.6
    assert blind.certain == 0.0


def test_a_number_is_read_off_members_of_the_household() -> None:
    home = np.repeat(np.arange(150), 2)
    data = discreet.read(
        {"home": home, "rent": np.repeat(DRAW.normal(900, 100, 150), 2)},
        roles={"home": "household"},
    )
    outcome = attempt(data, with_gaps(data, "rent", np.arange(0, 100, 4)))
    assert outcome.success == 1.0
    assert outcome.by == {"rent by others of the household": 1.0}
    assert outcome.blind < 0.2


def test_a_label_is_right_if_it_contains_the_value() -> None:
    age = DRAW.integers(20, 60, 200)
    bands = [f"{a // 10 * 10}–{a // 10 * 10 + 9}" for a in age]
    born = [str(196 + (2026 - a) % 7) for a in age // 10]
    data = discreet.read({"age": age.astype(float), "born": born})
    released = discreet.read({"age": [None] * 20 + bands[20:], "born": born})
    outcome = attempt(data, released)
    assert outcome.success == 1.0


def test_the_control_guesses_without_the_release() -> None:
    """Those held back are mostly of the coast, the suppressed ones of the hills, by their town."""
    town = ["Ayle", "Bron", "Cull"] * 60
    table = discreet.read({"town": town, "region": ["coast", "coast", "hills"] * 60})
    data, control = table.take(np.arange(150)), table.take(np.arange(150, 180))
    gaps = np.array([0, 2, 5, 8])
    target = Target(data, with_gaps(data, "region", gaps), Pairing.same_order(150), control)
    outcome = SuppressedCells().attempt(target, Context(Randomness(1)))
    assert (outcome.success, outcome.control, outcome.without) == (1.0, 0.25, 0.25)


def test_gaps_of_the_original_are_not_asked_about() -> None:
    data = discreet.read({"a": ["x", None, "y"] * 50, "b": ["1", "2", "3"] * 50})
    outcome = attempt(data, data)
    assert (outcome.success, outcome.blind, outcome.moot) == (0.0, 0.0, "no cell was suppressed")


def test_what_local_suppression_takes_out_is_read_off_a_column_that_was_left() -> None:
    """Towns are suppressed where few live; a code that was left beside them names the town."""
    town = np.repeat([f"t{t}" for t in range(12)], [3] * 6 + [40] * 6)
    age = np.tile(["young", "old"], 129)
    data = discreet.read(
        {"town": town, "age": age, "code": [f"c{t}" for t in town]},
        roles=dict.fromkeys(["town", "age"], "quasi-identifier"),
    )
    release = discreet.protect(data, discreet.LocalSuppression(k=5), seed=1, allow=["code"])
    outcome = SuppressedCells().attempt(release.target, Context(Randomness(1)))
    assert outcome.detail["cells"] >= 15
    # Nobody of the towns that are gone altogether is left to learn from.
    assert outcome.success < 0.3
    half = with_gaps(data, "town", np.arange(0, 18, 2))
    assert attempt(data, half).by == {"town by 'code'": pytest.approx(attempt(data, half).success)}


def test_what_it_needs() -> None:
    data = discreet.read({"a": ["x", "y"], "b": ["1", "2"]})
    with pytest.raises(NotApplicable, match="which original"):
        SuppressedCells().attempt(Target(data, data), Context())
    with pytest.raises(UsageError, match="'z'"):
        SuppressedCells(columns=("z",)).attempt(Target(data, data), Context())
