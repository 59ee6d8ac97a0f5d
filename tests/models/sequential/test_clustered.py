"""Whole households are synthesised: what they share, how many they are, and who lives together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import discreet
from discreet import CartSynthesis, ForestSynthesis, Microdata, SequentialRegression
from discreet.contracts import Context, Method
from discreet.contracts.randomness import Randomness
from discreet.microdata.clusters import clusters_of, households_of
from discreet.microdata.levels import with_levels

METHODS = (CartSynthesis(everything=True), SequentialRegression())


def families(rng: np.random.Generator, homes: int = 400, text: bool = False) -> Microdata:
    """Return couples of like ages with children some thirty years younger, in four towns."""
    sizes = rng.choice([1, 2, 3, 4], homes, p=[0.3, 0.3, 0.2, 0.2])
    home = np.repeat(np.arange(homes), sizes)
    place = np.concatenate([np.arange(size) for size in sizes])
    eldest = rng.integers(35, 80, homes)
    age = eldest[home] + rng.integers(-2, 3, len(home)) - np.where(place > 1, 30, 0)
    town = rng.integers(0, 4, homes)
    columns: dict[str, Any] = {
        "home": [f"H{number:05d}" for number in home + 7000] if text else home + 7000,
        "hsize": sizes[home],
        "town": np.array(["Ayle", "Bron", "Cull", "Dorn"])[town][home],
        "rent": (300 + 100 * sizes + rng.integers(0, 50, homes))[home],
        "age": age,
        "sex": np.where(place % 2 == 0, "f", "m"),
    }
    roles = {"home": "household", "town": "quasi-identifier", "age": "quasi-identifier"}
    return discreet.read(columns, roles=roles, kinds={"hsize": "continuous"})


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.spec.name)
def test_households_come_out_whole(method: Method) -> None:
    data = families(np.random.default_rng(2))
    made = method.protect(data, Context(Randomness.of(1))).data
    homes = households_of(made)
    assert homes is not None
    for name in ("town", "rent", "hsize"):
        assert homes.agreeing(made.column(name)).all()
    np.testing.assert_array_equal(made["hsize"], homes.sizes[homes.labels])
    before = clusters_of(data)
    assert before is not None
    assert abs(homes.sizes.mean() - before.sizes.mean()) < 0.2
    sizes = made["hsize"][homes.first]
    assert np.corrcoef(made["rent"][homes.first], sizes)[0, 1] > 0.9


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.spec.name)
def test_those_who_live_together_fit_together(method: Method) -> None:
    data = families(np.random.default_rng(3))
    made = method.protect(data, Context(Randomness.of(1))).data
    homes = households_of(made)
    assert homes is not None
    first = made["age"][homes.first[homes.labels]]
    place = np.arange(len(made)) - homes.first[homes.labels]
    partners, children = place == 1, place > 1
    assert np.corrcoef(made["age"][partners], first[partners])[0, 1] > 0.9
    assert np.abs(np.median(first[children] - made["age"][children]) - 30) < 2
    assert (made.column("sex").values[partners] != made.column("sex").values[0]).mean() > 0.9


def test_a_forest_and_texts_as_numbers_and_as_many_records_as_asked_for() -> None:
    data = families(np.random.default_rng(4), 120, text=True)
    masked = ForestSynthesis(everything=True, trees=2, records=1000).protect(
        data, Context(Randomness.of(1))
    )
    assert 850 < len(masked.data) < 1150
    assert not set(masked.data.schema["home"].categories) & set(data.schema["home"].categories)
    assert "synthetic households with new numbers 'home'" in masked.notes[0]


def test_the_release_has_households_that_nobody_can_look_up() -> None:
    data = families(np.random.default_rng(5), 150)
    release = discreet.protect(data, CartSynthesis(everything=True), seed=3, hold_back=None)
    table = release.data
    homes = households_of(table)
    assert homes is not None
    assert (homes.sizes > 1).any()
    assert set(table.schema["home"].categories) == set(range(1, len(homes.sizes) + 1))
    assert homes.agreeing(table.column("town")).all()


def test_a_replica_is_left_out_with_its_household() -> None:
    data = families(np.random.default_rng(6), 60)
    masked = CartSynthesis(everything=True, replicas=False, smoothing=False).protect(
        data, Context(Randomness.of(1))
    )
    homes = households_of(masked.data)
    assert homes is not None
    np.testing.assert_array_equal(masked.data["hsize"], homes.sizes[homes.labels])
    assert any("with their households" in note for note in masked.notes)


def test_visits_of_a_patient_are_drawn_in_their_order() -> None:
    rng = np.random.default_rng(7)
    person = np.repeat(np.arange(100), 3)
    weight = rng.normal(75, 15, 100)[person] + np.tile([0.0, 2.0, 4.0], 100)
    data = discreet.read(
        {"patient": person, "sex": (person % 2), "weight": weight.round(1)},
        roles={"patient": "person", "weight": "quasi-identifier"},
    )
    made = CartSynthesis(everything=True).protect(data, Context(Randomness.of(1))).data
    patients = clusters_of(made)
    assert patients is not None
    assert (patients.sizes == 3).all()
    by_visit = made["weight"].reshape(-1, 3)
    assert np.corrcoef(by_visit[:, 0], by_visit[:, 2])[0, 1] > 0.8
    assert (by_visit[:, 2] > by_visit[:, 0]).mean() > 0.7


def test_rules_hold_for_every_member() -> None:
    data = families(np.random.default_rng(8), 120)
    method = SequentialRegression(rules=["if age < 40 then sex = f"])
    made = method.protect(data, Context(Randomness.of(2))).data
    young = made["age"] < 40
    assert young.any()
    assert set(made.column("sex").values[young]) == {0}


def test_missing_values_are_drawn_for_members_too() -> None:
    data = families(np.random.default_rng(9), 200)
    age = data["age"].copy()
    age[::5] = np.nan
    gaps = with_levels(data.replace([data.column("age").with_values(age)]))
    made = CartSynthesis(everything=True).protect(gaps, Context(Randomness.of(2))).data
    assert 0.1 < made.column("age").missing.mean() < 0.3


def test_few_households_are_not_modelled() -> None:
    data = families(np.random.default_rng(10), 8)
    masked = SequentialRegression().protect(data, Context(Randomness.of(2)))
    assert masked.data.column("home").missing.all()
    assert "is empty" in masked.notes[0]


def test_households_have_about_as_many_members_as_those_of_the_file() -> None:
    home = np.repeat(np.arange(600), 1 + np.arange(600) % 5)
    data = discreet.read(
        {"home": home, "age": np.arange(len(home)) % 90}, roles={"home": "household"}
    )
    for seed in range(4):
        method = CartSynthesis(everything=True)
        made = method.protect(data, Context(Randomness(seed))).data
        # Independent sizes make up to a tenth more or fewer records.
        assert len(made) == pytest.approx(len(home), rel=0.02)
