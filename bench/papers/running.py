"""Carrying out the papers: every step by itself, so that a failure affects no other."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from bench.papers.section import Chapter, Section
from bench.papers.sources import lacking
from discreet.contracts import Context
from discreet.errors import DiscreetError, UsageError, nearest

NAMES = ("ama", "camp_crest", "mart", "local_synthesis", "survey")
"""The modules of the papers, in the order of the page."""


@dataclass(frozen=True)
class Step:
    """Work that gives one or several sections, with the files that it needs."""

    title: str
    files: tuple[str, ...]
    run: Callable[[], Sequence[Section]]


def carry_out(steps: Sequence[Step], folder: Path | None, context: Context) -> list[Section]:
    """Return the sections of all steps; a step that fails becomes a section with the reason.

    >>> def broken() -> list[Section]:
    ...     return [Section(f"{1 / 0}")]
    >>> steps = [Step("Table 1", (), broken), Step("Table 2", (), lambda: [Section("Table 2")])]
    >>> [(section.title, section.failure) for section in carry_out(steps, None, Context())]
    [('Table 1', 'ZeroDivisionError: division by zero'), ('Table 2', '')]
    """
    sections: list[Section] = []
    with context.task("redoing", len(steps)) as advance:
        for step in steps:
            missing = lacking(folder, step.files)
            if missing:
                sections.append(Section(step.title, missing=missing))
            else:
                context.progress.say(f"  {step.title}")
                sections += _tried(step)
            advance(1)
    return sections


def _tried(step: Step) -> Sequence[Section]:
    try:
        return step.run()
    except DiscreetError as error:
        return [Section(step.title, failure=str(error))]
    except Exception as error:
        return [Section(step.title, failure=f"{type(error).__name__}: {error}")]


def module_of(name: str) -> ModuleType:
    """Return the module of a paper, which has `PAPER` and `sections`."""
    if name not in NAMES:
        raise UsageError(f"there is no paper '{name}'{nearest(name, NAMES)} ({', '.join(NAMES)})")
    return importlib.import_module(f"bench.papers.{name}")


def processor_seconds() -> float:
    """Return the CPU time so far, of this process and of its finished child processes."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def redo(names: Sequence[str], folder: Path | None, quick: bool, context: Context) -> list[Chapter]:
    """Return the papers of these names, redone."""
    chapters = []
    for name in names:
        module = module_of(name)
        context.progress.say(module.PAPER.short)
        started = processor_seconds()
        sections = tuple(module.sections(folder, quick, context))
        chapters.append(Chapter(module.PAPER, sections, processor_seconds() - started))
    return chapters
