"""The studio in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.studio.browser import Driven, browser_or_skip, studio_process
from tests.studio.client import SMALL, people

AXE = Path(__file__).parent / "vendored" / "axe.min.js"
SCREENS = ("columns", "risk", "protect", "compare", "release", "plan")
MOST_CLICKS = 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    browser_or_skip()
    folder = tmp_path_factory.mktemp("browser")
    people(folder, 120)
    return folder


@pytest.fixture(scope="module")
def page(folder: Path) -> Iterator[Driven]:
    with studio_process(folder) as address, Driven(address) as page:
        yield page


def faults(page: Driven) -> list[str]:
    """What axe finds wrong for people who use a page by keyboard, voice or screen reader."""
    page.script(AXE.read_text(encoding="utf-8"))
    found = page.driver.execute_async_script(
        "const done = arguments[0];"
        "axe.run(document, {iframes: false}).then(r => done(JSON.stringify(r.violations)))"
    )
    return [
        f"{rule['id']}: {node['html'][:160]}"
        for rule in json.loads(found)
        for node in rule["nodes"]
    ]


def test_the_whole_job_in_few_clicks(page: Driven, folder: Path) -> None:
    assert "token" not in page.url
    assert not faults(page)
    page.clicks = 0
    page.click(f"xpath=//button[bdi='{SMALL}']")
    page.wait("#live")
    page.wait_for("fewer alone")
    page.click("#onward")
    page.wait("#look")
    page.click("#onward")
    page.click("#run")
    page.wait("#verdict", 200)
    page.click("#onward")
    page.click("#write")
    page.wait("#verified", 100)
    assert "matches its manifest" in page.text
    assert page.clicks <= MOST_CLICKS
    assert (folder / f"{SMALL}.studio" / "releases" / "release-1" / "release.csv").is_file()
    work = page.url.rpartition("/")[0]
    wrong = {}
    for screen in SCREENS:
        page.go(f"{work}/{screen}")
        page.wait("main")
        for dark in (False, True):
            page.dark(dark)
            if found := faults(page):
                wrong[f"{screen} {'dark' if dark else 'light'}"] = found
        page.dark(False)
        page.size(420, 900)
        if page.script("return document.documentElement.scrollWidth") > 420:
            wrong[f"{screen} narrow"] = ["wider than the screen"]
        page.size(2560, 1200)
        if page.script("return document.documentElement.scrollWidth") > 2560:
            wrong[f"{screen} wide"] = ["wider than the screen"]
        page.size(1440, 1000)
    assert not wrong, json.dumps(wrong, indent=1)
    assert not page.complaints()
    foreign = [url for url in page.requested() if not url.startswith("http://127.0.0.1:")]
    assert not foreign
