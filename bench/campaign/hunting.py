"""Hypothesis at work: draw examples until one shows a fault, then make it as small as possible."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded
from hypothesis.errors import Flaky, HypothesisException
from hypothesis.strategies import SearchStrategy

from bench.campaign.faults import Fault, Kept, keep

Example = TypeVar("Example")


def hunt(
    strategy: SearchStrategy[Example],
    attempt: Callable[[Example, bool], None],
    *,
    seed: int,
    examples: int,
    known: set[str],
    root: Path,
    write: Callable[[Example, Path], None],
    how: str,
) -> Kept | None:
    """Return the first fault of a new kind, small and kept in a folder, or None.

    `attempt` is told whether the example counts: those that only serve to shrink a fault do not.
    Faults of known kinds are ignored.
    """
    hunted: list[tuple[Example, Fault]] = []

    def check(example: Any) -> None:
        try:
            attempt(example, not hunted)
        except Fault as fault:
            if fault.kind in known or (hunted and fault.kind != hunted[0][1].kind):
                return
            hunted.append((example, fault))
            raise

    test = seeded(seed)(
        settings(
            max_examples=examples,
            database=None,
            deadline=None,
            derandomize=False,
            report_multiple_bugs=False,
            print_blob=False,
            verbosity=Verbosity.quiet,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        )(given(strategy)(check))
    )
    try:
        test()
    except (Fault, Flaky, HypothesisException, BaseExceptionGroup):
        if not hunted:
            raise
    if not hunted:
        return None
    example, fault = hunted[-1]
    return keep(fault, root, lambda folder: write(example, folder), how)
