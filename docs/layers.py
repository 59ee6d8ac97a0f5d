"""The layers of the package, and the imports as the code has them.

The architecture tests hold the code to these lists; `docs/layers_picture.py` draws them.
"""

from __future__ import annotations

import ast
import gc
from collections import Counter
from dataclasses import dataclass
from functools import cache
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
    {"scaling"},
    {"testing", "cli", "studio", "analysis"},
]
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}

# What is imported inside a function is needed only when that function runs; these are the places
# where a lower room calls up, each with its reason.
CALLS_UP = {
    ("microdata", "io"): "Microdata.frame() gives the user's own kind of frame back",
    ("release", "publishing"): "Release.write() is the public name for publishing",
    ("cli", "studio"): "`discreet studio` starts it; no other command knows of it",
}


IMPORTING = ast.Import, ast.ImportFrom, ast.Call
"""The nodes of a syntax tree that may import something."""


@dataclass(frozen=True)
class Import:
    """A module of the package that imports something, at its top or inside a function."""

    module: str
    room: str
    target: str
    at_top: bool

    @property
    def target_room(self) -> str | None:
        """What it imports from this package: a room, or a name of the front door; else None."""
        package, _, rest = self.target.partition(".")
        return rest.partition(".")[0] if package == "discreet" else None


def modules() -> list[Path]:
    """Return the files of the package but for its front door, `discreet/__init__.py`."""
    return sorted(p for p in PACKAGE.rglob("*.py") if p != PACKAGE / "__init__.py")


def room_of(path: Path) -> str:
    """Return the room that a file of the package lies in."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def trees() -> dict[Path, ast.Module]:
    """Return the files of the package, its front door included, and what they say."""
    # Seven hundred thousand nodes that stay: looking for garbage among them takes seconds.
    gc.disable()
    try:
        return {path: ast.parse(path.read_bytes()) for path in sorted(PACKAGE.rglob("*.py"))}
    finally:
        gc.freeze()
        gc.enable()


@cache
def imports() -> tuple[Import, ...]:
    """Return every import of the package, by `import` or by `import_module("name")`."""
    collected: list[Import] = []
    for path in modules():
        tree = trees()[path]
        at_top = {id(node) for node in tree.body}
        module = path.relative_to(PACKAGE).as_posix()
        for node in ast.walk(tree):
            if isinstance(node, IMPORTING):
                collected += [
                    Import(module, room_of(path), name, id(node) in at_top)
                    for name in names_imported(node)
                ]
    return tuple(collected)


def edges() -> Counter[tuple[str, str]]:
    """Return how many imports lead from one room to another, for each pair that has any."""
    return Counter(
        (imported.room, imported.target_room)
        for imported in imports()
        if imported.target_room in LEVEL and imported.target_room != imported.room
    )


def names_imported(node: ast.AST) -> list[str]:
    """Return the modules that a node of the syntax tree imports."""
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module="discreet", names=names):
            return [f"discreet.{alias.name}" for alias in names]
        case ast.ImportFrom(module=str(module)):
            return [module]
        case ast.Call(
            func=ast.Attribute(attr="import_module"), args=[ast.Constant(value=str(module))]
        ):
            return [module]
    return []
