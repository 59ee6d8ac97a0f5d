"""Imports point one way, heavy libraries stay out of the import, only kernels see the compiler."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import discreet

PACKAGE = Path(discreet.__file__).parent

# Each layer may import from itself and from the layers before it.
LAYERS: list[set[str]] = [
    {
        "errors",
        "version",
        "schema",
        "spec",
        "microdata",
        "randomness",
        "progress",
        "hints",
        "moments",
    },
    {"parameters", "registry", "intervals", "exact_moments", "weight_floor"},
    {"contracts", "dates", "kernels", "datasets", "named_entries"},
    {"io", "embedding", "equivalence", "comparison", "neighbours", "linkage", "households"}
    | {"group_linkage"},
    {"nearest_records"},
    {"blocks", "dependency", "hierarchy", "ranks", "certificate", "confidential", "uniqueness"},
    {
        "concatenation",
        "intruder",
    },
    {},
    {"design_matrix", "fellegi_sunter", "regression", "regression_tree"},
    {"latent_class", "mixture", "sequential", "combining", "conditional_normal"},
    {
        "grouping",
        "dominance",
        "class_restriction",
        "numeric_coding",
    },
    {
        "partition",
        "replacement",
    },
    {
        "methods",
        "risk",
        "utility",
        "attack",
    },
    {"reading", "describing", "assessment", "explaining"},
    {"gate", "release", "plan_file"},
    {"protecting", "assessing", "plan_writing"},
    {"plan", "publishing", "record", "copies"},
    {"report"},
    {"exploring", "testing"},
    {"cli"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

# What is imported inside a function is needed only when that function runs; these are the places
# where a lower layer calls up, each with its reason.
CALLS_UP = {
    ("microdata", "io"): "Microdata.frame() gives the user's own kind of frame back",
    ("parameters", "registry"): "a component in a plan is looked up by name",
    ("registry", "partition"): "the registry scans the folders",
    ("contracts", "registry"): "a refused column names the methods that could treat it",
    ("release", "publishing"): "Release.write() is the public name for publishing",
    ("publishing", "report"): "a release is written with its reports",
}


def _modules() -> list[Path]:
    return sorted(p for p in PACKAGE.rglob("*.py") if p != PACKAGE / "__init__.py")


def _owner(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        if node.module == "discreet":
            return [f"discreet.{alias.name}" for alias in node.names]
        return [node.module]
    return []


@pytest.mark.parametrize("path", _modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    owner = _owner(path)
    assert owner in LEVEL, f"{owner} has no layer: add it to LAYERS where it belongs"
    top = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        for name in _imported(node):
            if not name.startswith("discreet."):
                continue
            target = name.split(".")[1]
            if target not in LEVEL or LEVEL[target] <= LEVEL[owner]:
                continue
            assert id(node) not in top, f"{owner} imports {target}, which is above it"
            assert (owner, target) in CALLS_UP, f"{owner} calls {target}, which is above it"


@pytest.mark.parametrize("path", _modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_only_kernels_import_the_compiler(path: Path) -> None:
    if _owner(path) == "kernels":
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not any(name.split(".")[0] == "numba" for name in _imported(node))


@pytest.mark.parametrize("path", _modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_drawers_and_no_long_files(path: Path) -> None:
    assert path.stem not in {"utils", "helpers", "misc", "common"}
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_importing_loads_nothing_heavy() -> None:
    code = (
        "import sys, discreet; heavy = {'numba', 'scipy', 'sklearn', 'pandas', 'polars', "
        "'pyarrow', 'pyreadstat', 'matplotlib', 'rich', 'click'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
