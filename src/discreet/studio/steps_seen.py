"""What each step of a plan did, seen while it runs and kept for the cards of the page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from discreet.contracts import Masked
from discreet.contracts.progress import Advance, Progress
from discreet.io.whole_file import write_whole
from discreet.microdata import Microdata
from discreet.report.plain import as_json, from_json
from discreet.report.step_done import StepDone, step_done
from discreet.studio.telling import Telling


class Watching(Progress):
    """Progress that is passed on, and what each step did to its table."""

    def __init__(self, tell: Telling) -> None:
        self._tell = tell
        self.steps: list[StepDone] = []

    @contextmanager
    def task(self, label: str, total: float) -> Iterator[Advance]:
        """Report how much of a task is done."""
        with self._tell.task(label, total) as advance:
            yield advance

    def status(self, text: str) -> None:
        """Report how far the work is, in words."""
        self._tell.status(text)

    def after_step(self, number: int, table: Microdata, masked: Masked) -> None:
        """Keep what the step did."""
        self.steps.append(step_done(number, table, masked))


@dataclass(frozen=True)
class StepsSeen:
    """What the steps of a plan did, to the whole file or to some of its records."""

    whole: bool
    steps: tuple[StepDone, ...]

    def of(self, number: int) -> StepDone | None:
        """Return what one step did; steps are counted from 1."""
        return next((step for step in self.steps if step.number == number), None)


def keep_steps(path: Path, steps: list[StepDone]) -> None:
    """Keep what the steps of a try did; only the owner of the data can read it."""
    write_whole(path, json.dumps(as_json(steps), ensure_ascii=False).encode(), private=True)


def kept_steps(path: Path) -> StepsSeen | None:
    """Return what the steps of a try did; None if that is not known any more."""
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
        return StepsSeen(True, tuple(from_json(StepDone, step) for step in plain))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, StopIteration):
        return None


def reported_steps(result: dict[str, object]) -> StepsSeen:
    """Return what the steps of a preview did, from what its worker reported."""
    plain = result["steps"]
    assert isinstance(plain, list)
    return StepsSeen(False, tuple(from_json(StepDone, step) for step in plain))
