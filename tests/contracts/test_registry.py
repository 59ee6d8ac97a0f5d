"""The registry: entries by name, recipes, and the nearest name of a misspelt one."""

from __future__ import annotations

from typing import Any

import pytest

import discreet
from discreet import UsageError
from discreet.contracts.registry import build, entries, exported, find, listed
from discreet.microaggregation.partition import MDAV
from discreet.microaggregation.replacement import Centroid


@pytest.mark.parametrize("entry", entries(), ids=lambda e: f"{e.family}-{e.spec.name}")
def test_a_recipe_builds_the_same_component(entry: Any) -> None:
    example = entry.example()
    assert build(entry.family, example.recipe()) == example
    assert find(entry.family, entry.spec.name) is entry
    assert find(entry.family, f" {entry.spec.name.upper().replace('-', '_')} ") is entry


def test_a_recipe_with_parameters_survives() -> None:
    method = discreet.Microaggregation(
        MDAV(k=7, scaling="robust"), Centroid("median", round=True), columns=("a", "b")
    )
    inner = method.recipe()["microaggregation"]
    assert inner["partition"]["mdav"].items() >= {("k", 7), ("scaling", "robust")}
    assert inner["replacement"] == {"centroid": {"continuous": "median", "round": True}}
    assert inner["columns"] == ["a", "b"]
    assert build("method", method.recipe()) == method


def test_unknown_entries_are_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"there is no partition 'mdva'; did you mean 'mdav'\?"):
        build("partition", "mdva")
    with pytest.raises(UsageError, match=r"there is no method 'zzz' \(known: .*microaggregation"):
        build("method", "zzz")
    with pytest.raises(AttributeError, match="did you mean 'Microaggregation'"):
        discreet.Microagregation  # noqa: B018
    with pytest.raises(AttributeError, match="did you mean 'MDAV'"):
        exported("partition", "MDVA", "discreet.partition")


def test_private_names_are_plain_attribute_errors() -> None:
    assert not hasattr(discreet, "__wrapped__")
    assert not hasattr(discreet.partition, "_anything")


@pytest.mark.parametrize("recipe", [{}, {"mdav": None, "mst": None}])
def test_a_recipe_names_exactly_one(recipe: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=f"{len(recipe)} names were given"):
        build("partition", recipe)


def test_parameters_of_a_recipe_are_pairs() -> None:
    with pytest.raises(UsageError, match="must be written as 'name: value' pairs"):
        build("partition", {"mdav": [3]})
    assert build("partition", {"mdav": None}) == MDAV()


def test_the_packages_list_what_they_serve() -> None:
    for family, package in (
        ("partition", discreet.partition),
        ("replacement", discreet.replacement),
    ):
        assert dir(package) == sorted(listed(family))
        assert all(getattr(package, name).__name__ == name for name in listed(family))
    assert set(listed("method")) <= set(dir(discreet))
