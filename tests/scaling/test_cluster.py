"""The same release from a real Dask cluster over TCP, whatever happens to its workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import Client

from discreet.contracts import Progress
from discreet.errors import DataError, UsageError
from discreet.publishing.checksum import sha256
from discreet.release.plan import Plan
from discreet.scaling.cluster import DaskEngine, cluster_engine
from discreet.scaling.protecting import protect_large
from tests.scaling.people import LITTLE, written

STEPS = """
  - global-recoding: {k: 5, suppression: 0.02, columns: [age, sex, region]}
  - microaggregation: {partition: {mdav: {k: 5, blocks: 2000}}}
"""
ROWS = 70_000


def _started(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=Path(__file__).parents[2],  # where the tasks of this file are found
        env={**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "20"},
    )


def _worker(address: str, folder: Path) -> subprocess.Popen[bytes]:
    return _started(
        "worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard",
        "--local-directory", str(folder),
    )  # fmt: skip


class Cluster:
    """A scheduler and two workers, as somebody would start them by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        told = folder / "scheduler.json"
        self.scheduler = _started(
            "scheduler", "--host", "tcp://127.0.0.1", "--port", "0", "--no-dashboard",
            "--scheduler-file", str(told),
        )  # fmt: skip
        until = time.monotonic() + 120
        while not told.exists() and time.monotonic() < until:
            time.sleep(0.1)
        import json

        self.address: str = json.loads(told.read_text())["address"]
        self.workers = [_worker(self.address, folder) for _ in range(2)]
        self.client: Any = Client(self.address, timeout=120, set_as_default=False)
        self.client.wait_for_workers(2, timeout=240)

    def kill_one(self) -> None:
        """Kill a worker without warning, and start another in its place."""
        self.workers[0].send_signal(signal.SIGKILL)
        self.workers[0].wait()
        self.workers = [*self.workers[1:], _worker(self.address, self.folder)]

    def close(self) -> None:
        """End all that was started."""
        self.client.close()
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster for the tests of this file."""
    started = Cluster(tmp_path_factory.mktemp("cluster"))
    yield started
    started.close()


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """A plan, and its release made without a cluster."""
    folder = tmp_path_factory.mktemp("plan")
    plan = Plan.load(written(folder, STEPS, "claims: {k-anonymity: 5}", rows=ROWS))
    protect_large(plan, folder / "alone", seed=7, memory=LITTLE)
    return plan


def _same(plan: Plan, out: Path) -> bool:
    alone = plan.folder / "alone"
    return all(sha256(out / n) == sha256(alone / n) for n in ("release.parquet", "origin"))


@pytest.mark.timeout(600)
def test_two_workers_write_the_same_bytes(cluster: Cluster, plan: Plan, tmp_path: Path) -> None:
    engine = DaskEngine(cluster.client)
    protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE, engine=engine)
    assert _same(plan, tmp_path / "out")
    assert engine.described == "on 2 Dask workers"
    assert engine.at_once == 1


@pytest.mark.timeout(600)
def test_killed_workers_change_nothing(cluster: Cluster, plan: Plan, tmp_path: Path) -> None:
    over = threading.Event()

    def kill() -> None:
        for _ in range(3):
            if not over.wait(0.7):
                cluster.kill_one()

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        engine = DaskEngine(cluster.client)
        protect_large(plan, tmp_path / "out", seed=7, memory=LITTLE, engine=engine)
    finally:
        over.set()
        killer.join()
    assert _same(plan, tmp_path / "out")


def _fails(task: int) -> int:
    raise DataError(f"task {task} fails")


@pytest.mark.timeout(300)
def test_an_error_of_a_task_is_told(cluster: Cluster) -> None:
    cluster.client.wait_for_workers(1, timeout=120)
    with pytest.raises(DataError, match="task 3 fails"):
        DaskEngine(cluster.client).map(_fails, [3], "failing")


def test_what_was_asked_for() -> None:
    with cluster_engine(None, None, 10**9, Progress()) as engine:
        assert engine.described == "on this machine"
    with (
        pytest.raises(UsageError, match="either its scheduler or a number"),
        cluster_engine("tcp://127.0.0.1:1", 2, 10**9, Progress()),
    ):
        pass
