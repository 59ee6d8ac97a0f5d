"""The public names that others build on."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import discreet
from discreet.contracts import registry

FIXED = {
    "Claim", "ClaimError", "DataError", "DiscreetError", "Kind", "Microdata", "Plan", "Release",
    "Role", "Schema", "UsageError", "apply", "assess", "attack", "compare", "describe", "explore",
    "partition", "protect", "read", "register", "replacement",
}  # fmt: skip


def test_public_names() -> None:
    assert set(discreet.__all__) == FIXED
    for name in FIXED:
        assert getattr(discreet, name) is not None


def test_methods_stand_at_the_top_level_partitions_and_replacements_in_their_packages() -> None:
    for entry in registry.entries("method"):
        assert getattr(discreet, entry.__name__) is entry
        assert entry.__name__ in dir(discreet)
    for entry in registry.entries("partition"):
        assert getattr(discreet.partition, entry.__name__) is entry
        assert entry.__name__ in dir(discreet.partition)
    for entry in registry.entries("replacement"):
        assert getattr(discreet.replacement, entry.__name__) is entry
    for entry in registry.entries("attack"):
        assert getattr(discreet.attack, entry.__name__) is entry
        assert entry.__name__ in dir(discreet.attack)


def test_names_in_plans_are_the_class_names_in_kebab_case() -> None:
    for entry in registry.entries():
        assert entry.spec.name.replace("-", "") == entry.__name__.lower()


@pytest.mark.parametrize(
    ("function", "parameters"),
    [
        (discreet.read, ["path_or_frame", "roles", "kinds"]),
        (discreet.protect, ["data", "method", "seed", "shuffle"]),
        (discreet.assess, ["original", "released", "measures"]),
    ],
)
def test_fixed_signatures(function: object, parameters: list[str]) -> None:
    assert callable(function)
    assert list(inspect.signature(function).parameters)[: len(parameters)] == parameters


def test_an_unknown_name_hints_at_the_nearest() -> None:
    with pytest.raises(AttributeError, match="did you mean 'Microaggregation'"):
        discreet.Microagregation  # noqa: B018
    with pytest.raises(AttributeError, match="did you mean 'MDAV'"):
        discreet.partition.MDVA  # noqa: B018


def test_version() -> None:
    assert discreet.__version__[0].isdigit()


def test_the_rooms_for_users_are_there_after_one_import() -> None:
    seen = "import discreet; print(discreet.testing.check.__name__, discreet.datasets.__name__)"
    said = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["check", "discreet.datasets"]
