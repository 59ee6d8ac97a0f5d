"""Requests to the studio without a server or a browser: they go straight to the application."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote, urlencode

from discreet.studio.application import application
from discreet.studio.guard import Guard
from discreet.studio.state import Studio

HOST = "127.0.0.1:8000"
SMALL = "people.csv"


@dataclass(frozen=True)
class Answer:
    """The response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")


class Client:
    """The browser's part: it keeps the cookie, sends the token, and follows redirects."""

    def __init__(self, folder: Path, **limits: int) -> None:
        self.studio = Studio(folder)
        self.app: Guard = application(self.studio, [HOST], **limits)

    def ask(
        self,
        method: str,
        address: str,
        body: bytes = b"",
        headers: Mapping[str, str | None] | None = None,
    ) -> Answer:
        """Send a request like our own page, unless the headers say otherwise; None omits one."""
        usual: dict[str, str | None] = {
            "host": HOST,
            "cookie": f"{self.studio.keys.cookie}={self.studio.keys.session}",
            "content-length": str(len(body)),
            "origin": f"http://{HOST}",
            "x-csrf-token": self.studio.keys.csrf,
        }
        given = {**usual, **(headers or {})}
        path, _, query = address.partition("?")
        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": quote(path).encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(k.encode(), v.encode()) for k, v in given.items() if v is not None],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8000),
        }
        return asyncio.run(_asked(self.app, scope, body))

    def get(self, address: str, **headers: str | None) -> Answer:
        """Get a page."""
        return self.ask("GET", address, headers=_dashed(headers))

    def post(self, address: str, fields: Mapping[str, Any] | None = None, **headers: Any) -> Answer:
        """Send a form."""
        body = urlencode(fields or {}, doseq=True).encode()
        return self.ask("POST", address, body, _dashed(headers))

    def finish(self, seconds: float = 240) -> Any:
        """Wait until no job is running, and return the latest."""
        end = time.monotonic() + seconds
        while self.studio.jobs.busy:
            assert time.monotonic() < end, "a job did not end"
            time.sleep(0.05)
        return self.studio.jobs._jobs[-1]


def _dashed(headers: Mapping[str, Any]) -> dict[str, str | None]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


async def _asked(app: Guard, scope: dict[str, Any], body: bytes) -> Answer:
    sent: list[dict[str, Any]] = []
    handed = False

    async def receive() -> dict[str, Any]:
        nonlocal handed
        if handed:
            await asyncio.Event().wait()
        handed = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(dict(message))

    await app(scope, receive, send)
    head = sent[0]
    headers = {k.decode().lower(): v.decode() for k, v in head["headers"]}
    return Answer(head["status"], headers, b"".join(m.get("body", b"") for m in sent[1:]))


def people(folder: Path, rows: int = 60) -> Path:
    """Write a small file of people, and return its path."""
    lines = ["name,age,sex,region,income,diagnosis"]
    draw = Random(1)
    for i in range(rows):
        sex, region = draw.choice("fm"), draw.choice(("north", "south", "west"))
        ill = draw.choice(("flu", "none", "asthma"))
        age, income = draw.randint(20, 69), draw.randint(1000, 4000)
        lines.append(f"person {i},{age},{sex},{region},{income},{ill}")
    path = folder / SMALL
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def opened(folder: Path, **limits: int) -> tuple[Client, str]:
    """Return a client with a small file opened, and the address of its work."""
    people(folder)
    client = Client(folder, **limits)
    answer = client.post("/open", {"place": SMALL})
    assert answer.status == 303, answer.text
    work = answer.headers["location"].removesuffix("/columns")
    client.studio.work(work.removeprefix("/w/")).table(60)
    return client, work
