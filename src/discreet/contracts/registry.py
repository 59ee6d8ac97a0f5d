"""The registry: every file in one of the folders below is an entry; there is no other list.

Other packages add entries through the entry point group `discreet`, each naming a module; one that
cannot be loaded is left out with a warning. `register` adds a class for this process, such as one
that is defined in a notebook.
"""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from types import ModuleType
from typing import Any, TypeVar

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


Key = tuple[str, str]
C = TypeVar("C", bound=type[Component])


class PluginWarning(UserWarning):
    """A package that adds entries was left out because it is broken."""


@cache
def _entries() -> Mapping[Key, type[Component]]:
    from importlib.metadata import entry_points

    by_name: dict[Key, type[Component]] = {}
    for folder in FOLDERS:
        package = importlib.import_module(f"discreet.{folder}")
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            by_name |= _without_twins(importlib.import_module(info.name), by_name)
    for point in entry_points(group="discreet"):
        try:
            module = point.load()
            if not isinstance(module, ModuleType):
                raise TypeError(f"{point.value} is not a module")
            by_name |= _without_twins(module, by_name)
        except Exception as error:
            # Other people's code may fail in any way, and must not take the rest down with it.
            warnings.warn(
                f"the plug-in '{point.name}' ({point.value}) was left out: "
                f"{type(error).__name__}: {error}",
                PluginWarning,
                stacklevel=2,
            )
    return dict(sorted(by_name.items()))


def _without_twins(
    module: ModuleType, known: Mapping[Key, type[Component]]
) -> dict[Key, type[Component]]:
    """Return the entries of a module, or report one whose name is taken."""
    entries: dict[Key, type[Component]] = {}
    for entry in _defined(module):
        key = (entry.family, entry.spec.name)
        twin = entries.get(key, known.get(key))
        if twin is not None:
            raise TypeError(f"two entries are called {key[1]}: {twin} and {entry}")
        entries[key] = entry
    return entries


def _defined(module: ModuleType) -> Iterator[type[Component]]:
    for item in vars(module).values():
        defined_here = isinstance(item, type) and item.__module__ == module.__name__
        if defined_here and issubclass(item, Component) and "spec" in vars(item):
            yield item


_added: dict[Key, type[Component]] = {}


def register(component: C) -> C:
    """Add a class to the registry of this process, and return it.

    Plans, `check`, `explore` and the command line then know its name. Use it as a decorator or as a
    function. A class registered earlier under the same name is replaced, so that a cell of a
    notebook can be run again; discreet's own entries cannot be replaced.

    >>> import discreet
    >>> from discreet.contracts import Masked, Method, Spec
    >>> @discreet.register
    ... class Nothing(Method):
    ...     spec = Spec("nothing", "Nothing", "an example", "a missing value stays missing")
    ...
    ...     def protect(self, data, context):
    ...         return Masked(data)
    >>> discreet.Plan.parse("steps: [nothing]").steps
    (Nothing(),)
    >>> from discreet.contracts.registry import forget
    >>> forget(Nothing)
    """
    spec = vars(component).get("spec") if isinstance(component, type) else None
    if spec is None or not issubclass(component, Component):
        raise UsageError(
            "register takes a class with a spec, such as a subclass of discreet.contracts.Method, "
            f"but {component!r} was given"
        )
    key = (component.family, spec.name)
    if _entries().get(key, component) is not component:
        raise UsageError(
            f"there is already a {component.family} called '{spec.name}'; choose another name"
        )
    if key not in _entries():
        _added[key] = component
    return component


def forget(component: type[Component]) -> None:
    """Remove a registered class from the registry."""
    _added.pop((component.family, component.spec.name), None)


def registered() -> tuple[type[Component], ...]:
    """Return the classes that this process has added, which other processes do not know."""
    return tuple(_added.values())


def _known() -> Mapping[Key, type[Component]]:
    return dict(sorted({**_entries(), **_added}.items())) if _added else _entries()


def entries(family: str | None = None) -> list[type[Component]]:
    """Return the entries of a family, or all entries, by name.

    >>> "mdav" in [entry.spec.name for entry in entries("partition")]
    True
    """
    return [entry for (kind, _), entry in _known().items() if family in (None, kind)]


def find(family: str, name: str) -> type[Component]:
    """Return the entry of this name, or suggest the nearest one.

    >>> find("partition", "mdav").spec.title
    'MDAV: maximum distance to average vector'
    """
    key = (family, name.strip().lower().replace("_", "-"))
    if key not in _known():
        known = [entry.spec.name for entry in entries(family)]
        elsewhere = [kind for kind, other in _known() if other == key[1]]
        hint = f"; it is a {elsewhere[0]}" if elsewhere else nearest(name, known)
        raise UsageError(f"there is no {family} '{name}'{hint} (known: {', '.join(known)})")
    return _known()[key]


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
