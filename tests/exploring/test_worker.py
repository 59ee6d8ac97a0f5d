"""Workers end with whoever started them, and one that dies takes no more than its trial along."""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import Microdata
from discreet.exploring.shared_table import Shared
from discreet.exploring.trial import Task, Trial
from discreet.exploring.worker import (
    READY,
    Looks,
    _rehearse,
    computing_seconds,
    receive,
    run_trial,
    send,
)

TASK = Task(({"individual-ranking": {}},))
# So many samples that nobody waits for the end.
ENDLESS = Task(({"resampling": {"samples": 10**9}},))


@pytest.fixture(scope="module")
def data() -> Microdata:
    values = np.random.default_rng(1).normal(size=200)
    return discreet.read({"age": values}, roles={"age": "quasi-identifier"})


def ends(process: subprocess.Popen[bytes], seconds: float = 30) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return False
    return True


def test_a_worker_in_the_middle_of_a_trial_ends_with_its_parent(data: Microdata) -> None:
    # A parent that is killed closes nothing itself; the system closes its end of the pipes.
    worker = subprocess.Popen(
        [sys.executable, "-m", "discreet.exploring.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    send(worker.stdin, (Shared(pickle.dumps(tuple(data))), 1, ("sse-sst",), (), pickle.dumps(())))
    send(worker.stdin, TASK)
    assert receive(worker.stdout) == READY
    assert receive(worker.stdout).scores
    send(worker.stdin, ENDLESS)
    time.sleep(0.3)
    assert worker.poll() is None
    worker.stdin.close()
    assert ends(worker)
    worker.stdout.close()


def test_a_message_that_was_cut_off_is_the_end() -> None:
    stream = io.BytesIO()
    send(stream, Trial(TASK, {"sse-sst": 0.5}))
    whole = stream.getvalue()
    assert receive(io.BytesIO(whole)) == Trial(TASK, {"sse-sst": 0.5})
    for length in (0, 3, 8, 20, len(whole) - 1):
        assert receive(io.BytesIO(whole[:length])) is None


def test_a_rehearsal_measures_few_records_and_stops_at_nothing(
    data: Microdata, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[tuple[int, list[str]]] = []

    def fails(original: Microdata, released: Microdata, measures: list[str], **_: object) -> None:
        measured.append((len(original), measures))
        raise RuntimeError("of the kind that a trial would report")

    monkeypatch.setattr("discreet.release.assessing.assess", fails)
    _rehearse(data, ["propensity"])
    assert measured == [(120, ["association", "propensity"])]


def test_what_gives_a_column_back_is_looked_for_once_for_all_trials(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from discreet.release import given_back

    age = np.random.default_rng(1).integers(18, 90, 500).astype(float)
    data = discreet.read(
        {"age": age, "born": 2026 - age, "pay": age[::-1]},
        roles={"quasi-identifier": ["age"], "confidential": ["born", "pay"]},
    )
    looked, look = [], given_back.look_among

    def counted(data: Microdata, protected: list[str], left: list[str], *others: Any) -> list[str]:
        looked.append((protected, left))
        return look(data, protected, left, *others)

    monkeypatch.setattr(given_back, "look_among", counted)
    looks: Looks = {}
    noise = {"additive-noise": {"columns": ["age"]}}
    trials = [run_trial(data, Task((noise,), n), 1, ["sse-sst"], (), looks) for n in range(3)]
    assert all("'born' is released as it is and gives back" in t.reason for t in trials)
    assert looked == [(["age"], ["born", "pay"])]
    allowed = run_trial(data, Task((noise,)), 1, ["sse-sst"], ("born",))
    assert allowed.reason == ""
    assert allowed.scores


@pytest.mark.skipif(computing_seconds(os.getpid()) is None, reason="the system does not say")
def test_what_a_process_computed_is_what_it_says_itself() -> None:
    # The system counts in hundredths of a second.
    before = time.process_time()
    told = computing_seconds(os.getpid())
    assert told is not None
    assert before - 0.1 <= told <= time.process_time() + 0.1
