"""The methods, measures and analyses of a plan, built from what its text says."""

from __future__ import annotations

from typing import Any

from discreet.contracts import Component, Method
from discreet.contracts.registry import find
from discreet.errors import DiscreetError, UsageError, nearest
from discreet.release.plan_file import Path, PlanText


def component(text: PlanText, path: Path, family: str, value: Any) -> Component:
    """Build a component level by level, so that a mistake is reported on its own line.

    >>> from discreet.release.plan_file import parse_plan_text
    >>> text = parse_plan_text("additive-noise: {alpha: 0.2}")
    >>> component(text, (), "method", text.content).values()["alpha"]
    0.2
    """
    if isinstance(value, str):
        value = {value: None}
    mapping = text.mapping(path, value, None)
    if len(mapping) != 1:
        text.wrong(path, f"this must be one {family} with its parameters indented below it")
    name, parameters = next(iter(mapping.items()))
    inner: Path = (*path, name)
    try:
        kind = find(family, name)
    except UsageError as error:
        text.wrong(inner, str(error))
    if parameters is None:
        parameters = {}
    declared = kind.params()
    values: dict[str, Any] = {}
    for key, given in text.mapping(inner, parameters, None).items():
        if key not in declared:
            known = ", ".join(declared) or "none"
            text.wrong(
                (*inner, key),
                f"{name} has no parameter '{key}'{nearest(key, declared)} (parameters: {known})",
            )
        expected = declared[key].type
        if isinstance(expected, type) and issubclass(expected, Component) and given is not None:
            values[key] = component(text, (*inner, key), expected.family, given)
            continue
        try:
            values[key] = declared[key].check(given, name)
        except UsageError as error:
            text.wrong((*inner, key), str(error))
    try:
        return kind(**values)
    except DiscreetError as error:
        text.wrong(inner, str(error))


def method_of(text: PlanText, path: Path, value: Any) -> Method:
    """Build the method of a step."""
    step = component(text, path, "method", value)
    assert isinstance(step, Method)
    return step


def listed(text: PlanText, key: str, family: str, value: Any) -> list[Component] | None:
    """Build the components of a list; None where there is none."""
    if value is None:
        return None
    if not isinstance(value, list):
        text.wrong((key,), f"this must be a list of {key}, each line starting with '- '")
    return [component(text, (key, i), family, entry) for i, entry in enumerate(value)]
