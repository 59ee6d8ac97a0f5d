"""Telling: how a worker reports its progress, as lines of JSON that the server reads."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from discreet.contracts.progress import Advance, Progress

PAUSE = 0.1
"""Seconds between two lines about the same task."""


class Telling(Progress):
    """Progress as lines on a stream.

    >>> import sys
    >>> tell = Telling(sys.stdout)
    >>> tell.stage("reading")
    {"stage": "reading"}
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._last = 0.0

    def line(self, **content: Any) -> None:
        """Write one line."""
        self._stream.write(json.dumps(content, ensure_ascii=False) + "\n")
        self._stream.flush()

    def stage(self, word: str) -> None:
        """Say which part of the work begins."""
        self.line(stage=word)

    def status(self, text: str) -> None:
        """Say how far the work is, in words."""
        self.line(status=text)

    def say(self, message: str) -> None:
        """Say something that a person should read."""
        self.line(status=message)

    @contextmanager
    def task(self, label: str, total: float) -> Iterator[Advance]:
        """Yield a function that reports how much of a task is done, no more often than is
        useful.
        """
        done = 0.0

        def advance(amount: float) -> None:
            nonlocal done
            done += amount
            now = time.monotonic()
            if total > 0 and now - self._last >= PAUSE:
                self._last = now
                self.line(task=label, done=min(done / total, 1.0))

        self.line(task=label, done=0.0)
        yield advance
