"""The registry: entries by name, recipes, and the nearest name of a misspelt one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

import discreet
from discreet import UsageError
from discreet.contracts import Context, Masked, Method, Spec
from discreet.contracts.registry import (
    build,
    entries,
    exported,
    find,
    forget,
    listed,
    register,
    registered,
)
from discreet.microaggregation.partition import MDAV
from discreet.microaggregation.replacement import Centroid
from discreet.microdata import Microdata

PROJECT = Path(__file__).resolve().parents[2]


def test_a_recipe_builds_the_same_component() -> None:
    entry: Any
    for entry in entries():
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
    assert inner["replacement"]["centroid"].items() >= {("continuous", "median"), ("round", True)}
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


class Homemade(Method):
    """Gives the data back."""

    spec: ClassVar[Spec] = Spec("homemade", "Homemade", "none", "a missing value stays missing")

    def protect(self, data: Microdata, context: Context) -> Masked:
        return Masked(data)


@pytest.fixture
def registry() -> Iterator[None]:
    yield
    forget(Homemade)


@pytest.mark.usefixtures("registry")
def test_a_class_is_registered_for_this_process() -> None:
    with pytest.raises(UsageError, match="there is no method 'homemade'"):
        build("method", "homemade")
    assert register(Homemade) is Homemade
    assert registered() == (Homemade,)
    assert build("method", "homemade") == Homemade()
    assert Homemade in entries("method")
    assert discreet.Homemade is Homemade


@pytest.mark.usefixtures("registry")
def test_a_cell_that_is_run_again_replaces_its_class() -> None:
    register(Homemade)
    again = type("Homemade", (Homemade,), {"spec": Homemade.spec})
    assert find("method", "homemade") is Homemade
    register(again)
    assert find("method", "homemade") is again


def test_what_is_no_entry_or_has_a_name_of_ours_is_refused() -> None:
    twin = type("Twin", (Homemade,), {"spec": discreet.Rounding.spec})
    with pytest.raises(UsageError, match="there is already a method called 'rounding'"):
        register(twin)
    wrong: Any
    for wrong in (Homemade(), type("Bare", (Homemade,), {}), int):
        with pytest.raises(UsageError, match="a class with a spec"):
            register(wrong)
    assert register(discreet.Rounding) is discreet.Rounding
    assert not registered()


def test_a_broken_plug_in_names_itself_and_is_left_out(tmp_path: Path) -> None:
    # In a process of its own: entry points are looked up once.
    (tmp_path / "works.py").write_text(
        "from tests.contracts.test_registry import Homemade as Base\n"
        "class Homemade(Base):\n    spec = Base.spec\n"
    )
    (tmp_path / "broken.py").write_text("import surely_not_there\n")
    (tmp_path / "twin.py").write_text(
        "import discreet\nclass Twin(discreet.Rounding):\n    spec = discreet.Rounding.spec\n"
    )
    info = tmp_path / "plug_ins-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plug-ins\nVersion: 1\n")
    points = ["bad = broken", "good = works", "same = twin", "word = works:Homemade"]
    (info / "entry_points.txt").write_text("\n".join(["[discreet]", *points]) + "\n")
    paths = os.pathsep.join(map(str, (tmp_path, PROJECT, PROJECT / "src")))
    done = subprocess.run(
        [sys.executable, "-m", "discreet.cli.main", "methods", "homemade"],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Homemade (method)")
    told = dict(line.split(" was left out: ") for line in done.stderr.splitlines())
    assert told == {
        "note: the plug-in 'bad' (broken)": (
            "ModuleNotFoundError: No module named 'surely_not_there'"
        ),
        "note: the plug-in 'same' (twin)": (
            "TypeError: two entries are called rounding: <class "
            "'discreet.methods.perturbative.rounding.Rounding'> and <class 'twin.Twin'>"
        ),
        "note: the plug-in 'word' (works:Homemade)": ("TypeError: works:Homemade is not a module"),
    }


def test_a_name_of_another_family_is_told_so() -> None:
    with pytest.raises(UsageError, match="no attack 'k-anonymity'; it is a measure"):
        find("attack", "k-anonymity")
