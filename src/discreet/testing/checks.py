"""The checks by family, and how to run them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from discreet.contracts import Component
from discreet.testing import analyses, attacks, every, measures, methods, partitions, replacements

Check = Callable[[Any], None]

MODULES = {
    "method": methods,
    "partition": partitions,
    "replacement": replacements,
    "measure": measures,
    "attack": attacks,
    "analysis": analyses,
}


def checks_for(family: str) -> list[Check]:
    """Return the checks of a family: every function called `check_…` of its module.

    >>> [check.__name__ for check in checks_for("partition")][:1]
    ['check_bad_parameters_are_explained']
    """
    checks = []
    for module in (every, MODULES[family]):
        named = [v for name, v in vars(module).items() if name.startswith("check_")]
        checks += [check for check in named if check.__module__ == module.__name__]
    return sorted(checks, key=lambda check: check.__name__)


def check(component: type[Component] | Component) -> None:
    """Run every check that applies to a component.

    >>> import discreet
    >>> check(discreet.partition.MDAV(k=3))
    """
    example = component.example() if isinstance(component, type) else component
    for run_check in checks_for(example.family):
        run_check(example)
