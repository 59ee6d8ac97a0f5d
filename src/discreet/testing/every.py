"""What holds for every component."""

from __future__ import annotations

import re
from typing import Any

from discreet.contracts import Component, Param
from discreet.contracts.registry import build
from discreet.errors import UsageError


def check_spec_is_complete(example: Component) -> None:
    """The spec is complete, and every parameter has its help."""
    spec = example.spec
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", spec.name), "the name is not in kebab case"
    for word in ("title", "citation", "missing"):
        assert getattr(spec, word).strip(), f"the spec has no {word}"
    assert spec.kinds, "the spec accepts no kind"
    for param in example.params().values():
        assert param.help.strip(), f"parameter {param.name} has no help"


def check_recipe_makes_it_again(example: Component) -> None:
    """A plan can hold the component and give it back."""
    rebuilt = build(example.family, example.recipe())
    assert rebuilt == example, f"its recipe makes {rebuilt!r} instead"


def check_parameters_cannot_be_changed(example: Component) -> None:
    """A component is immutable."""
    for name in [*example.params(), "anything"]:
        try:
            setattr(example, name, None)
        except AttributeError:
            continue
        raise AssertionError(f"{name} can be changed")


def check_bad_parameters_are_explained(example: Component) -> None:
    """A wrong value is refused in a sentence that names the parameter; so is an unknown name."""
    kind = type(example)
    for name, param in example.params().items():
        for wrong in _wrong_values(param):
            try:
                kind(**{**example.values(), name: wrong})
            except UsageError as error:
                assert name in str(error), f"the message does not name '{name}': {error}"
                continue
            raise AssertionError(f"{name}={wrong!r} was accepted")
    try:
        kind(**example.values(), surely_not_a_parameter=1)
    except UsageError as error:
        named = "surely_not_a_parameter" in str(error)
        assert named, f"the message does not name the parameter that is unknown: {error}"
    else:
        raise AssertionError("an unknown parameter was accepted")


def _wrong_values(param: Param) -> list[Any]:
    wrong: list[Any] = [object()]
    if param.choices is not None:
        wrong.append("surely not a choice")
    if param.at_least is not None:
        wrong.append(type(param.at_least)(param.at_least - 1))
    if param.above is not None:
        wrong.append(param.above)
    if param.at_most is not None:
        wrong.append(param.at_most + 1)
    if param.below is not None:
        wrong.append(param.below)
    if param.type in (int, float):
        wrong += ["5", True, float("nan"), float("inf"), None]
    if param.type is int:
        wrong.append(2.5)
    if param.type is bool:
        wrong += [1, "yes"]
    return wrong
