"""Derived columns: what follows from the members of a household is found and made again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import discreet
from discreet.microdata import Microdata
from discreet.microdata.clusters import Clusters, clusters_of
from discreet.microdata.derived import Derived, derived_columns


def survey(homes: int = 120) -> tuple[Microdata, Clusters]:
    rng = np.random.default_rng(5)
    home = rng.permutation(np.repeat(np.arange(homes), rng.integers(1, 6, homes)))
    age = rng.integers(0, 90, len(home)).astype(float)
    sex = np.array(["f", "m"])[rng.integers(0, 2, len(home))]

    def of(function: Callable[[Any], Any], values: Any) -> Any:
        return np.array([function(values[home == h]) for h in range(homes)])[home]

    data = discreet.read(
        {
            "hid": home,
            "age": age,
            "sex": sex,
            "hsize": of(len, age),
            "total": of(np.sum, age),
            "youngest": of(np.min, age),
            "oldest": of(np.max, age),
            "children": of(lambda a: (a < 15).sum(), age),
            "women": of(lambda s: (s == "f").sum(), sex),
            "rooms": rng.integers(1, 9, homes)[home],
        },
        roles={"hid": "household"},
        kinds={"children": [0, 1, 2, 3, 4, 5]},
    )
    found = clusters_of(data)
    assert found is not None
    return data, found


def test_each_way_of_deriving_is_found() -> None:
    data, homes = survey()
    found = {name: (one.how, one.source) for name, one in derived_columns(data, homes).items()}
    assert found == {
        "hsize": ("size", ""),
        "total": ("sum", "age"),
        "youngest": ("least", "age"),
        "oldest": ("largest", "age"),
        "children": ("below", "age"),
        "women": ("equal", "sex"),
    }


@pytest.mark.parametrize("name", ["hsize", "total", "youngest", "oldest", "children", "women"])
def test_what_is_made_again_is_what_it_was(name: str) -> None:
    data, homes = survey()
    again = derived_columns(data, homes)[name].column(data, homes)
    assert again.same_as(data.column(name))


def test_it_follows_the_members() -> None:
    data, homes = survey()
    older = data.replace([data.column("age").with_values(data["age"] + 1)])
    total = Derived("total", "sum", "age").column(older, homes).values
    assert np.array_equal(total, data["total"] + data["hsize"])


def test_a_missing_part_makes_the_whole_missing() -> None:
    data, homes = survey()
    age = data["age"].copy()
    age[0] = np.nan
    gone = homes.labels == homes.labels[0]
    holed = data.replace([data.column("age").with_values(age)])
    for one in derived_columns(data, homes).values():
        if one.source == "age":
            assert np.array_equal(one.column(holed, homes).missing, gone)


def test_a_count_outside_the_categories_gets_one() -> None:
    data, homes = survey()
    young = data.replace([data.column("age").with_values(np.zeros(len(data)))])
    column = Derived("children", "below", "age", 15.0).column(young, homes)
    counts = np.array(column.attribute.categories)[column.values]
    assert np.array_equal(counts, data["hsize"])


def test_a_text_is_not_derived_and_few_households_prove_nothing() -> None:
    data, homes = survey()
    assert "rooms" not in derived_columns(data, homes)
    few, small = survey(homes=8)
    assert derived_columns(few, small) == {}
