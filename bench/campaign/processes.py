"""Processes that are started to be killed, and what they leave behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from bench.campaign.faults import Fault

DYING = 10.0
"""Seconds within which everything that a killed process started must have ended."""


def start_cold(arguments: Sequence[str], folder: Path) -> int:
    """Start the command as a user does, in its own session; return its process id."""
    with (folder / "said").open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "discreet.cli.main", *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**os.environ, "TMPDIR": str(folder / "temporary")},
            start_new_session=True,
        )
    # The process is waited for by its id; the object must not wait for it too.
    process.returncode = 0
    return process.pid


def start_warm(
    arguments: Sequence[str], folder: Path, first: Callable[[], None] | None = None
) -> int:
    """Start the command in a fork of this process, which has loaded everything already."""
    child = os.fork()
    if child:
        return child
    try:
        os.setsid()
        os.chdir(folder)
        os.environ["TMPDIR"] = str(folder / "temporary")
        output = os.open(folder / "said", os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
        os.dup2(output, 1)
        os.dup2(output, 2)
        sys.stdout = os.fdopen(1, "w", closefd=False)
        sys.stderr = os.fdopen(2, "w", closefd=False)
        os.umask(0o022)
        if first is not None:
            first()
        from discreet.cli.main import run

        code = run(list(arguments))
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    finally:
        os._exit(99)


def kill_after(child: int, seconds: float) -> int | None:
    """Kill a process after this time; return its exit code if it had ended before."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(min(0.002, seconds / 10))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return None if code == -signal.SIGKILL else code


def wait_for(child: int, seconds: float) -> int:
    """Return the exit code of a process, which must end within this time."""
    code = kill_after(child, seconds)
    if code is None:
        raise Fault("a command takes too long", f"more than {seconds:g} s")
    return code


def refuse_survivors(session: int, folder: Path, attempted: str) -> None:
    """Raise a fault if a process of the session, or one in the folder, outlives its leader.

    Workers have sessions of their own; they work in the folder in which they were started.
    """
    end = time.monotonic() + DYING
    while left := _members(session, folder):
        if time.monotonic() > end:
            for process in left:
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            raise Fault(f"{attempted}: what a killed run started goes on", f"{len(left)} processes")
        time.sleep(0.02)


def _members(session: int, folder: Path) -> list[int]:
    processes, place = [], os.path.realpath(folder)
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError, IndexError):
            fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
            # A process that has ended no longer has a folder.
            if fields[0] != "Z" and (
                int(fields[3]) == session or os.readlink(f"/proc/{name}/cwd") == place
            ):
                processes.append(int(name))
    return [process for process in processes if process != os.getpid()]


def refuse_readable(folder: Path, allowed: set[str], attempted: str) -> None:
    """Raise a fault if others may read a file that is not among those allowed, by relative path."""
    for path in _readable(folder, folder):
        name = path.relative_to(folder).as_posix()
        if name not in allowed and path.stat().st_size:
            raise Fault(f"{attempted}: others may read what a killed run left", name)


def _readable(folder: Path, root: Path) -> list[Path]:
    """Return the files below that others may read, by their modes and those of their folders."""
    readable = []
    if folder != root and not folder.stat().st_mode & 0o005:
        return []
    for path in folder.iterdir():
        if path.is_symlink():
            continue
        if path.is_dir():
            readable += _readable(path, root)
        elif path.stat().st_mode & 0o044:
            readable.append(path)
    return readable
