"""The checks by family, and how to run them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from discreet.contracts import Component
from discreet.contracts.registry import entries, forget, register
from discreet.testing import analyses, attacks, every, measures, methods, partitions, replacements
from discreet.testing.sameness import forget_runs

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
    """Run every check that applies to a component, and report all that fail.

    Its class need not be in the registry: it is there while the checks run.

    >>> import discreet
    >>> check(discreet.partition.MDAV(k=3))
    """
    example = component.example() if isinstance(component, type) else component
    was_known = type(example) in entries(example.family)
    register(type(example))
    checks = checks_for(example.family)
    forget_runs()
    try:
        failures = [sentence for sentence in (_failure(run, example) for run in checks) if sentence]
    finally:
        forget_runs()
        if not was_known:
            forget(type(example))
    if failures:
        listed = "".join(f"\n- {failure}" for failure in failures)
        raise AssertionError(
            f"{type(example).__name__} fails {len(failures)} of {len(checks)} checks:{listed}"
        )


def _failure(run_check: Check, example: Component) -> str:
    """Return why a check fails, with the promise that it is about; nothing if it passes."""
    promise = " ".join((run_check.__doc__ or "").partition("\n\n")[0].split())
    try:
        run_check(example)
    except AssertionError as error:
        reason = str(error) or "it does not hold"
    except Exception as error:
        # Unfinished code may fail in any way; the other checks are run all the same.
        reason = f"{type(error).__name__}: {error}"
    else:
        return ""
    return f"{run_check.__name__} ({promise.rstrip('.')}): {reason}"
