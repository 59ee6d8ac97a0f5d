"""The application finds its pages, and says what went wrong without quoting the data."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from discreet.microdata import Kind, Level, Role
from discreet.studio.application import _news, routes
from discreet.studio.rendering import TEMPLATES
from discreet.studio.texts import catalogue, preferred
from tests.studio.client import Client, opened


def test_every_screen_has_a_page(tmp_path: Path) -> None:
    client, work = opened(tmp_path)
    for name in ("columns", "risk", "protect", "compare", "release", "plan"):
        answer = client.get(f"{work}/{name}")
        assert answer.status == 200, answer.text
        assert f'{name}" aria-current="page"' in answer.text


def test_a_page_that_is_not_there_leads_back(tmp_path: Path) -> None:
    client = Client(tmp_path)
    answer = client.get("/nothing")
    assert answer.status == 404
    assert 'href="/"' in answer.text


def test_what_should_not_happen_shows_no_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.studio import places

    def broken(*_: object) -> None:
        raise ValueError("Quux, 31, influenza")

    client = Client(tmp_path)
    monkeypatch.setattr(places.Places, "works", broken)
    monkeypatch.delenv("DISCREET_DEBUG", raising=False)
    answer = client.get("/")
    assert (answer.status, "ValueError" in answer.text) == (500, True)
    assert "Quux" not in answer.text


def test_partial_errors_are_shown_beside_the_screen(tmp_path: Path) -> None:
    client, work = opened(tmp_path)
    answer = client.post(f"{work}/protect/add", {"method": "rounded"}, hx_request="true")
    assert answer.status == 422
    assert answer.headers["hx-retarget"] == "#notice"
    assert "rounding" in answer.text


def test_the_same_address_serves_part_of_a_page(tmp_path: Path) -> None:
    client, work = opened(tmp_path)
    part = client.get(f"{work}/protect", hx_request="true").text
    assert "<html" not in part
    assert 'id="bar" hx-swap-oob' in part


def test_pages_are_told_what_is_new(tmp_path: Path) -> None:
    client, work = opened(tmp_path)
    place = work.removeprefix("/w/")
    assert _news(client.studio, place) == {"plan": 1, "jobs": []}
    client.post(f"{work}/protect/toggle", {"step": 0})
    assert _news(client.studio, place)["plan"] == 2
    client.studio.stopping = True
    assert client.get(f"{work}/events").headers["content-type"].startswith("text/event-stream")


def test_the_catalogues_have_the_same_keys_and_figures() -> None:
    english, german = catalogue("en"), catalogue("de")
    assert set(english) == set(german)
    for key, text in english.items():
        assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", german[key])), key


def test_every_word_of_the_pages_is_in_the_catalogue() -> None:
    used = set()
    for path in TEMPLATES.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        used |= set(re.findall(r"""\bt\(["']([a-z_.-]+)["'][,)]""", text))
        # What stands between tags is a word of the catalogue, a value, or a sign.
        plain = re.sub(r"{[{%#].*?[}%#]}", "", text, flags=re.DOTALL)
        bare = re.findall(r">([^<]*[A-Za-z]{3,}[^<]*)<", plain)
        named = {"discreet", "discreet studio", "· discreet studio"}
        assert {word.strip() for word in bare} <= named, (path, bare)
    assert used <= set(catalogue("en")), used - set(catalogue("en"))


def test_every_role_kind_and_level_has_its_words() -> None:
    texts = catalogue("en")
    for section, words in (("roles", Role), ("kinds", Kind), ("levels", Level), ("words", Role)):
        assert {f"{section}.{word.value}" for word in words} <= set(texts)


def test_pages_are_there_in_german(tmp_path: Path) -> None:
    client = Client(tmp_path)
    assert preferred("de-AT,en;q=0.5") == "de"
    assert "Welche Datei" in client.get("/", accept_language="de").text
    chosen = client.get("/language?language=de&back=//evil.example")
    assert (chosen.status, chosen.headers["location"]) == (303, "/")
    assert "discreet-language=de" in chosen.headers["set-cookie"]
    assert client.get("/language?language=xx").status == 422


def test_routes_are_found_by_walking() -> None:
    assert {"/", "/w/{plan:path}/columns"} <= {path for _, path, _ in routes()}
