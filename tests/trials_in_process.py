"""Fixture: a search whose trials run in this process, without workers.

A worker takes seconds to load what its trials need. Workers themselves are tested with real ones in
`tests/exploring/test_worker_pool.py`, `test_worker.py` and `tests/flow/test_exploring.py`; tests of
everything else that a search does need not wait for them.
"""

from __future__ import annotations

from typing import Any

import pytest

from discreet.exploring.shared_table import table_of
from discreet.exploring.trial import Task, Trial
from discreet.exploring.worker import run_trial
from discreet.exploring.worker_pool import Pool


class InProcess(Pool):
    """Runs one trial at a time, immediately, and stops none."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._ended: list[Trial] = []

    @property
    def idle(self) -> int:
        return 1 - len(self._ended)

    @property
    def busy(self) -> bool:
        return bool(self._ended)

    def start(self, task: Task) -> None:
        shared, seed, measures, allow, _ = self._start
        self._ended.append(run_trial(table_of(shared), task, seed, measures, allow))

    def wait(self) -> list[Trial]:
        ended, self._ended = self._ended, []
        return ended


@pytest.fixture
def trials_in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.exploring.searching.Pool", InProcess)
