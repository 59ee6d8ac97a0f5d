"""Forms made from declared parameters, and the values read back from them.

A field's name is the path to its parameter (`partition.k`); what a form does not set keeps its
default, so that a plan states only what somebody chose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from discreet.contracts import Component
from discreet.contracts.entries import Entries, Table
from discreet.contracts.explaining import default_of, description
from discreet.contracts.parameters import Columns, Param, Texts
from discreet.contracts.registry import entries, find
from discreet.errors import UsageError
from discreet.release.plan_file import dump, parse_plan_text

WHOLE, NUMBER, TRUTH, CHOICE = "whole", "number", "truth", "choice"
TEXT, COLUMNS, LINES, YAML, PART = "text", "columns", "lines", "yaml", "part"


@dataclass(frozen=True)
class Choice:
    """One of the values that a field offers."""

    value: str
    title: str = ""


@dataclass(frozen=True)
class Field:
    """A parameter as a form shows it; `inner` are the fields of the part that is chosen."""

    path: str
    name: str
    input: str
    help: str
    domain: str
    default: str
    value: Any
    required: bool
    optional: bool
    least: float | None = None
    most: float | None = None
    choices: tuple[Choice, ...] = ()
    inner: tuple[Field, ...] = ()
    meaning: str = ""


def fields(family: str, name: str, values: Mapping[str, Any], above: str = "") -> tuple[Field, ...]:
    """Return the fields of a component with the values that it has.

    >>> [(f.path, f.input, f.value) for f in fields("method", "rounding", {"base": 5})][0]
    ('base', 'number', 5)
    """
    declared = find(family, name).params()
    return tuple(_field(param, values, f"{above}{param.name}") for param in declared.values())


def _field(param: Param, values: Mapping[str, Any], path: str) -> Field:
    kind, part = _input(param)
    value = values.get(param.name, None if param.required else param.default)
    inner: tuple[Field, ...] = ()
    choices = tuple(Choice(choice) for choice in param.choices or ())
    meaning = ""
    if kind == PART and part is not None:
        name, below = _named(value)
        choices = tuple(Choice(e.spec.name, e.spec.title) for e in entries(part.family))
        if name:
            inner = fields(part.family, name, below, f"{path}.")
            meaning = description(find(part.family, name)).partition("\n\n")[0]
        value = name
    elif kind == YAML:
        value = "" if value in (None, ()) else dump(_plain(value))
    elif kind in (LINES, COLUMNS):
        value = list(value or ())
    return Field(
        path=path,
        name=param.name.replace("_", " "),
        input=kind,
        help=param.help,
        domain=param.domain,
        default=default_of(param),
        value=value,
        required=param.required,
        optional=_optional(param),
        least=param.at_least if param.at_least is not None else param.above,
        most=param.at_most if param.at_most is not None else param.below,
        choices=choices,
        inner=inner,
        meaning=meaning,
    )


def read_values(
    family: str, name: str, given: Mapping[str, Sequence[str]], above: str = ""
) -> dict[str, Any]:
    """Return the values that a form gives, those at their default left out.

    >>> read_values("method", "rounding", {"base": ["5"], "together": []})
    {'base': 5.0}
    """
    values: dict[str, Any] = {}
    for param in find(family, name).params().values():
        path = f"{above}{param.name}"
        kind, part = _input(param)
        if kind == TRUTH:
            value: Any = bool(given.get(path))
        elif kind == COLUMNS:
            value = [v for v in given.get(path, ()) if v] or None
        elif path not in given:
            continue
        elif kind == PART and part is not None:
            chosen = _single(given[path])
            if not chosen:
                value = None
            else:
                below = read_values(part.family, chosen, given, f"{path}.")
                value = {chosen: below}
                if (chosen, below) == _named(param.default):
                    continue
        else:
            value = _converted(param, kind, _single(given[path]))
        if value is None and not param.required:
            if param.default is not None and _optional(param):
                values[param.name] = None
            continue
        if value != _plain(param.default):
            values[param.name] = value
    return values


def _converted(param: Param, kind: str, text: str) -> Any:
    stripped = text.strip()
    if not stripped:
        return None
    if kind in (WHOLE, NUMBER):
        try:
            number = float(stripped)
        except ValueError:
            raise UsageError(
                f"parameter '{param.name}' must be {param.domain}, but text was given"
            ) from None
        return int(number) if kind == WHOLE and number.is_integer() else number
    if kind == LINES:
        return [line.strip() for line in text.splitlines() if line.strip()]
    if kind == YAML:
        return parse_plan_text(text, f"parameter '{param.name}'").content
    return stripped


def _input(param: Param) -> tuple[str, type[Component] | None]:
    """Return how a parameter is entered, and the family of parts that it takes."""
    kind = param.type
    if isinstance(kind, type) and issubclass(kind, Component):
        return PART, kind
    inner = [a for a in getattr(kind, "__args__", ()) if isinstance(a, type)]
    if not param.path and any(issubclass(a, Component) for a in inner):
        parts = [a for a in inner if issubclass(a, Component)]
        return (PART, parts[0]) if type(None) in inner else (YAML, None)
    if param.choices is not None:
        return CHOICE, None
    if kind in (Columns, tuple[str, ...]):
        return (LINES if param.path else COLUMNS), None
    if kind == Texts:
        return LINES, None
    if kind == Entries:
        return YAML, None
    simple = {bool: TRUTH, int: WHOLE, float: NUMBER, str: TEXT}
    bare = next((a for a in inner if a is not type(None)), kind)
    return simple.get(bare, YAML), None


def _optional(param: Param) -> bool:
    return param.type == Texts or type(None) in getattr(param.type, "__args__", ())


def _named(value: Any) -> tuple[str, dict[str, Any]]:
    """Return the name and the parameters of a part, however a plan or a default has it."""
    if isinstance(value, Component):
        value = value.recipe()
    if isinstance(value, str):
        return value, {}
    if isinstance(value, Mapping) and len(value) == 1:
        [(name, below)] = value.items()
        return str(name), dict(below or {})
    return "", {}


def _plain(value: Any) -> Any:
    if isinstance(value, Table):
        return value.plain()
    if isinstance(value, Component):
        return value.recipe()
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    return value


def _single(values: Sequence[str]) -> str:
    return values[-1] if values else ""
