"""The pool of workers: what is stopped, what dies, and what is told of it."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import Microdata
from discreet.contracts.registry import forget, register
from discreet.exploring.trial import Task, Trial
from discreet.exploring.worker_pool import Pool, _Worker

TASK = Task(({"individual-ranking": {}},))


def next_trial(pool: Pool) -> Trial:
    # A worker loads for seconds, and on a busy machine for a minute.
    until = time.monotonic() + 180
    while time.monotonic() < until:
        for trial in pool.wait():
            return trial
    raise AssertionError("no trial ended")


ROLES = {"age": "quasi-identifier", "height": "quasi-identifier"}


@pytest.fixture(scope="module")
def data() -> Microdata:
    """A table without a column that is released as it is: no worker loads what grows trees."""
    rng = np.random.default_rng(5)
    age = rng.integers(18, 90, 120).astype(float)
    frame = {"age": age, "height": 180 - 0.2 * age + rng.normal(0, 7, 120)}
    return discreet.read(frame, roles=ROLES)


def test_a_trial_that_takes_too_long_or_too_much_is_stopped(data: Microdata) -> None:
    task = Task(({"individual-ranking": {}},))
    with Pool(data, 1, ["sse-sst"], cores=1, seconds=0.01, megabytes=1e6) as pool:
        pool.start(task)
        assert "longer than the 0.01 s" in next_trial(pool).reason
    with Pool(data, 1, ["sse-sst"], cores=1, seconds=60, megabytes=1) as pool:
        pool.start(task)
        assert "more than the 1 MB" in next_trial(pool).reason
        pool.start(task)  # a new worker takes the place of the one that was stopped
        assert pool.idle == 0


def test_a_worker_that_dies_is_told(data: Microdata) -> None:
    with Pool(data, 1, ["sse-sst"], cores=1, seconds=60, megabytes=1e6) as pool:
        pool.start(Task(({"individual-ranking": {}},)))
        os.kill(pool._workers[0].process.pid, signal.SIGKILL)
        assert "its process died" in next_trial(pool).reason


NOTEBOOK = """
from discreet.contracts import Masked, Method, Spec

class Homemade(Method):
    spec = Spec("homemade", "Homemade", "a notebook", "a missing value stays missing")

    def protect(self, data, context):
        names = self.treated(data, None)
        return Masked(data.replace(data.column(n).with_values(data[n] // 10) for n in names))
"""


@pytest.fixture
def homemade() -> Iterator[Task]:
    """A task for a class that no worker can import."""
    names: dict[str, Any] = {"__name__": "a_notebook"}
    exec(NOTEBOOK, names)
    register(names["Homemade"])
    yield Task(({"homemade": {}},))
    forget(names["Homemade"])


def test_workers_know_classes_of_a_notebook_and_one_that_died_while_idle_is_replaced(
    data: Microdata, homemade: Task
) -> None:
    with Pool(data, 1, ["sse-sst"], cores=1, seconds=60, megabytes=1e6) as pool:
        pool.start(homemade)
        assert next_trial(pool).scores
        assert pool._quickest < 60, "what a trial takes that is measured in whole is known now"
        process = pool._workers[0].process
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        pool.start(Task(TASK.steps, 1))
        assert next_trial(pool).scores


def test_a_worker_that_cannot_start_is_told(
    data: Microdata, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with Pool(data, 1, ["sse-sst"], cores=1, seconds=60, megabytes=1e6) as pool:
        pool.start(TASK)
        assert "its process died" in next_trial(pool).reason


@pytest.fixture
def waiting(data: Microdata, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Pool, _Worker]]:
    """A pool with a trial that began 20 seconds ago in a process that does not exist."""
    monkeypatch.setattr(Pool, "_stop", lambda pool, worker: pool._workers.remove(worker))
    monkeypatch.setattr("discreet.exploring.worker_pool.LOOK_SECONDS", 0.0)
    with Pool(data, 1, ["sse-sst"], cores=1, seconds=60, megabytes=1e6) as pool:
        process: Any = SimpleNamespace(pid=0)
        worker = _Worker(process, TASK, time.monotonic() - 20, computed=3.0, ready=True)
        pool._workers.append(worker)
        yield pool, worker


def test_a_first_look_may_compute_for_its_time_however_busy_the_machine_is(
    waiting: tuple[Pool, _Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool, _ = waiting
    computed = 4.0
    monkeypatch.setattr("discreet.exploring.worker_pool.computing_seconds", lambda pid: computed)
    with pool.limited(10):
        assert not pool.wait(), "it computed for one second of twenty"
        computed = 13.5
        assert not pool.wait(), "nothing was measured so far"
        pool._quickest = 6.0
        assert not pool.wait(), "it may take twice as long as the quickest"
        pool._quickest = 1.0
        (trial,) = pool.wait()
        assert "longer than the 10 s" in trial.reason
        assert trial.seconds == 10.5
        assert not pool.would_go_further(trial), "another look would end as this one"
    assert pool.would_go_further(trial)


def test_a_first_look_that_waits_for_ever_ends(
    waiting: tuple[Pool, _Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool, worker = waiting
    monkeypatch.setattr(
        "discreet.exploring.worker_pool.computing_seconds", lambda pid: worker.computed
    )
    worker.started -= 20
    pool._quickest = 1.0
    with pool.limited(10):
        (trial,) = pool.wait()
    assert trial.stopped == "seconds"


def test_where_the_system_does_not_say_who_computed_the_time_itself_counts(
    waiting: tuple[Pool, _Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool, _ = waiting
    monkeypatch.setattr("discreet.exploring.worker_pool.computing_seconds", lambda pid: None)
    pool._quickest = 1.0
    with pool.limited(25):
        assert not pool.wait()
    with pool.limited(10):
        assert len(pool.wait()) == 1
