"""Content as JSON and back: what a content object declares is written and read, nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from numbers import Integral, Real
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

LONGEST = 200
"""A longer list is not a detail for a reader, and may hold a value for every record."""
WRITTEN = frozenset({str, int, bool})
"""Classes whose objects are JSON as they stand."""
WORDS = {"infinity": math.inf, "-infinity": -math.inf, "undefined": math.nan}

T = TypeVar("T")


def plain(value: Any, longest: int = LONGEST) -> Any:
    """Return nested details as dictionaries, lists, texts and figures.

    >>> import numpy as np
    >>> plain({"bias": {"age": np.float64(0.25)}, "columns": ("age",), 3: np.arange(2)})
    {'bias': {'age': 0.25}, 'columns': ['age'], '3': [0, 1]}
    """
    if value is None or isinstance(value, bool | str):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, Mapping):
        return {str(key): plain(inner, longest) for key, inner in list(value.items())[:longest]}
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if hasattr(value, "tolist"):
        if getattr(value, "size", 0) > longest:
            return f"{value.size:,} values"
        return plain(value.tolist(), longest)
    if isinstance(value, list | tuple | set | frozenset):
        if len(value) > longest:
            return f"{len(value):,} values"
        ordered = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return [plain(inner, longest) for inner in ordered]
    return str(value)


def as_json(content: Any) -> Any:
    """Return a content object as JSON; a number that JSON cannot express becomes a word.

    >>> from discreet.report.public_form import Records
    >>> as_json(Records(released=5)), as_json((0.5, math.inf, math.nan))
    ({'released': 5}, [0.5, 'infinity', 'undefined'])
    """
    kind: Any = type(content)
    if content is None or kind in WRITTEN or (kind is float and math.isfinite(content)):
        return content
    names = _fields(kind)
    if names is not None:
        return {name: as_json(getattr(content, name)) for name in names}
    if isinstance(content, Mapping):
        return {key: as_json(value) for key, value in content.items()}
    if isinstance(content, tuple | list):
        return [as_json(value) for value in content]
    if isinstance(content, float) and not math.isfinite(content):
        return next(word for word, figure in WORDS.items() if str(figure) == str(content))
    return plain(content)


@cache
def _fields(kind: Any) -> tuple[str, ...] | None:
    """The fields of a class of content; None of another class."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def from_json(kind: type[T], content: Any) -> T:
    """Return the content object of this class that JSON, or an object with more fields, holds.

    Only fields that the class declares are read, so that nothing else can get into it.

    >>> from discreet.report.public_form import Records
    >>> from_json(Records, {"released": 5, "original": 7})
    Records(released=5)
    """
    read_back: T = _read(kind, content)
    return read_back


def _read_fields(kind: Any, given: Mapping[str, Any]) -> Any:
    hints = _hints(kind)
    names = [name for name in _fields(kind) or () if name in given]
    return kind(**{name: _read(hints[name], given[name]) for name in names})


def _read(kind: Any, value: Any) -> Any:
    if is_dataclass(kind):
        given = value if isinstance(value, Mapping) else vars(value)
        return _read_fields(kind, given)
    inner = get_args(kind)
    if getattr(kind, "__origin__", None) is tuple:
        return tuple(_read(inner[0], part) for part in value)
    if NoneType in inner and value is None:
        return None
    options = [part for part in inner if is_dataclass(part)]
    if options:
        form = value.get("form") if isinstance(value, Mapping) else getattr(value, "form", None)
        fitting = next((k for k in options if getattr(k, "form", form) == form), None)
        if fitting is None:
            raise TypeError("a field holds an object of another form than those it may have")
        return _read(fitting, value)
    if NoneType in inner:
        return _read(inner[0], value)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return kind(value)
    if kind is float:
        value = WORDS.get(value, value)
    wanted = {float: Real, int: Real, str: str}.get(kind, object)
    if not isinstance(value, wanted):
        raise TypeError(f"a field of {kind.__name__} holds {type(value).__name__}")
    return value
