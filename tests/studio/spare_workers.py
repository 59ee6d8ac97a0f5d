"""Workers that were kept ready for a job and not needed are kept for the next studio.

A studio keeps one for the next job, so every test of a job would start two, and each takes most of
a second to load what it needs.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from discreet.studio import jobs

Worker = subprocess.Popen[bytes]

close_and_end_spare = jobs.Jobs.close
"""What closing does outside of these tests."""


@contextmanager
def spare_workers_kept() -> Iterator[None]:
    """Hand the spare worker of a studio that is closed to the next one; end them all at last."""
    started: Callable[[], Worker] = jobs._worker
    kept: list[Worker] = []

    def worker() -> Worker:
        while kept:
            spare = kept.pop()
            if spare.poll() is None:
                return spare
        return started()

    def keep_spare_and_close(studio: jobs.Jobs) -> None:
        with studio._lock:
            studio._closed = True
            spare, studio._spare = studio._spare, None
        if spare is not None:
            kept.append(spare)
        close_and_end_spare(studio)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "_worker", worker)
        patch.setattr(jobs.Jobs, "close", keep_spare_and_close)
        yield
    for spare in kept:
        jobs._kill(spare)
        spare.communicate()
