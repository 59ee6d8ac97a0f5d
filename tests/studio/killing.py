"""Killing the server at random moments, and checking what is left."""

from __future__ import annotations

import http.client
import random
import re
import signal
import threading
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from discreet.publishing.verifying import verify
from discreet.release.plan import Plan
from discreet.studio.history import History
from discreet.studio.tries import Tries
from discreet.studio.work import Work
from tests.studio.browser import address_of, start
from tests.studio.client import people

COLUMNS = ("age", "sex", "region", "income")
ROLES = ("quasi-identifier", "confidential", "other")
PLACE = "/w/people.csv.studio/plan.yaml"
EARLIEST, LATEST = 0.3, 1.5
"""The range of seconds after the first answer in which a kill comes."""


class Session:
    """The browser's part over a real connection."""

    def __init__(self, address: str) -> None:
        split = urlsplit(address)
        self.host = split.netloc
        answer = self.ask("GET", f"{split.path}?{split.query}", "", {})
        self.cookie = str(answer[1]).split(";")[0]
        page = self.ask("GET", split.path, "", {"Cookie": self.cookie})[0]
        self.csrf = re.findall(r'name="csrf" content="([^"]+)"', page)[0]

    def post(self, path: str, fields: dict[str, str]) -> int:
        headers = {
            "Cookie": self.cookie,
            "Origin": f"http://{self.host}",
            "X-CSRF-Token": self.csrf,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        return self.ask("POST", path, urlencode(fields), headers)[2]

    def ask(
        self, method: str, path: str, body: str, headers: dict[str, str]
    ) -> tuple[str, str | None, int]:
        connection = http.client.HTTPConnection(self.host, timeout=60)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.read().decode(), answer.getheader("set-cookie"), answer.status
        finally:
            connection.close()


def kill_at_random(folder: Path, kills: int, seed: int, latest: float = LATEST) -> int:
    """Kill a server that is in use, again and again; return how many plans there are.

    Everything that was acknowledged must be there afterwards. In every other round the plan is
    being run when the kill comes: a try is there completely or not at all.
    """
    draw = random.Random(seed)
    plan = folder / "people.csv.studio" / "plan.yaml"
    Work.begin(people(folder), plan)
    answered: dict[str, str] = {}
    for number in range(kills):
        process = start(folder, str(folder / "people.csv"))
        session = Session(address_of(process))
        asked: dict[str, str] = {}
        after = draw.uniform(EARLIEST, latest)
        killer = threading.Timer(after, process.send_signal, [signal.SIGKILL])
        started = False
        try:
            while True:
                column, role = draw.choice(COLUMNS), draw.choice(ROLES)
                asked = {column: role}
                change = {"column": column, "key": "role", "value": role}
                status = session.post(f"{PLACE}/columns/set", change)
                asked = {}
                if status == 200:
                    answered[column] = role
                    if not started:
                        if number % 2:
                            session.post(f"{PLACE}/protect/run", {})
                        killer.start()
                        started = True
        except (OSError, http.client.HTTPException):
            pass
        killer.join()
        process.wait(30)
        assert process.stdout is not None
        process.stdout.close()
        # The last change may have been made without an answer; all others are as acknowledged.
        roles = Plan.load(plan).roles
        for column, role in answered.items():
            assert roles[column] in (role, asked.get(column)), (number, column)
        answered = {column: roles[column] for column in COLUMNS}
        assert History(plan).current.text == plan.read_text()
        tries = Tries(plan.parent)
        for outcome in tries.all():
            assert outcome.error or verify(tries.directory(outcome.number)).holds
    return len(History(plan).entries)
