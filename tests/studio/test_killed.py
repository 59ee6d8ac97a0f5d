"""A server that is killed at any moment, and started again, has lost nothing that was answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.studio.browser import address_of, start
from tests.studio.client import people
from tests.studio.killing import PLACE, Session, kill_at_random

KILLS = 2
"""`python -m bench studio kills` does it twenty times."""


def test_nothing_that_was_answered_is_lost(tmp_path: Path) -> None:
    assert kill_at_random(tmp_path, KILLS, seed=7) > 1


def test_the_server_ends_when_asked_and_has_told_nobody_of_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCREET_LOG", "debug")
    file = people(tmp_path)
    process = start(tmp_path, str(file))
    session = Session(address_of(process))
    change = {"column": "age", "key": "kind", "value": "nominal"}
    for path, fields in (
        (f"{PLACE}/columns/set", change),
        (f"{PLACE}/columns/missing", {"column": "age", "codes": "[asthma"}),
        (f"{PLACE}/columns/order", {"column": "diagnosis", "order": "asthma"}),
        (f"{PLACE}/hierarchy/text", {"column": "region", "text": "north;n\nnorth;s"}),
        (f"{PLACE}/protect/preview", {}),
        ("/open", {"place": "person 7"}),
    ):
        session.post(path, fields)
    socket = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    assert session.ask("GET", "/", "", socket)[2] == 403
    assert session.post("/quit", {}) == 200
    assert process.wait(60) == 0
    assert process.stdout is not None
    said = process.stdout.read()
    process.stdout.close()
    values = {cell for line in file.read_text().splitlines()[1:] for cell in line.split(",")}
    assert not [
        value for value in values if not value.isdigit() and len(value) > 1 and value in said
    ]
    logs = [p for p in tmp_path.rglob("*") if p.suffix == ".log"]
    assert not logs


def test_the_server_ends_when_nobody_asks(tmp_path: Path) -> None:
    process = start(tmp_path, "--idle", "0.0001")
    address_of(process)
    assert process.wait(60) == 0
    assert process.stdout is not None
    process.stdout.close()
