"""A pool of supervised workers: one that uses too much time or memory is stopped."""

from __future__ import annotations

import math
import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from discreet.contracts.registry import registered
from discreet.exploring.shared_table import release, share
from discreet.exploring.trial import Task, Trial
from discreet.exploring.worker import READY, computing_seconds, receive, resident_megabytes, send
from discreet.microdata import Microdata

LOOK_SECONDS = 0.1
START_SECONDS = 120.0
"""Seconds for a worker to start; the time of its first trial begins after that."""
PATIENCE = 3.0
"""On a busy machine a trial may take this many times the seconds that it may compute."""
# Workers share the cores among themselves; each computes on one.
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)


@dataclass(eq=False)
class _Worker:
    process: subprocess.Popen[bytes]
    task: Task | None = None
    started: float = field(default_factory=time.monotonic)
    computed: float = 0.0
    ready: bool = False

    def begin(self) -> None:
        """Let the time of a trial begin now."""
        self.started = time.monotonic()
        self.computed = computing_seconds(self.process.pid) or 0.0

    def computing(self, taken: float) -> float:
        """Return how long the trial has computed; where that is unknown, how long it took."""
        until_now = computing_seconds(self.process.pid)
        return taken if until_now is None else until_now - self.computed


class Pool:
    """Runs tasks on several processes at a time.

    `seconds` and `megabytes` bound one trial; one that exceeds them is stopped, and its trial says
    so.
    """

    def __init__(
        self,
        data: Microdata,
        seed: int,
        measures: Sequence[str | Mapping[str, Any]],
        allow: Sequence[str] = (),
        *,
        cores: int,
        seconds: float,
        megabytes: float,
    ) -> None:
        self._shared = share(data)
        self._start = (
            self._shared, seed, tuple(measures), tuple(allow), _by_value(registered()),
        )  # fmt: skip
        self._cores, self._usual, self._megabytes = cores, seconds, megabytes
        self._look = math.inf
        self._quickest = math.inf
        self._workers: list[_Worker] = []
        self._selector = selectors.DefaultSelector()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in list(self._workers):
            self._stop(worker)
        self._selector.close()
        release(self._shared)

    @property
    def idle(self) -> int:
        """How many more tasks can be started now."""
        return self._cores - sum(worker.task is not None for worker in self._workers)

    @property
    def busy(self) -> bool:
        """Whether a task is running."""
        return any(worker.task is not None for worker in self._workers)

    @contextmanager
    def limited(self, seconds: float) -> Iterator[None]:
        """Let trials compute for less time for a while.

        A trial is not to blame for what else the machine does, and stopping a worker costs more
        than most trials. So only the seconds in which it computes count, within limits. Until one
        trial has been measured completely, each may compute for several times as long, and
        afterwards for twice as long as the quickest of these took: where the measures take long
        whatever the method, stopping a trial only delays the first answer.
        """
        self._look = seconds
        try:
            yield
        finally:
            self._look = math.inf

    @property
    def _computing(self) -> float:
        return min(PATIENCE * self._look, max(self._look, 2 * self._quickest))

    @property
    def _seconds(self) -> float:
        return min(self._usual, PATIENCE * self._computing)

    def start(self, task: Task) -> None:
        """Hand a task to a worker."""
        for idle in [w for w in self._workers if w.task is None]:
            if idle.process.poll() is not None:
                self._stop(idle)
        messages: list[Any] = [task]
        worker = next((w for w in self._workers if w.task is None), None)
        if worker is None:
            worker, messages = self._worker(), [self._start, task]
        worker.task = task
        worker.begin()
        # A new worker reads nothing before it has loaded its libraries: meanwhile others are
        # started, and the time that is left is watched.
        threading.Thread(target=_hand, args=(worker, messages), daemon=True).start()

    def wait(self) -> list[Trial]:
        """Return the trials that finish, or are stopped, in the next moment."""
        ended = []
        for key, _ in self._selector.select(LOOK_SECONDS):
            worker: _Worker = key.data
            trial = receive(key.fileobj)  # type: ignore[arg-type]
            if trial == READY:
                worker.ready = True
                worker.begin()
                continue
            if trial is None:
                task = worker.task
                self._stop(worker)
                if task is not None:
                    ended.append(
                        Trial(task, reason="its process died, perhaps because it ran out of memory")
                    )
                continue
            worker.task = None
            if trial.scores and not trial.at_least:
                self._quickest = min(self._quickest, worker.computing(trial.seconds))
            ended.append(trial)
        now = time.monotonic()
        for worker in list(self._workers):
            if worker.task is None:
                continue
            taken, held = now - worker.started, resident_megabytes(worker.process.pid)
            if taken > (self._seconds if worker.ready else START_SECONDS):
                reason, limit = f"longer than the {self._seconds:g} s", "seconds"
            elif worker.ready and (computed := worker.computing(taken)) > self._computing:
                reason, limit = f"longer than the {self._computing:g} s", "seconds"
                taken = computed
            elif held > self._megabytes:
                reason, limit = f"more than the {self._megabytes:,.0f} MB", "megabytes"
            else:
                continue
            reason = f"it took {reason} allowed for a trial"
            ended.append(Trial(worker.task, {}, reason, taken, held, limit))
            self._stop(worker)
        return ended

    def would_go_further(self, trial: Trial) -> bool:
        """Whether a trial that was stopped, perhaps in an earlier search, is allowed more here."""
        seconds = min(self._seconds, self._computing)
        return (trial.stopped == "seconds" and seconds > trial.seconds) or (
            trial.stopped == "megabytes" and self._megabytes > trial.megabytes
        )

    def _worker(self) -> _Worker:
        process = subprocess.Popen(
            [sys.executable, "-m", "discreet.exploring.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **ONE_THREAD},
            pass_fds=() if self._shared.file is None else (self._shared.file,),
            # Ctrl-C goes to this process only, which stops the workers itself.
            start_new_session=True,
        )
        worker = _Worker(process)
        assert process.stdout is not None
        self._selector.register(process.stdout, selectors.EVENT_READ, worker)
        self._workers.append(worker)
        return worker

    def _stop(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        assert worker.process.stdout is not None
        self._selector.unregister(worker.process.stdout)
        worker.process.kill()
        worker.process.communicate()


def _by_value(components: Sequence[type]) -> bytes:
    """Return classes as bytes that hold their code: a worker cannot import a notebook."""
    import cloudpickle

    content: bytes = cloudpickle.dumps(components)
    return content


def _hand(worker: _Worker, messages: Sequence[Any]) -> None:
    assert worker.process.stdin is not None
    # If it died, its output ends, and `wait` reports it; if it was stopped, its input is closed.
    with suppress(BrokenPipeError, ValueError):
        for message in messages:
            send(worker.process.stdin, message)
