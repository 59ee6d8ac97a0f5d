"""Workers of a Dask cluster are killed at random moments, and the release must stay the same.

A scheduler and two workers are started over TCP, as one would start them by hand. The register
of `bench large` is protected without them, and then on them, while a worker is killed without
warning (SIGKILL) again and again, at random moments of the work, and replaced by a new one. All
parts of the release and the private origins must have the same bytes.

    python -m bench killed_workers              ten kills, 400,000 records
    python -m bench killed_workers --kills 20
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.large import PLAN, generate
from discreet.publishing.checksum import sha256
from discreet.release.plan import Plan
from discreet.scaling.cluster import DaskEngine
from discreet.scaling.protecting import protect_large

ROOT = Path(__file__).parents[1]
MEMORY = 600_000_000
"""Small, so that there are many tasks."""


def _started(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,  # where the tasks are found
        env={**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "50"},
    )


class Cluster:
    """A scheduler and two workers over TCP."""

    def __init__(self, folder: Path) -> None:
        from distributed import Client

        self.folder = folder
        scheduler_file = folder / "scheduler.json"
        self.scheduler = _started(
            "scheduler", "--host", "tcp://127.0.0.1", "--port", "0", "--no-dashboard",
            "--scheduler-file", str(scheduler_file),
        )  # fmt: skip
        until = time.monotonic() + 120
        while not scheduler_file.exists() and time.monotonic() < until:
            time.sleep(0.1)
        self.address: str = json.loads(scheduler_file.read_text())["address"]
        self.workers = [self._worker() for _ in range(2)]
        self.client: Any = Client(self.address, timeout=120, set_as_default=False)
        self.client.wait_for_workers(2, timeout=240)

    def _worker(self) -> subprocess.Popen[bytes]:
        return _started(
            "worker", self.address, "--no-nanny", "--nthreads", "1", "--no-dashboard",
            "--local-directory", str(self.folder),
        )  # fmt: skip

    def kill_one(self) -> None:
        """Kill a worker without warning, and start another in its place."""
        self.workers[0].send_signal(signal.SIGKILL)
        self.workers[0].wait()
        self.workers = [*self.workers[1:], self._worker()]

    def close(self) -> None:
        """End everything that was started."""
        self.client.close()
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@contextmanager
def killing(cluster: Cluster, kills: int, apart: float, seed: int) -> Iterator[list[float]]:
    """Kill workers while a block of code runs, at random moments, on average `apart` seconds apart.

    The list that it yields collects these moments, in seconds.
    """
    over, moments, draws = threading.Event(), list[float](), random.Random(seed)
    started = time.monotonic()

    def kill() -> None:
        while len(moments) < kills and not over.wait(draws.uniform(0.2, 2 * apart)):
            cluster.kill_one()
            moments.append(time.monotonic() - started)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        yield moments
    finally:
        over.set()
        killer.join()


def same(first: Path, second: Path) -> bool:
    """Whether two releases have the same bytes, and the same private origins."""
    return all(sha256(first / n) == sha256(second / n) for n in ("release.parquet", "origin"))


def main(arguments: Sequence[str] = ()) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--records", type=int, default=400_000)
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    parser.add_argument("--quick", action="store_true", help="two kills, 100,000 records")
    given = parser.parse_args(list(arguments))
    kills, records = (2, 100_000) if given.quick else (given.kills, given.records)
    with tempfile.TemporaryDirectory(prefix="killed-") as name:
        folder = Path(name)
        generate(folder / "register.parquet", records)
        (folder / "plan.yaml").write_text(PLAN, encoding="utf-8")
        plan = Plan.load(folder / "plan.yaml")
        began = time.monotonic()
        protect_large(plan, folder / "alone", seed=7, memory=MEMORY)
        alone = took = time.monotonic() - began
        cluster = Cluster(folder)
        runs, left = 0, kills
        try:
            while left:
                runs += 1
                out = folder / f"run-{runs}"
                # As often as a run allows: it should take about as long as the one before, less on
                # a free machine.
                began, apart = time.monotonic(), min(took, alone) / (kills + 1)
                with killing(cluster, left, apart, given.seed + runs) as moments:
                    engine = DaskEngine(cluster.client)
                    protect_large(plan, out, seed=7, memory=MEMORY, engine=engine)
                listed = ", ".join(f"{moment:.1f}" for moment in moments)
                verdict = "the same bytes" if same(folder / "alone", out) else "OTHER BYTES"
                print(
                    f"run {runs}: workers killed after {listed or 'none'} s: {verdict}", flush=True
                )
                left -= len(moments)
                took = time.monotonic() - began
        finally:
            cluster.close()
    print(f"{kills} workers killed in {runs} runs of {records:,} records ({alone:.0f} s alone)")


if __name__ == "__main__":
    main(sys.argv[1:])
