"""Imports point one way, libraries stay in their rooms, and importing loads nothing heavy."""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import discreet

PACKAGE = Path(discreet.__file__).parent

# A room may import from itself and from the rooms of the layers before its own.
LAYERS: list[set[str]] = [
    {"errors", "version"},
    {"kernels", "microdata", "datasets"},
    {"io", "contracts"},
    {"models"},
    {"measures"},
    {"microaggregation"},
    {"methods"},
    {"release"},
    {"report"},
    {"publishing", "exploring"},
    {"testing", "cli", "analysis"},
]
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}

# What is imported inside a function is needed only when that function runs; these are the places
# where a lower room calls up, each with its reason.
CALLS_UP = {
    ("microdata", "io"): "Microdata.frame() gives the user's own kind of frame back",
    ("release", "publishing"): "Release.write() is the public name for publishing",
}

# Libraries that one kind of room alone may know.
KNOWN_BY = {
    "numba": {"kernels"},
    "llvmlite": {"kernels"},
    "pyreadstat": {"io"},
    "click": {"cli"},
}


@dataclass(frozen=True)
class Import:
    """A module of the package that imports something, at its top or inside a function."""

    module: str
    room: str
    target: str
    at_top: bool


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        if node.module == "discreet":
            return [f"discreet.{alias.name}" for alias in node.names]
        return [node.module]
    return []


def _modules() -> list[Path]:
    return sorted(p for p in PACKAGE.rglob("*.py") if p != PACKAGE / "__init__.py")


def _imports() -> list[Import]:
    found = []
    for path in _modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        top = {id(node) for node in tree.body}
        module = str(path.relative_to(PACKAGE))
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        for node in ast.walk(tree):
            found += [Import(module, room, name, id(node) in top) for name in _names(node)]
    return found


def test_every_room_has_a_layer() -> None:
    rooms = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in _modules()}
    assert rooms == set(LEVEL)


def test_imports_point_one_way() -> None:
    wrong = []
    for found in _imports():
        if not found.target.startswith("discreet."):
            continue
        target = found.target.split(".")[1]
        if target == found.room or LEVEL.get(target, -1) < LEVEL[found.room]:
            continue
        if found.at_top or (found.room, target) not in CALLS_UP:
            wrong.append(f"{found.module} imports {found.target}, which is not below {found.room}")
    assert not wrong, "\n".join(wrong)


def test_no_exemption_is_left_over() -> None:
    used = {
        (f.room, f.target.split(".")[1]) for f in _imports() if f.target.startswith("discreet.")
    }
    assert set(CALLS_UP) <= used


def test_libraries_stay_in_their_rooms() -> None:
    wrong = [
        f"{found.module} imports {found.target}"
        for found in _imports()
        if found.room not in KNOWN_BY.get(found.target.split(".")[0], {found.room})
    ]
    assert not wrong, "\n".join(wrong)


def test_no_drawers_and_no_long_files() -> None:
    for path in _modules():
        assert path.stem not in {"utils", "helpers", "misc", "common"}, path
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, path


def test_importing_loads_nothing_heavy() -> None:
    code = (
        "import sys, discreet; heavy = {'numba', 'scipy', 'sklearn', 'pandas', 'polars', "
        "'pyarrow', 'pyreadstat', 'matplotlib', 'rich', 'click'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
