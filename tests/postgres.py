"""Fixture: an empty database of a PostgreSQL server of the tests' own, on a private socket.

The server is started once for all tests; each file of tests that uses it finds an empty database.
"""

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
def postgres_server() -> Iterator[str]:
    """The folder of the socket of a running server."""
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
            yield folder
        finally:
            run(pg_ctl, "-w", "-m", "immediate", "-D", cluster, "stop")


@pytest.fixture(scope="module")
def postgres(postgres_server: str) -> Iterator[str]:
    """The address of an empty database, which is emptied again after the tests of a file."""
    from adbc_driver_postgresql import dbapi

    def address(database: str) -> str:
        return f"postgresql:///{database}?host={postgres_server}&user=tests"

    yield address("postgres")
    with (
        dbapi.connect(address("template1"), autocommit=True) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute("drop database postgres with (force)")
        cursor.execute("create database postgres")
