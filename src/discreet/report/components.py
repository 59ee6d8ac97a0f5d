"""Steps and measures in the words of their own specs and docstrings.

A method or measure that is added later is described here without an edit, as everywhere else.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from discreet.contracts import Component, MeasureSpec, Spec
from discreet.errors import DiscreetError
from discreet.report.plain import number, plain


def meaning(component: type[Component]) -> str:
    """Return the first paragraph of a component's docstring: what it is, in plain words.

    >>> from discreet.contracts.registry import find
    >>> meaning(find("measure", "distance-linkage"))
    'The share of released records whose nearest original record is their own.'
    """
    paragraph = (inspect.getdoc(component) or "").split("\n\n")[0]
    return " ".join(paragraph.split())


def step_content(step: Component) -> dict[str, Any]:
    """Return what a step does, from where it is known, its parameters and its parts."""
    name, parameters = next(iter(step.recipe(public=True).items()))
    return {
        "name": name,
        "title": step.spec.title,
        "citation": step.spec.citation,
        "meaning": meaning(type(step)),
        "missing": step.spec.missing,
        "parameters": plain(parameters),
        "parts": [_part(value) for value in step.values().values() if isinstance(value, Component)],
    }


def _part(component: Component) -> dict[str, Any]:
    return {
        "family": component.family,
        "name": component.spec.name,
        "title": component.spec.title,
        "citation": component.spec.citation,
        "meaning": meaning(type(component)),
    }


def stated_step(stated: Mapping[str, Any]) -> dict[str, Any]:
    """Return a step of a manifest, with what is known here of a method of its name.

    A manifest may come from a discreet with other methods; then it speaks for itself.
    """
    from discreet.contracts.registry import build

    name = str(stated.get("name", ""))
    parameters = stated.get("parameters") or {}
    try:
        content = step_content(build("method", {name: parameters}))
    except DiscreetError:
        content = {"name": name, "meaning": "", "missing": "", "parts": []}
    return {
        **content,
        "title": str(stated.get("title", name)),
        "citation": str(stated.get("citation", "")),
        "parameters": plain(parameters),
    }


def measure_content(name: str) -> dict[str, Any]:
    """Return what a measure of this name measures; only the name if there is none here.

    >>> measure_content("k-anonymity")["better"]
    'higher'
    >>> measure_content("no-such-measure")["title"]
    'no-such-measure'
    """
    from discreet.contracts.registry import find

    try:
        return described(find("measure", name))
    except DiscreetError:
        return {
            "name": name,
            "title": name,
            "meaning": "",
            "citation": "",
            "side": "",
            "better": "",
            "percent": False,
            "of_release": False,
            "identity": None,
        }


def described(measure: type[Component]) -> dict[str, Any]:
    """Return what a measure measures, and which way is better."""
    spec: Spec = measure.spec
    assert isinstance(spec, MeasureSpec)
    return {
        "name": spec.name,
        "title": spec.title,
        "meaning": meaning(measure),
        "citation": spec.citation,
        "side": spec.side.value,
        "better": spec.better.value,
        "percent": spec.percent,
        "of_release": spec.of_release,
        "identity": number(spec.at_identity),
    }


def claim_content(name: str, bound: Any, measured: Any) -> dict[str, Any]:
    """Return a claim with its measure, and whether what was measured bears it out.

    >>> claim_content("k-anonymity", 5, 6)["holds"]
    True
    """
    about = measure_content(name)
    holds = None
    known = isinstance(measured, int | float) and isinstance(bound, int | float)
    if known and about["better"]:
        holds = measured >= bound if about["better"] == "higher" else measured <= bound
    return {
        "measure": name,
        "title": about["title"],
        "better": about["better"],
        "percent": about["percent"],
        "of_release": about["of_release"],
        "bound": number(bound),
        "measured": number(measured),
        "holds": holds,
    }
