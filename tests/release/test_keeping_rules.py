"""Records that break a rule after the steps are repaired on the released values alone."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.microdata import Microdata
from discreet.microdata.clusters import clusters_of
from discreet.release.keeping_rules import keep_rules
from discreet.release.rules import kept_rules

RULES = [
    "if pregnant = yes then sex = f",
    "always low <= high",
    "always total = rent + heat",
    "always heat >= 0",
    "if job = yes then age >= 15",
    "always rent <= total",
]


def people(rows: int = 400) -> Microdata:
    draw = np.random.default_rng(1)
    sex = draw.choice(["f", "m"], rows)
    low = draw.integers(0, 50, rows)
    rent, heat = draw.integers(100, 900, (2, rows))
    age = draw.integers(0, 90, rows)
    columns = {
        "sex": sex,
        "pregnant": np.where((sex == "f") & (draw.random(rows) < 0.3), "yes", "no"),
        "low": low,
        "high": low + draw.integers(0, 9, rows),
        "rent": rent,
        "heat": heat,
        "total": rent + heat,
        "age": age,
        "job": np.where((age >= 15) & (draw.random(rows) < 0.7), "yes", "no"),
    }
    return discreet.read(columns, roles={"quasi-identifier": list(columns)})


def after(release: discreet.Release) -> list[int | None]:
    return [kept.after for kept in kept_rules(release.original, release.data, RULES)]


@pytest.mark.parametrize("decimals", [True, False])
def test_noise_and_randomised_categories_keep_all_rules(decimals: bool) -> None:
    data = people()
    steps = [
        discreet.AdditiveNoise(alpha=0.5, columns=["low", "high", "rent", "heat", "total", "age"]),
        discreet.PRAM(stay=0.5, columns=["sex", "pregnant", "job"]),
    ]
    rough = discreet.protect(data, steps, seed=1, keep_decimals=decimals)
    assert sum((count or 0) > 0 for count in after(rough)) >= 4
    release = discreet.protect(data, steps, seed=1, keep_decimals=decimals, rules=RULES)
    assert after(release) == [0] * len(RULES)
    assert sum("repaired" in note for note in release.notes) >= 4
    again = discreet.protect(data, steps, seed=1, keep_decimals=decimals, rules=RULES)
    assert all(column.same_as(again.data.column(column.name)) for column in release.data)


def test_parts_are_scaled_to_a_total_that_stays() -> None:
    data = people()
    noise = discreet.AdditiveNoise(alpha=0.3, columns=["rent", "heat"])
    release = discreet.protect(
        data, noise, seed=1, rules=RULES[2:3], keep_decimals=True, allow=None
    )
    table = release.data
    assert sorted(table["total"]) == sorted(data["total"])
    assert np.array_equal(table["rent"] + table["heat"], table["total"])
    assert (table["rent"] != np.round(table["rent"])).sum() == 0


def test_what_the_steps_left_as_it_was_is_not_touched() -> None:
    data = people()
    release = discreet.protect(
        data, discreet.PRAM(stay=0.3, columns=["pregnant"]), seed=1, rules=RULES[:1], shuffle=False
    )
    assert np.array_equal(release.data["sex"], data["sex"])
    assert after(release)[0] == 0


def test_classes_of_k_stay_classes_of_k() -> None:
    data = people()
    mdav = discreet.Microaggregation(discreet.partition.MDAV(k=3))
    release = discreet.protect(data, mdav, seed=1, rules=RULES)
    assert release.claims[0].measured is not None
    assert release.claims[0].measured >= 3
    assert after(release)[:2] == [0, 0]


def test_a_claim_that_would_break_is_kept_instead() -> None:
    draw = np.random.default_rng(3)
    age = np.repeat([10.0, 30.0], 20)
    data = discreet.read(
        {"age": age, "need": draw.choice([5.0, 25.0], 40) + (age > 20) * 0},
        roles={"quasi-identifier": ["age"], "confidential": ["need"]},
        kinds={"age": "continuous", "need": "continuous"},
    )
    mdav = discreet.Microaggregation(discreet.partition.MDAV(k=20))
    release = discreet.protect(data, mdav, seed=1, rules=["always age >= need"], allow=None)
    assert release.claims[0].measured == 20


def test_members_of_a_household_stay_alike() -> None:
    draw = np.random.default_rng(4)
    home = np.repeat(np.arange(150), draw.integers(1, 5, 150))
    owned = draw.choice(["yes", "no"], 150)[home]
    data = discreet.read(
        {
            "home": home,
            "owned": owned,
            "rented": np.where(owned == "yes", "no", "yes"),
            "age": draw.integers(0, 90, len(home)),
        },
        roles={"household": ["home"], "quasi-identifier": ["owned", "rented", "age"]},
    )
    rule = "if owned = yes then rented = no"
    pram = discreet.PRAM(stay=0.5, columns=["owned", "rented"])
    release = discreet.protect(data, pram, seed=1, rules=[rule])
    homes = clusters_of(release.data)
    assert homes is not None
    assert homes.agreeing(release.data.column("rented")).all()
    assert kept_rules(data, release.data, [rule])[0].after == 0


def test_what_cannot_be_repaired_is_counted() -> None:
    data = discreet.read({"a": [1.0, 2.0], "b": [1.0, 3.0]})
    worse = data.replace([data.column("a").with_values(np.array([1.0, 3.0]))])
    rules = ["always a != b"]
    table, notes = keep_rules(data, worse, np.arange(2), rules, np.random.default_rng(1))
    assert table is worse
    assert not notes


def test_a_total_has_the_decimals_of_its_parts() -> None:
    draw = np.random.default_rng(2)
    rent, heat = draw.integers(100, 900_000, (2, 300)) / 100
    columns = {"rent": rent, "heat": heat, "total": (rent + heat).round(2)}
    data = discreet.read(columns, roles={"quasi-identifier": list(columns)})
    rules = ["always total = rent + heat"]
    for decimals in (True, False):
        release = discreet.protect(
            data, "additive-noise", seed=1, keep_decimals=decimals, rules=rules
        )
        assert [kept.after for kept in kept_rules(data, release.data, rules)] == [0]
