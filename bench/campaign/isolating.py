"""A piece of work in a process of its own, whose crash does not end the campaign."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")
GIGABYTES = 4


class Died(Exception):
    """The process ended without an answer."""


def isolated(work: Callable[[], Result], folder: Path, seconds: float) -> Result:
    """Do the work in a forked process; raise `Died` if it crashes or exceeds the time."""
    folder.mkdir(parents=True, exist_ok=True)
    answer = folder / "answer"
    answer.unlink(missing_ok=True)
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        _serve(work, answer)
    try:
        status = _wait(child, seconds)
    except BaseException:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        raise
    if status is None:
        raise Died(f"no answer within {seconds:g} s")
    if os.WIFSIGNALED(status):
        raise Died(f"ended by {signal.Signals(os.WTERMSIG(status)).name}")
    if not answer.exists():
        raise Died(f"left with status {os.WEXITSTATUS(status)}")
    result: Result | BaseException = pickle.loads(answer.read_bytes())
    answer.unlink()
    if isinstance(result, BaseException):
        raise result
    return result


def _serve(work: Callable[[], Result], answer: Path) -> None:
    """Work and answer, in the forked process."""
    code = 1
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        hold_memory(GIGABYTES)
        result: object
        try:
            result = work()
        except Exception as error:
            import traceback

            traceback.print_exc()
            result = RuntimeError(f"the campaign itself broke off: {error!r}")
        content = pickle.dumps(result)
        answer.with_suffix(".new").write_bytes(content)
        answer.with_suffix(".new").rename(answer)
        code = 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def hold_memory(gigabytes: float) -> None:
    """Allow this process only this much more memory than it has now."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    most = pages * os.sysconf("SC_PAGE_SIZE") + int(gigabytes * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _wait(child: int, seconds: float) -> int | None:
    end = time.monotonic() + seconds
    pause = 0.001
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(pause)
        pause = min(0.1, 1.5 * pause)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None
