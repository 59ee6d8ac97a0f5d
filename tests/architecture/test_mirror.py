"""Tests mirror the rooms: a module is tested by the file of its place and name, or listed with why.

`src/discreet/ROOM/NAME.py` is tested by `tests/ROOM/test_NAME.py`. What is tested elsewhere, and
what is tested across modules, stands in `tests/architecture/tested_elsewhere.py`.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from functools import cache
from pathlib import Path
from typing import Any

from docs.layers import trees

import discreet
from discreet.contracts.registry import entries
from tests.architecture.tested_elsewhere import ACROSS_MODULES, ELSEWHERE

PACKAGE = Path(discreet.__file__).parent
TESTS = Path(__file__).parents[1]
ROWS = {module: test for rows in ELSEWHERE.values() for module, test in rows.items()}
ROOMS = {path.name for path in PACKAGE.iterdir() if path.is_dir()}


def _modules() -> list[str]:
    """The places of the modules that define a function or a class; others only name things."""
    definitions = ast.FunctionDef | ast.ClassDef
    return [
        str(path.relative_to(PACKAGE))
        for path, tree in trees().items()
        if any(isinstance(node, definitions) for node in tree.body)
    ]


def _own_test(module: str) -> Path:
    place = Path(module)
    return TESTS / place.parent / f"test_{place.stem}.py"


def test_every_module_has_its_test_file_or_a_reason() -> None:
    wrong = [
        f"{module} is not tested by name: write {_own_test(module).relative_to(TESTS.parent)}, or "
        "name the file that tests it, with the reason, in tests/architecture/tested_elsewhere.py"
        for module in _modules()
        if not _own_test(module).is_file() and module not in ROWS
    ]
    assert not wrong, "\n".join(wrong)


def test_no_row_is_left_over() -> None:
    assert len(ROWS) == sum(map(len, ELSEWHERE.values())), "a module is listed twice"
    wrong = [f"{m} is listed, but it is gone" for m in ROWS if not (PACKAGE / m).is_file()]
    wrong += [f"{m} has a test file of its own by now" for m in ROWS if _own_test(m).is_file()]
    assert not wrong, "\n".join(wrong)


def test_listed_files_use_the_modules_that_they_are_listed_for() -> None:
    users, wrong = _users(), []
    for module, test in ROWS.items():
        dotted = _dotted(PACKAGE / module)
        if not (TESTS / test).is_file():
            wrong.append(f"tests/{test} is named for {module}, but it is gone")
        elif not _named_in(TESTS / test) & {dotted, *users.get(dotted, set())}:
            wrong.append(f"tests/{test} names neither {module} nor a module that imports it")
    assert not wrong, "\n".join(wrong)


def test_test_files_of_rooms_are_named_after_modules() -> None:
    known = {_own_test(module) for module in _modules()}
    wrong = []
    for path in TESTS.rglob("test_*.py"):
        place = path.relative_to(TESTS)
        if place.parts[0] in ROOMS and path not in known and str(place) not in ACROSS_MODULES:
            wrong.append(f"tests/{place} has the name of no module: rename it, or list it among "
                         "ACROSS_MODULES in tests/architecture/tested_elsewhere.py")  # fmt: skip
    for name in ACROSS_MODULES:
        if not (TESTS / name).is_file():
            wrong.append(f"tests/{name} is listed, but it is gone")
        elif TESTS / name in known:
            wrong.append(f"tests/{name} is the test file of a module by now")
    assert not wrong, "\n".join(wrong)


def _dotted(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def _users() -> dict[str, set[str]]:
    """By module: those that import it."""
    found: dict[str, set[str]] = {}
    for path, tree in trees().items():
        for name in _imported(tree):
            found.setdefault(_home(name), set()).add(_dotted(path))
    return found


def _imported(tree: ast.AST) -> list[str]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return [name for name in found if name.split(".")[0] in ("discreet", "tests")]


@cache
def _home(name: str) -> str:
    """The module that a dotted name is defined in, wherever it was imported from."""
    module, _, rest = name.rpartition(".")
    try:
        importlib.import_module(name)
    except ImportError:
        value: Any = getattr(importlib.import_module(module), rest, None) if module else None
        return str(getattr(value, "__module__", module))
    return name


@cache
def _named_in(test: Path) -> frozenset[str]:
    """The modules that a test file imports, and those of the entries that it names in texts."""
    tree = ast.parse(test.read_text(encoding="utf-8"))
    by_name = {entry.spec.name: entry.__module__ for entry in entries()}
    found: set[str] = set()
    for name in _imported(tree):
        if name.startswith("tests."):
            places = [TESTS.parent / n.replace(".", "/") for n in (name, name.rpartition(".")[0])]
            files = [file for p in places for file in (p.with_suffix(".py"), p / "__init__.py")]
            found |= _named_in(next(file for file in files if file.is_file()))
        else:
            found.add(_home(name))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            if _begins_with(node) == "discreet":
                found.add(_home_of_attribute(ast.unparse(node)))
        elif isinstance(node, ast.Constant) and node.value in by_name:
            found.add(by_name[str(node.value)])
    return frozenset(found)


def _begins_with(node: ast.expr) -> str:
    """The name that a chain of attributes begins with; none where it begins otherwise."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _home_of_attribute(dotted: str) -> str:
    value: Any = discreet
    for part in dotted.split(".")[1:]:
        value = getattr(value, part, None)
    return value.__name__ if inspect.ismodule(value) else str(getattr(value, "__module__", ""))
