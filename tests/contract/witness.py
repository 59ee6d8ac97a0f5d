"""How a component that breaks a promise is filed under the contract check that has to catch it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from discreet.contracts import Component, Spec
from discreet.microdata import Kind, Microdata
from discreet.testing import Check


@dataclass(frozen=True)
class Witness:
    """A broken component, the check that catches it, and words of the message it then gives."""

    component: type[Component]
    check: Check
    says: str


WITNESSES: list[Witness] = []


def breaks(check: Check, says: str) -> Callable[[type[Any]], type[Any]]:
    def file(component: type[Any]) -> type[Any]:
        component.__doc__ = component.__doc__ or ">>> pass"
        WITNESSES.append(Witness(component, check, says))
        return component

    return file


def spec_of(**changes: Any) -> Spec:
    facts: dict[str, Any] = {"name": "x", "title": "X", "citation": "C", "missing": "M"}
    return Spec(**{**facts, "kinds": (Kind.CONTINUOUS,), **changes})


def write_into(data: Microdata) -> None:
    """Do what no component may: unlock a column of its input and write to it."""
    values = data[data.quasi_identifiers[0]]
    values.flags.writeable = True
    values[0] = 5
    values.flags.writeable = False
