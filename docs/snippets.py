"""Examples for the reference: from docstrings, and from what an entry looks like in a plan."""

from __future__ import annotations

import ast
import builtins
import doctest
import inspect
import sys
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

import discreet
import discreet.contracts
from discreet.contracts import Component, Param
from discreet.contracts.registry import entries
from discreet.errors import DiscreetError
from discreet.release.plan_file import dump


def docstring_example(entry: Any) -> str:
    """Return the example of a class or function, with the imports that its module gives it."""
    examples = doctest.DocTestParser().get_examples(inspect.cleandoc(entry.__doc__ or ""))
    if not examples:
        return ""
    lines = [f">>> {line}" for line in _imports(entry, [e.source for e in examples])]
    for example in examples:
        first, *rest = example.source.rstrip("\n").split("\n")
        lines += [f">>> {first}", *(f"... {line}".rstrip() for line in rest)]
        if example.exc_msg is not None:
            lines += ["Traceback (most recent call last):", example.exc_msg.rstrip("\n")]
        elif example.want:
            lines.append(example.want.rstrip("\n"))
    return "\n".join(lines)


def _imports(entry: Any, sources: Iterable[str]) -> list[str]:
    """Return imports for the names that the example takes from its module."""
    tree = ast.parse("".join(sources))
    names = [n for n in ast.walk(tree) if isinstance(n, ast.Name)]
    defined = {n.id for n in names if isinstance(n.ctx, ast.Store)}
    defined |= {
        (alias.asname or alias.name).split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    module = vars(sys.modules[entry.__module__])
    needed = {n.id for n in names} - defined - set(vars(builtins))
    modules: list[str] = []
    by_home: dict[str, list[str]] = {}
    for name in sorted(needed & set(module)):
        value = module[name]
        if isinstance(value, ModuleType):
            alias = "" if value.__name__ == name else f" as {name}"
            modules.append(f"import {value.__name__}{alias}")
        else:
            by_home.setdefault(_home(name, value, entry), []).append(name)
    return modules + [f"from {home} import {', '.join(n)}" for home, n in sorted(by_home.items())]


def _home(name: str, value: Any, entry: Any) -> str:
    """Return the module that a reader would import a name from."""
    if name in discreet.__all__:
        return "discreet"
    if name in discreet.contracts.__all__:
        return "discreet.contracts"
    return str(getattr(value, "__module__", entry.__module__))


def plan_snippet(entry: type[Component]) -> str:
    """Return the lines of a plan that use an entry with its defaults, or nothing if none can."""
    if entry.family == "measure":
        return _lines({"measures": [_short(_example(entry).recipe())]})
    if entry.family == "analysis":
        return _lines({"analyses": [entry.example().recipe()]})
    if entry.family == "method":
        return _lines({"steps": [_short(_example(entry).recipe())]})
    for method in sorted(entries("method"), key=lambda m: (not _has_product(m), m.spec.name)):
        for param in method.params().values():
            if _family_of(param) != entry.family:
                continue
            try:
                made = _example(method, {param.name: _example(entry)})
            except DiscreetError:
                continue
            return _lines({"steps": [_short(made.recipe())]})
    return ""


def _has_product(method: type[Component]) -> bool:
    """Whether any partition and any replacement can be given to the method."""
    families = {_family_of(param) for param in method.params().values()}
    return {"partition", "replacement"} <= families


def _family_of(param: Param) -> str | None:
    kind = param.type
    return kind.family if isinstance(kind, type) and issubclass(kind, Component) else None


def _example(entry: type[Component], given: Mapping[str, Any] | None = None) -> Component:
    """Return an entry with its defaults, and with those of its example where there are none."""
    example = entry.example().values()
    values = {p.name: example[p.name] for p in entry.params().values() if p.required}
    return entry(**{**values, **(given or {})})


def _short(recipe: dict[str, Any]) -> Any:
    """Return a recipe with a bare name where there are no parameters."""
    name, values = next(iter(recipe.items()))
    return {name: values} if values else name


def _lines(content: Any) -> str:
    return dump(content).rstrip("\n")
