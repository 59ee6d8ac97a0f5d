"""Every library that the package imports is declared, and none is declared for nothing."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

from docs.layers import Import, imports

PYPROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
PROJECT: dict[str, Any] = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]

# Extras that a user installs; the others are for those who work on discreet.
FOR_USERS = (
    "stat", "pandas", "polars", "excel", "duckdb", "large", "cluster", "r", "database", "studio",
    "dp", "all",
)  # fmt: skip


def normalised(requirement: str) -> str:
    """The name of a distribution as PyPI compares it."""
    [name] = re.findall(r"^[\w.-]+", requirement)
    return re.sub(r"[-_.]+", "-", name).lower()


CORE = {normalised(requirement) for requirement in PROJECT["dependencies"]}
OPTIONAL = {normalised(requirement) for extra in FOR_USERS for requirement in EXTRAS[extra]}


@cache
def installed() -> Mapping[str, list[str]]:
    """The distributions of every package; they are looked for on first use, not by each worker."""
    return packages_distributions()


def distributions(item: Import) -> set[str]:
    """The distributions that an import may come from; none for the standard library and ours."""
    package = item.target.partition(".")[0]
    if package == "discreet" or package in sys.stdlib_module_names:
        return set()
    return {normalised(name) for name in installed().get(package, [package])}


def test_what_is_imported_is_declared() -> None:
    undeclared = [
        f"{item.module} imports {item.target}"
        for item in imports()
        if (names := distributions(item)) and not names & (CORE if item.at_top else CORE | OPTIONAL)
    ]
    assert not undeclared, "\n".join(undeclared)


def test_what_is_declared_is_imported() -> None:
    imported = {name for item in imports() for name in distributions(item)}
    assert imported >= CORE | OPTIONAL


def test_one_extra_has_all_of_the_others_but_differential_privacy() -> None:
    assert set(EXTRAS["all"]) == {
        requirement
        for extra in FOR_USERS
        if extra not in ("all", "dp")
        for requirement in EXTRAS[extra]
    }
