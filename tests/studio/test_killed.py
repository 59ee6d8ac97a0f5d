"""A server that is killed at any moment, and started again, has lost nothing that was answered."""

from __future__ import annotations

from pathlib import Path

from tests.studio.browser import address_of, start
from tests.studio.killing import Session, kill_at_random

KILLS = 3
"""`python -m bench studio kills` does it twenty times."""


def test_nothing_that_was_answered_is_lost(tmp_path: Path) -> None:
    assert kill_at_random(tmp_path, KILLS, seed=7) > 1


def test_the_server_ends_when_asked(tmp_path: Path) -> None:
    process = start(tmp_path)
    session = Session(address_of(process))
    assert session.post("/quit", {}) == 200
    assert process.wait(60) == 0
    assert process.stdout is not None
    process.stdout.close()


def test_the_server_ends_when_nobody_asks(tmp_path: Path) -> None:
    process = start(tmp_path, "--idle", "0.0001")
    address_of(process)
    assert process.wait(60) == 0
    assert process.stdout is not None
    process.stdout.close()
