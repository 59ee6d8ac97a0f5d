"""A PostgreSQL server of the tests' own, on a private socket."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin")) if os.name == "posix" else []


def _program(program: str) -> str | None:
    path = os.pathsep.join([*(str(folder) for folder in reversed(PROGRAMS)), os.environ["PATH"]])
    return shutil.which(program, path=path)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Return the address of a new, empty database."""
    initdb, pg_ctl = _program("initdb"), _program("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip("PostgreSQL is not installed (Debian's package: postgresql)")
    # The server refuses to run as root; sockets have short paths.
    runuser = _program("runuser") or "/usr/sbin/runuser"
    user = [runuser, "-u", "postgres", "--"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        if user:
            shutil.chown(folder, "postgres")
        cluster = f"{folder}/data"

        def run(*command: str) -> None:
            subprocess.run([*user, *command], check=True, capture_output=True, cwd=folder)

        run(initdb, "-A", "trust", "-U", "tests", "-E", "UTF8", "--no-sync", "-D", cluster)
        options = f"-c listen_addresses= -c fsync=off -k {folder}"
        run(pg_ctl, "-w", "-D", cluster, "-o", options, "-l", f"{folder}/log", "start")
        try:
            yield f"postgresql:///postgres?host={folder}&user=tests"
        finally:
            run(pg_ctl, "-w", "-m", "immediate", "-D", cluster, "stop")
