"""Tasks on the workers of a Dask cluster: an existing one, or one of processes on this machine.

Workers read the file and write their part of the outcome in the folder of the release, so all of
them must see both under the same paths: one machine, or a file system that they share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from discreet.contracts import Progress
from discreet.errors import DataError, UsageError
from discreet.io.extras import needing
from discreet.scaling.engine import Engine

A = TypeVar("A")
B = TypeVar("B")

RETRIES = 3
"""How often a task that fails for lack of a file or of memory is retried."""
LOST = 10
"""How many workers a task may lose before it is taken to be the cause."""


class DaskEngine(Engine):
    """Runs tasks on the workers of a `distributed.Client`.

    A worker that dies in the middle of a task changes nothing: the scheduler gives its tasks to
    another one, which writes the same bytes to the same files.
    """

    def __init__(self, client: Any, progress: Progress | None = None) -> None:
        super().__init__(progress)
        self.client = client
        self.workers = client.scheduler_info(n_workers=-1)["workers"]
        if not self.workers:
            raise DataError(
                "the Dask cluster has no workers; start some with 'dask worker ADDRESS', or wait "
                "until the queue has started them"
            )

    @property
    def described(self) -> str:
        """Where it runs, in a few words."""
        return f"on {len(self.workers)} Dask workers"

    @property
    def at_once(self) -> int:
        """How many tasks one worker runs at once, within its memory."""
        return max(int(worker.get("nthreads", 1)) for worker in self.workers.values())

    def run(
        self, function: Callable[[A], B], tasks: Sequence[A], done: Callable[[], None]
    ) -> list[B]:
        """Return the outcome of each task, in their order."""
        from distributed import as_completed

        futures = self.client.map(function, tasks, pure=False, retries=RETRIES, batch_size=32)
        for future in as_completed(futures, loop=self.client.loop):
            if future.status != "finished":
                try:
                    _explain(future)
                finally:
                    self.client.cancel(futures)
            done()
        outcome: list[B] = self.client.gather(futures)
        return outcome


def _explain(future: Any) -> None:
    """Raise the error of a failed task; a lost worker is reported in a sentence."""
    from distributed import KilledWorker

    try:
        future.result()
    except KilledWorker:
        raise DataError(
            "the workers of the Dask cluster died repeatedly on the same task, most likely "
            "because they ran out of memory; give them more memory, or use more workers with "
            "fewer threads each"
        ) from None


@contextmanager
def cluster_engine(
    scheduler: str | None, workers: int | None, limit: int, progress: Progress
) -> Iterator[Engine]:
    """Yield the engine that was asked for: a cluster at an address, local workers, or none.

    `limit` is the memory of all of the work in bytes; local workers share it.
    """
    if scheduler is None and workers is None:
        yield Engine(progress)
        return
    if scheduler is not None and workers is not None:
        raise UsageError(
            "a cluster has its own workers: give either its scheduler or a number of workers on "
            "this machine, not both"
        )
    with needing("cluster", "working on a Dask cluster"):
        import dask
        from distributed import Client, LocalCluster

    if scheduler is not None:
        try:
            client = Client(scheduler, timeout=20, set_as_default=False)
        except (OSError, ValueError, TimeoutError):
            raise UsageError(
                f"no Dask scheduler answers at '{scheduler}'; give the address that 'dask "
                "scheduler' printed, such as tcp://10.0.0.5:8786"
            ) from None
        with client:
            yield DaskEngine(client, progress)
        return
    settings = {"distributed.scheduler.allowed-failures": LOST}
    with (
        dask.config.set(settings),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs="ERROR",
            memory_limit=max(limit // (workers or 1), 10**9),
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield DaskEngine(client, progress)
