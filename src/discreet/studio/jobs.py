"""Jobs: long work in separate processes, with progress, time left and cancelling."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from discreet.errors import UsageError

RUNNING, DONE, FAILED, CANCELLED = "running", "done", "failed", "cancelled"
DIED = "the job ended without a result, perhaps because memory ran out; try fewer columns"
MOST_AT_ONCE = 3
ENDING = 5.0
"""Seconds that a process has to end after it was killed."""


@dataclass(eq=False)
class Job:
    """A task that was handed to a worker, and how far it is."""

    number: int
    task: str
    work: str
    process: subprocess.Popen[bytes]
    started: float = field(default_factory=time.monotonic)
    ended: float | None = None
    state: str = RUNNING
    stage: str = ""
    label: str = ""
    status: str = ""
    done: float = 0.0
    began: float = 0.0
    result: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    followed: threading.Event = field(default_factory=threading.Event)

    @property
    def seconds(self) -> float:
        """How long the job has been running."""
        return (self.ended or time.monotonic()) - self.started

    @property
    def left(self) -> float | None:
        """About how many seconds the current task still takes; None if that is not known."""
        passed = time.monotonic() - self.began
        if not self.began or self.done < 0.02 or passed < 1:
            return None
        return passed * (1 - self.done) / self.done

    def for_page(self) -> dict[str, Any]:
        """Return what a page shows of it."""
        return {
            "number": self.number,
            "task": self.task,
            "state": self.state,
            "stage": self.stage,
            "label": self.label,
            "status": self.status,
            "done": round(self.done, 3),
            "seconds": round(self.seconds, 1),
            "left": None if self.left is None else round(self.left),
            "error": self.error,
        }

    def take(self, line: dict[str, Any]) -> None:
        """Process a line that the worker wrote."""
        if "stage" in line:
            self.stage, self.label, self.done, self.began = line["stage"], "", 0.0, 0.0
        if "task" in line:
            if line["task"] != self.label:
                self.label, self.began = line["task"], time.monotonic()
            self.done = line["done"]
        self.status = line.get("status", self.status)
        if "result" in line:
            self.state, self.result = DONE, line["result"]
        if "error" in line:
            self.state, self.error = FAILED, line["error"]


class Jobs:
    """All jobs of a studio; one worker is kept ready for the next."""

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        self._numbers = count(1)
        self._jobs: list[Job] = []
        self._spare: subprocess.Popen[bytes] | None = None
        self._lock = threading.RLock()
        self._changed = changed
        self._closed = False

    def prepare(self) -> None:
        """Have a worker ready."""
        with self._lock:
            if not self._closed and (self._spare is None or self._spare.poll() is not None):
                self._spare = _worker()

    def start(self, task: str, work: str, **arguments: Any) -> Job:
        """Hand a task to a worker; one of the same kind for the same work is refused."""
        with self._lock:
            running = [job for job in self._jobs if job.state == RUNNING]
            if any(job.work == work and job.task == task for job in running):
                raise UsageError("this is already running; wait for it, or cancel it first")
            if len(running) >= MOST_AT_ONCE:
                raise UsageError(
                    f"{len(running)} jobs are running; wait for one of them, or cancel it first"
                )
            self.prepare()
            process, self._spare = self._spare, None
            assert process is not None
            job = Job(next(self._numbers), task, work, process)
            self._jobs.append(job)
        threading.Thread(target=self._follow, args=(job, arguments), daemon=True).start()
        self._changed()
        return job

    def _follow(self, job: Job, arguments: dict[str, Any]) -> None:
        stdin, stdout = job.process.stdin, job.process.stdout
        assert stdin is not None
        assert stdout is not None
        with suppress(OSError):
            pickle.dump({"task": job.task, **arguments}, stdin)
            stdin.flush()
        for line in stdout:
            with suppress(ValueError, KeyError):
                job.take(json.loads(line))
            self._changed()
        job.process.wait()
        if job.state == RUNNING:
            job.state, job.error = FAILED, DIED
        job.ended = time.monotonic()
        with suppress(OSError):
            stdin.close()
        stdout.close()
        self.prepare()
        job.followed.set()
        self._changed()

    def cancel(self, number: int) -> None:
        """Stop a job at once; what it has not written completely is discarded."""
        job = self.find(number)
        if job is not None and job.state == RUNNING:
            job.state = CANCELLED
            _kill(job.process)

    def find(self, number: int) -> Job | None:
        """Return a job."""
        return next((job for job in self._jobs if job.number == number), None)

    def of(self, work: str) -> list[Job]:
        """Return the jobs of a work, the latest first."""
        return [job for job in reversed(self._jobs) if job.work == work]

    def latest(self, work: str, *tasks: str) -> Job | None:
        """Return the latest job of these kinds."""
        return next((job for job in self.of(work) if job.task in tasks), None)

    @property
    def busy(self) -> bool:
        """Whether any job is running."""
        return any(job.state == RUNNING for job in self._jobs)

    def close(self) -> None:
        """End every process."""
        with self._lock:
            self._closed = True
            spare, self._spare = self._spare, None
        if spare is not None:
            _kill(spare)
            spare.communicate()
        for job in self._jobs:
            self.cancel(job.number)
            job.followed.wait(ENDING)


def _worker() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "discreet.studio.job_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None if os.environ.get("DISCREET_DEBUG") else subprocess.DEVNULL,
        # A group of its own: cancelling ends the processes that it started too.
        start_new_session=True,
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
