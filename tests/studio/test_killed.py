"""A server that is killed at any moment, and started again, has lost nothing that was answered."""

from __future__ import annotations

import http.client
import random
import re
import signal
import threading
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from discreet.release.plan import Plan
from discreet.studio.history import History
from discreet.studio.work import Work
from tests.studio.browser import address_of, start
from tests.studio.client import people

KILLS = 3
COLUMNS = ("age", "sex", "region", "income")
ROLES = ("quasi-identifier", "confidential", "other")


class Session:
    """A browser's part over a real connection."""

    def __init__(self, address: str) -> None:
        split = urlsplit(address)
        self.host = split.netloc
        answer = self._ask("GET", f"{split.path}?{split.query}", "", {})
        self.cookie = str(answer[1]).split(";")[0]
        page = self._ask("GET", split.path, "", {"Cookie": self.cookie})[0]
        self.csrf = re.findall(r'name="csrf" content="([^"]+)"', page)[0]

    def post(self, path: str, fields: dict[str, str]) -> int:
        headers = {
            "Cookie": self.cookie,
            "Origin": f"http://{self.host}",
            "X-CSRF-Token": self.csrf,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        return self._ask("POST", path, urlencode(fields), headers)[2]

    def _ask(
        self, method: str, path: str, body: str, headers: dict[str, str]
    ) -> tuple[str, str | None, int]:
        connection = http.client.HTTPConnection(self.host, timeout=60)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.read().decode(), answer.getheader("set-cookie"), answer.status
        finally:
            connection.close()


def test_nothing_that_was_answered_is_lost(tmp_path: Path) -> None:
    draw = random.Random(7)
    plan = tmp_path / "people.csv.studio" / "plan.yaml"
    Work.begin(people(tmp_path), plan)
    answered: dict[str, str] = {}
    asked: dict[str, str] = {}
    for _ in range(KILLS):
        process = start(tmp_path, str(tmp_path / "people.csv"))
        session = Session(address_of(process))
        killer = threading.Timer(draw.uniform(0.3, 1.5), process.send_signal, [signal.SIGKILL])
        started = False
        try:
            while True:
                column, role = draw.choice(COLUMNS), draw.choice(ROLES)
                asked = {column: role}
                change = {"column": column, "key": "role", "value": role}
                status = session.post("/w/people.csv.studio/plan.yaml/columns/set", change)
                asked = {}
                if status == 200:
                    answered[column] = role
                    if not started:
                        killer.start()
                        started = True
        except (OSError, http.client.HTTPException):
            pass
        killer.join()
        process.wait(30)
        assert process.stdout is not None
        process.stdout.close()
        # The last change may have been made without an answer; all others are as answered.
        roles = Plan.load(plan).roles
        for column, role in answered.items():
            assert roles[column] in (role, asked.get(column))
        answered = {column: roles[column] for column in COLUMNS}
        history = History(plan)
        assert history.current.text == plan.read_text()
    assert len(History(plan).entries) > 1


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
