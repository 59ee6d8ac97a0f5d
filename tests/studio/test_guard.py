"""Each point of the security of the studio, tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.studio.guard import POLICY
from tests.studio.client import HOST, Client, opened


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(tmp_path, form_bytes=2000, upload_bytes=5000)


def test_the_page_is_shown_to_its_own_browser(client: Client) -> None:
    assert client.get("/").status == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "192.168.1.5:8000", "localhost:9", ""]
)
def test_another_host_is_refused(client: Client, host: str) -> None:
    answer = client.get("/", host=host)
    assert answer.status == 421
    assert "people" not in answer.text


@pytest.mark.parametrize("cookie", [None, "{name}=guessed", "{name}=", "other=1", "\x00;=;;"])
def test_without_the_cookie_nothing_is_shown(client: Client, cookie: str | None) -> None:
    given = cookie and cookie.format(name=client.studio.keys.cookie)
    assert client.get("/", cookie=given).status == 403
    assert client.post("/demo", cookie=given).status == 403
    assert not list(client.studio.places.root.iterdir())


def test_the_token_becomes_a_strict_cookie_and_leaves_the_address(client: Client) -> None:
    answer = client.get(f"/?token={client.studio.keys.token}", cookie=None)
    cookie = answer.headers["set-cookie"]
    assert client.studio.keys.session in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "url=/" in answer.text
    assert client.studio.keys.token not in answer.text


def test_two_studios_do_not_shut_each_other_out(client: Client) -> None:
    other = Client(client.studio.places.root)
    jar = [f"{c.studio.keys.cookie}={c.studio.keys.session}" for c in (client, other)]
    assert client.get("/", cookie="; ".join(jar)).status == 200
    assert other.get("/", cookie="; ".join(jar)).status == 200
    assert other.get("/", cookie=jar[0]).status == 403


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("//evil.example/", "/evil.example/"),
        ("/\\evil.example", "/%5Cevil.example"),
        ('/w/50% of "all" #1.csv.studio/plan.yaml/columns',
         "/w/50%25%20of%20%22all%22%20%231.csv.studio/plan.yaml/columns"),
    ],
)  # fmt: skip
def test_the_token_leads_to_no_other_place(client: Client, path: str, leads_to: str) -> None:
    answer = client.get(f"{path}?token={client.studio.keys.token}", cookie=None)
    assert f'content="0;url={leads_to}"' in answer.text


def test_a_wrong_token_gives_no_cookie(client: Client) -> None:
    answer = client.get("/?token=guessed", cookie=None)
    assert answer.status == 403
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", f"https://{HOST}"])
def test_changes_come_from_our_own_pages_only(client: Client, origin: str | None) -> None:
    assert client.post("/demo", origin=origin).status == 403
    assert not list(client.studio.places.root.iterdir())


@pytest.mark.parametrize("token", [None, "", "guessed"])
def test_every_change_carries_the_token_of_the_page(client: Client, token: str | None) -> None:
    assert client.post("/demo", x_csrf_token=token).status == 403
    assert client.ask("PUT", "/upload?name=a.csv", b"a\n1", {"x-csrf-token": token}).status == 403
    assert not list(client.studio.places.root.iterdir())


def test_every_address_that_changes_something_needs_the_token(tmp_path: Path) -> None:
    from discreet.studio.application import routes

    client, work = opened(tmp_path)
    before = (tmp_path / "people.csv.studio" / "plan.yaml").read_text()
    for method, path, _ in routes():
        if method == "POST":
            address = path.replace("/w/{plan:path}", work)
            assert client.post(address, {"number": 1}, x_csrf_token="guessed").status == 403
    assert (tmp_path / "people.csv.studio" / "plan.yaml").read_text() == before


def test_scripts_of_other_pages_may_not_ask(client: Client) -> None:
    foreign = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert client.ask("GET", "/static/style.css", headers=foreign).status == 403


@pytest.mark.parametrize("method", ["DELETE", "OPTIONS", "TRACE", "PATCH"])
def test_other_methods_are_refused(client: Client, method: str) -> None:
    assert client.ask(method, "/").status == 405


@pytest.mark.parametrize("address", ["/", "/static/studio.js", "/nothing", "/w/none/columns"])
def test_every_reply_is_neither_kept_nor_framed_nor_runs_foreign_script(
    client: Client, address: str
) -> None:
    headers = client.get(address).headers
    assert headers["cache-control"] == "no-store"
    assert headers["content-security-policy"] == POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "server" not in headers


def test_the_policy_has_no_way_for_inline_script() -> None:
    assert "unsafe" not in POLICY
    assert "default-src 'none'" in POLICY
    assert "frame-ancestors 'none'" in POLICY


def test_pages_have_no_inline_script_or_style(tmp_path: Path) -> None:
    client, work = opened(tmp_path)
    pages = ("columns", "risk", "protect", "compare", "release", "plan")
    for text in [client.get(f"{work}/{name}").text for name in pages] + [client.get("/").text]:
        assert " style=" not in text
        assert " on" not in [word[:3] for word in text.split('"') if word.startswith(" on")]
        for part in text.split("<script")[1:]:
            assert part.startswith(' src="/static/')


def test_a_large_body_is_refused_before_it_is_read(client: Client) -> None:
    assert client.post("/open", {"place": "x" * 3000}).status == 413
    # A length that is not stated, or is stated too small, does not help.
    answer = client.ask("POST", "/open", b"x" * 3000, {"content-length": "10"})
    assert answer.status == 413
    for length in ("many", "\xb2", "9" * 5000, "-1"):
        assert client.ask("POST", "/open", b"", {"content-length": length}).status == 400


def test_a_large_upload_leaves_nothing(client: Client) -> None:
    body = b"a,b\n" + b"1,2\n" * 2000
    assert client.ask("PUT", "/upload?name=big.csv", body, {"content-length": "9"}).status == 413
    assert not list(client.studio.places.root.iterdir())


def test_an_error_page_shows_no_value(tmp_path: Path) -> None:
    (tmp_path / "broken.csv").write_text('name,age\n"Zebedee Quux,31\n')
    client = Client(tmp_path)
    answer = client.post("/open", {"place": "broken.csv"})
    assert "Quux" not in answer.text
