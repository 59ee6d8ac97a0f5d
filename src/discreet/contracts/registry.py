"""The registry: every file in one of the folders below is an entry; there is no other list.

Other packages add entries through the entry point group `discreet`, each naming a module.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Any

from discreet.contracts.parameters import Component
from discreet.errors import UsageError, nearest

FOLDERS = (
    "microaggregation.partition",
    "microaggregation.replacement",
    "methods",
    "measures.risk",
    "measures.utility",
    "measures.attack",
    "measures.analyses",
)


@cache
def _modules() -> tuple[Any, ...]:
    from importlib.metadata import entry_points

    modules = []
    for folder in FOLDERS:
        package = importlib.import_module(f"discreet.{folder}")
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            modules.append(importlib.import_module(info.name))
    modules.extend(point.load() for point in entry_points(group="discreet"))
    return tuple(modules)


@cache
def _entries() -> Mapping[tuple[str, str], type[Component]]:
    by_name: dict[tuple[str, str], type[Component]] = {}
    for module in _modules():
        for item in vars(module).values():
            defined_here = isinstance(item, type) and item.__module__ == module.__name__
            if defined_here and issubclass(item, Component) and "spec" in vars(item):
                key = (item.family, item.spec.name)
                if key in by_name:
                    raise TypeError(f"two entries are called {key[1]}: {by_name[key]} and {item}")
                by_name[key] = item
    return dict(sorted(by_name.items()))


def entries(family: str | None = None) -> list[type[Component]]:
    """Return the entries of a family, or all entries, by name.

    >>> "mdav" in [entry.spec.name for entry in entries("partition")]
    True
    """
    return [entry for (kind, _), entry in _entries().items() if family in (None, kind)]


def find(family: str, name: str) -> type[Component]:
    """Return the entry of this name, or suggest the nearest one.

    >>> find("partition", "mdav").spec.title
    'MDAV: maximum distance to average vector'
    """
    key = (family, name.strip().lower().replace("_", "-"))
    if key not in _entries():
        known = [entry.spec.name for entry in entries(family)]
        raise UsageError(
            f"there is no {family} '{name}'{nearest(name, known)} (known: {', '.join(known)})"
        )
    return _entries()[key]


def build(family: str, recipe: str | Mapping[str, Any]) -> Component:
    """Make a component from its form in a plan: a name, or a name with parameters.

    >>> build("partition", {"mdav": {"k": 3}}).k
    3
    """
    if isinstance(recipe, str):
        return find(family, recipe)()
    if len(recipe) != 1:
        raise UsageError(
            f"a {family} is written as its name with its parameters below it, but "
            f"{len(recipe)} names were given: {', '.join(map(str, recipe)) or 'none'}"
        )
    name, values = next(iter(recipe.items()))
    if values is not None and not isinstance(values, Mapping):
        raise UsageError(f"the parameters of {name} must be written as 'name: value' pairs")
    return find(family, str(name))(**{str(key): v for key, v in (values or {}).items()})


def exported(family: str, name: str, module: str) -> type[Component]:
    """Serve an attribute of a package, such as `discreet.partition.MDAV`, from the registry."""
    if not name.startswith("_"):
        for entry in entries(family):
            if entry.__name__ == name:
                return entry
        known = listed(family)
        raise AttributeError(f"there is no {module}.{name}{nearest(name, known)}")
    raise AttributeError(f"module {module!r} has no attribute {name!r}")


def listed(family: str) -> list[str]:
    """Return the class names of a family, for `dir()`."""
    return [entry.__name__ for entry in entries(family)]
