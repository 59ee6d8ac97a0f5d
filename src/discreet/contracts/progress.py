"""Progress of long work, shown only where a person is watching.

Work reports its progress to an `advance` function; whether that draws a bar is decided here: on a
terminal a bar appears after a second, in a script or a test nothing is shown.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.contracts.method import Masked
    from discreet.microdata import Microdata

Advance = Callable[[float], None]

PATIENCE_SECONDS = 1.0


class Progress:
    """Shows nothing; the base class of displays that do.

    >>> with Progress().task("grouping records", 100) as advance:
    ...     advance(50)
    """

    @contextmanager
    def task(self, label: str, total: float) -> Iterator[Advance]:
        """Yield a function to report how much more of `total` is done."""
        yield lambda amount: None

    def say(self, message: str) -> None:
        """Tell a person something before long work starts."""

    def status(self, text: str) -> None:
        """Show beside the bar how far the work has come."""

    def after_step(self, number: int, table: Microdata, masked: Masked) -> None:
        """See what one step of a plan did to the table that it was given."""


class Words(Progress):
    """Prints messages without bars: for the log of a command."""

    def say(self, message: str) -> None:
        """Write the message to standard error."""
        print(message, file=sys.stderr)


class Bars(Words):
    """Draws a bar on standard error for each task that takes longer than a second."""

    def __init__(self) -> None:
        self._status = ""

    def status(self, text: str) -> None:
        """Show the text in place of the label of the task, from its next step on."""
        self._status = text

    @contextmanager
    def task(self, label: str, total: float) -> Iterator[Advance]:
        """Yield a function that moves the bar; the bar disappears with the task."""
        started, done = time.monotonic(), 0.0
        bar: Any = None
        task_id: Any = None

        def advance(amount: float) -> None:
            nonlocal bar, task_id, done
            done += amount
            if bar is None and time.monotonic() - started > PATIENCE_SECONDS:
                bar = _rich_bar()
                bar.start()
                task_id = bar.add_task(label, total=total)
            if bar is not None:
                bar.update(task_id, completed=done, description=self._status or label)

        try:
            yield advance
        finally:
            self._status = ""
            if bar is not None:
                bar.stop()


def _rich_bar() -> Any:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as RichProgress

    return RichProgress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


def for_command() -> Progress:
    """Return bars if standard error is a terminal, otherwise messages for the log."""
    return Bars() if sys.stderr.isatty() else Words()


def for_terminal() -> Progress:
    """Return bars if standard error is a terminal, otherwise a display that shows nothing."""
    return Bars() if sys.stderr.isatty() else Progress()
