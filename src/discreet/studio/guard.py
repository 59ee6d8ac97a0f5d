"""The guard in front of every page: who may ask, from where, and how much.

Only this machine is listened to, but any page in the steward's browser, and any program of another
user, can reach it. So a request must name this host (a foreign name would be DNS rebinding), carry
the cookie that the opened address was exchanged for, and, if it changes anything, come from our own
pages with their token. Replies are not cached, run no script but ours, and cannot be framed.
"""

from __future__ import annotations

import hmac
import os
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, quote

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

UPLOAD = "/upload"
FORM_BYTES = 4_000_000
UPLOAD_BYTES = 4_000_000_000
SAFE = ("GET", "HEAD")
LONGEST_LENGTH = 20
"""The most digits of a stated length; Python refuses to read a number with thousands of them."""
TOO_LARGE = "At most {:,} bytes are accepted."
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "font-src 'none'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'self'; sandbox"
)
"""Reports carry their style within them, and no script; they may be shown inside our own pages."""
HEADERS = {
    "content-security-policy": POLICY,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


@dataclass
class Secrets:
    """The secret that only the steward's browser knows; a new one at every start.

    The cookie's name differs too: a browser sends a cookie to every port of a machine, so that a
    second studio would otherwise shut the first one's pages out.
    """

    cookie: str = field(default_factory=lambda: f"discreet-studio-{secrets.token_hex(4)}")
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    csrf: str = field(default_factory=lambda: secrets.token_urlsafe(32))


class TooLarge(Exception):
    """A request body is larger than allowed."""


class Guard:
    """Stands before an application and lets through what is allowed."""

    def __init__(
        self,
        application: Application,
        keys: Secrets,
        hosts: Iterable[str],
        *,
        form_bytes: int = FORM_BYTES,
        upload_bytes: int = UPLOAD_BYTES,
    ) -> None:
        self._application, self._keys = application, keys
        self._hosts = frozenset(hosts)
        self._form_bytes, self._upload_bytes = form_bytes, upload_bytes
        self.last_request = time.monotonic()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._application(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = _headers(scope)
        refusal = self._refused(scope, headers)
        if refusal:
            await _plain(send, *refusal)
            return
        query = parse_qs(scope["query_string"].decode("latin-1"))
        if "token" in query:
            await self._admit(scope, send, query["token"][-1])
            return
        if not self._known(headers):
            words = "This page belongs to an earlier run of the studio. Open it from the address "
            await _plain(send, 403, words + "that 'discreet studio' printed.")
            return
        if not scope["path"].endswith("/events"):
            self.last_request = time.monotonic()
        limit = self._upload_bytes if scope["path"] == UPLOAD else self._form_bytes
        if int(headers.get("content-length") or 0) > limit:
            await _plain(send, 413, TOO_LARGE.format(limit))
            return
        started = False

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message = {**message, "headers": _with_defaults(message.get("headers", ()))}
            await send(message)

        try:
            await self._application(scope, _limited(receive, limit), guarded)
        except Exception:
            # The framework has sent its page, which names the kind of the error alone, and raises
            # again for a log; a log might keep a record's value.
            if os.environ.get("DISCREET_DEBUG") or not started:
                raise

    def _refused(self, scope: Message, headers: dict[str, str]) -> tuple[int, str] | None:
        """Return why a request is refused, whoever sends it; None if it is not refused."""
        host = headers.get("host", "")
        if host not in self._hosts:
            return 421, "The studio answers only under its own address."
        if scope["method"] not in (*SAFE, "POST", "PUT"):
            return 405, "There is no such page."
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit() and len(length) < LONGEST_LENGTH):
            return 400, "The request cannot be understood."
        if scope["method"] in SAFE:
            foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
            # A link on a foreign page may lead here, but not with our cookie, which is strict.
            if foreign and headers.get("sec-fetch-mode", "navigate") != "navigate":
                return 403, "Requests from other pages are refused."
            return None
        if headers.get("origin") != f"http://{host}":
            return 403, "Changes are accepted only from the studio's own pages."
        return None

    def _known(self, headers: dict[str, str]) -> bool:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        name = self._keys.cookie
        given = cookies[name].value if name in cookies else ""
        return hmac.compare_digest(given.encode(), self._keys.session.encode())

    async def _admit(self, scope: Message, send: Send, token: str) -> None:
        """Exchange the token of the opened address for a cookie, and remove it from the address."""
        if not hmac.compare_digest(token.encode(), self._keys.token.encode()):
            await _plain(send, 403, "This is not the address of the running studio.")
            return
        keys = self._keys
        cookie = f"{keys.cookie}={keys.session}; HttpOnly; SameSite=Strict; Path=/"
        headers = [
            (b"set-cookie", cookie.encode()),
            (b"content-type", b"text/html; charset=utf-8"),
        ]
        # A page that leads on, not a redirect: a strict cookie does not follow a redirect that
        # began elsewhere, such as in a mail or a terminal.
        # Two slashes at the start would name another host.
        target = quote("/" + scope["path"].lstrip("/"))
        page = (
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>discreet</title>'
            f'<meta http-equiv="refresh" content="0;url={target}"></head>'
            f'<body><p><a href="{target}">discreet studio</a></p></body></html>'
        )
        await send(
            {"type": "http.response.start", "status": 200, "headers": _with_defaults(headers)}
        )
        await send({"type": "http.response.body", "body": page.encode()})


def _headers(scope: Message) -> dict[str, str]:
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}


def _with_defaults(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    given = [(name.lower(), value) for name, value in headers]
    stated = {name.decode("latin-1") for name, _ in given}
    added = [(k.encode(), v.encode()) for k, v in HEADERS.items() if k not in stated]
    return [*given, *added]


def _limited(receive: Receive, most: int) -> Receive:
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise TooLarge(TOO_LARGE.format(most))
        return message

    return counted


async def _plain(send: Send, status: int, words: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send(
        {"type": "http.response.start", "status": status, "headers": _with_defaults(headers)}
    )
    await send({"type": "http.response.body", "body": words.encode()})
