"""Long work runs beside the server: progress, cancelling, failing, and ending with it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import discreet
from discreet.studio.job_process import UNEXPECTED
from discreet.studio.jobs import CANCELLED, FAILED, Jobs
from discreet.studio.pages.jobs import ROUTES
from discreet.studio.tasks import TASKS
from discreet.studio.telling import Telling
from tests.studio.client import Client, opened
from tests.studio.spare_workers import close_and_end_spare


def test_a_job_that_is_cancelled_leaves_nothing(tmp_path: Path) -> None:
    client, work = opened(tmp_path)
    client.post(f"{work}/protect/run")
    [job] = client.studio.jobs.of(work.removeprefix("/w/"))
    again = client.post(f"{work}/protect/run")
    assert (again.status, "already" in again.text) == (422, True)
    client.post(f"{work}/cancel", {"job": job.number})
    assert client.finish().state == CANCELLED
    assert not (tmp_path / "people.csv.studio" / "tried").exists()
    client.studio.close()


def test_a_plan_that_the_gate_refuses_says_why(tmp_path: Path) -> None:
    client, work = opened(tmp_path)
    client.post(f"{work}/protect/claim", {"measure": "k-anonymity", "bound": "40"})
    client.post(f"{work}/protect/run")
    job = client.finish()
    assert job.state == FAILED
    assert "k-anonymity" in job.error
    assert "Nothing was released" in client.get(f"{work}/protect").text
    client.studio.close()


def test_a_worker_that_dies_is_a_failure(tmp_path: Path) -> None:
    jobs = Jobs()
    job = jobs.start("protect", "w", plan="none", number=1, entry=1)
    os.kill(job.process.pid, 9)
    end = time.monotonic() + 60
    while jobs.busy and time.monotonic() < end:
        time.sleep(0.05)
    assert (job.state, job.error[:8]) == (FAILED, "the job ")
    jobs.close()


def test_a_spare_worker_ends_when_the_studio_is_closed() -> None:
    jobs = Jobs()
    jobs.prepare()
    spare = jobs._spare
    assert spare is not None
    assert spare.poll() is None
    close_and_end_spare(jobs)
    assert spare.returncode is not None
    jobs.prepare()
    assert jobs._spare is None


def test_a_worker_ends_with_its_server() -> None:
    worker = subprocess.Popen(
        [sys.executable, "-m", "discreet.studio.job_process"], stdin=subprocess.PIPE
    )
    assert worker.stdin is not None
    worker.stdin.close()
    assert worker.wait(60) == 0


def test_a_worker_does_its_job_and_tells_it() -> None:
    """What the worker's process does, seen from within."""
    told = io.StringIO()
    tell = Telling(told)
    data = discreet.read({"age": list(range(20, 40))}, roles={"age": "quasi-identifier"})
    made = TASKS["preview"](tell=tell, data=data, steps=[discreet.Rounding(base=5)], text="steps")
    assert made["text"] == "steps"
    assert [step["name"] for step in made["whole"]["columns"]] == ["age"]
    assert set(made["exposure"]) == {"before", "after"}
    lines = [json.loads(line) for line in told.getvalue().splitlines()]
    assert {"stage": "protecting"} in lines
    assert UNEXPECTED.format("ValueError").startswith("this should not")


def test_what_is_at_work_is_shown(tmp_path: Path) -> None:
    client, work = opened(tmp_path)
    assert ("GET", "/w/{plan:path}/jobs") in [route[:2] for route in ROUTES]
    client.post(f"{work}/risk/look")
    assert "Cancel" in client.get(f"{work}/jobs").text
    client.studio.close()
    assert "cancelled" in client.get(f"{work}/jobs").text


def test_lines_of_a_worker_move_the_job(tmp_path: Path) -> None:
    jobs = Jobs()
    job = jobs.start("verify", "w", target=str(tmp_path))
    job.take({"stage": "measuring"})
    job.take({"task": "assessing", "done": 0.5})
    job.began = time.monotonic() - 10
    assert job.for_page()["done"] == 0.5
    assert 9 <= (job.left or 0) <= 11
    jobs.close()
    assert Client(tmp_path).studio.jobs.busy is False
