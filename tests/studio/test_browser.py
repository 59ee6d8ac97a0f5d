"""The studio in a real browser."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tests.studio.browser import Driven
from tests.studio.client import SMALL, people

AXE = Path(__file__).parent / "vendored" / "axe.min.js"
SCREENS = ("columns", "risk", "protect", "compare", "release", "plan")
MOST_CLICKS = 12
BEYOND = """return [...document.querySelectorAll('.columns-card table')].some((table) =>
    table.getBoundingClientRect().right > table.parentElement.getBoundingClientRect().right)"""
MARK_ONE_IN_SIGHT = """
const marks = [...document.querySelectorAll("#map svg.map a[href*='point=trial'] circle")];
marks.find(mark => {
  mark.scrollIntoView({block: "center"});
  const {left, top, width, height} = mark.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2) === mark;
}).classList.add("in-sight");
"""


@pytest.fixture(scope="module")
def folder(browsed: tuple[Driven, Path]) -> Path:
    people(browsed[1], 120)
    return browsed[1]


@pytest.fixture(scope="module")
def browser(browsed: tuple[Driven, Path], folder: Path) -> Driven:
    """The browser at the first page, which lists the file of people."""
    page, _ = browsed
    page.go(urljoin(page.url, "/"))
    return page


@pytest.fixture
def page(browser: Driven) -> Iterator[Driven]:
    """A page that must not have asked another host for anything when the test is over."""
    yield browser
    assert not browser.asked_others()


def faults(page: Driven, rules: str = "") -> list[str]:
    """What axe finds wrong for people who use a page by keyboard, voice or screen reader."""
    if not page.script("return 'axe' in window"):
        page.script(AXE.read_text(encoding="utf-8"))
    found = page.driver.execute_async_script(
        "const [rules, done] = arguments;"
        "const options = rules ? {iframes: false, runOnly: [rules]} : {iframes: false};"
        "axe.run(document, options).then(r => done(JSON.stringify(r.violations)))",
        rules,
    )
    return [
        f"{rule['id']}: {node['html'][:160]}"
        for rule in json.loads(found)
        for node in rule["nodes"]
    ]


def opened(page: Driven) -> str:
    """Return the address of the work, which is opened first where no test before has done so."""
    chooser = f"//button[bdi='{SMALL}']"
    if page.driver.find_elements("xpath", chooser):
        page.click(f"xpath={chooser}")
        page.wait("#live")
    return page.url.rpartition("/")[0]


def test_the_whole_job_in_few_clicks(page: Driven, folder: Path) -> None:
    assert "token" not in page.url
    assert not faults(page)
    page.clicks = 0
    page.click(f"xpath=//button[bdi='{SMALL}']")
    page.wait("#live")
    page.wait_for("fewer unique")
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
    for screen in (*SCREENS, "hierarchy?column=age", "hierarchy?column=region"):
        page.go(f"{work}/{screen}")
        page.wait("main")
        if found := faults(page):
            wrong[f"{screen} light"] = found
        page.dark(True)
        if found := faults(page, "color-contrast"):  # nothing else depends on the colours
            wrong[f"{screen} dark"] = found
        page.dark(False)
        page.size(420, 900)
        if page.script("return document.documentElement.scrollWidth") > 420:
            wrong[f"{screen} narrow"] = ["wider than the screen"]
        for width in (1120, 1366):
            page.size(width, 900)
            if page.script(BEYOND):
                wrong[f"{screen} {width}"] = ["a table is wider than its card"]
        page.size(2560, 1200)
        if page.script("return document.documentElement.scrollWidth") > 2560:
            wrong[f"{screen} wide"] = ["wider than the screen"]
        page.size(1440, 1000)
    assert not wrong, json.dumps(wrong, indent=1)
    assert not page.complaints()


def test_a_table_is_chosen_from_a_file_of_several(page: Driven, folder: Path) -> None:
    with closing(sqlite3.connect(folder / "two.db")) as database, database:
        for name in ("persons", "visits"):
            database.execute(f"create table {name} (age integer, town text)")
            database.executemany(f"insert into {name} values (?, ?)", [(31, "Ayle"), (47, "Bron")])
    before = page.url
    page.go(urljoin(before, "/"))
    page.click("xpath=//button[bdi='two.db']")
    page.wait_for("Which table?")
    assert not faults(page)
    page.dark(True)
    assert not faults(page, "color-contrast")
    page.dark(False)
    page.size(420, 900)
    assert page.script("return document.documentElement.scrollWidth") <= 420
    page.size(1440, 1000)
    page.click("xpath=//button[contains(., 'visits')]")
    page.wait("#live")
    page.go(before)


def test_a_change_is_undone_redone_and_seen_by_another_page(page: Driven, folder: Path) -> None:
    work = opened(page)
    plan = folder / f"{SMALL}.studio" / "plan.yaml"
    page.go(f"{work}/columns")
    page.wait("#live")
    before = plan.read_text()
    first = page.driver.current_window_handle
    page.driver.switch_to.new_window("tab")
    page.go(f"{work}/plan")
    page.wait("#save")
    page.driver.switch_to.window(first)
    page.choose('select[aria-label="Role of age"]', "confidential")
    page.wait_for("Plan 2")
    assert "age: {role: confidential" in plan.read_text().replace("\n    role", " {role")
    page.driver.switch_to.window(page.driver.window_handles[-1])
    page.wait_for("role of age: quasi-identifier → confidential")
    page.driver.close()
    page.driver.switch_to.window(first)
    page.click("#undo")
    page.wait_for("Plan 1")
    assert plan.read_text() == before
    page.click("#redo")
    page.wait_for("Plan 2")
    page.click("#undo")
    page.wait_for("Plan 1")


def test_a_search_is_started_watched_cancelled_and_taken_over(page: Driven, folder: Path) -> None:
    work = opened(page)
    page.go(f"{work}/compare")
    page.wait("#explore")
    page.choose("#minutes", "5")
    page.click("#explore")
    page.wait(".job")
    page.wait_for("The map grows")
    page.wait("#map svg.map a[href*='point=trial']", 120)
    page.click(".job button")
    page.wait_for("search was stopped early")
    page.choose("#across", "strongest-linkage")
    page.click("xpath=//form[select[@id='across']]/button")
    page.wait("#map svg.map a[href*='point=trial']")
    # Marks may lie over each other: a person clicks on one that can be seen.
    page.script(MARK_ONE_IN_SIGHT)
    page.click("#map circle.in-sight")
    page.click("#take")
    page.wait("#run")
    assert page.url.endswith("/protect")
    assert "taken from the search" in page.script("return document.getElementById('undo').title")
    page.click("#undo")
    page.wait("#run")


def test_a_page_that_is_drawn_anew_keeps_what_was_unfolded_and_asked_for(page: Driven) -> None:
    work = opened(page)
    anew = "return htmx.ajax('GET', location.pathname, {target: '#main', swap: 'innerMorph'})"
    page.go(f"{work}/columns")
    page.wait_for("fewer unique")
    page.click("details.more summary")
    page.script(anew)
    assert page.script("return document.querySelector('details.more').open")
    page.wait(".telling table tbody td meter")
    page.go(f"{work}/protect")
    page.click("#try")
    page.wait("#preview .did-column")
    page.script(anew)
    page.script(anew)
    assert page.driver.find_elements("css selector", "#preview .did-column")


def test_cuts_are_dragged_on_the_histogram(page: Driven, folder: Path) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    work = opened(page)
    page.go(f"{work}/hierarchy?column=age")
    picture = page.wait(".cuts svg")
    page.script("arguments[0].scrollIntoView({block: 'center'})", picture)
    before = page.wait(".cuts output").text
    line = page.wait("#cut-1")
    drag = ActionChains(page.driver).move_to_element(line).click_and_hold()
    drag.move_by_offset(-40, 0).release().perform()
    after = page.wait(".cuts output").text
    assert float(after) < float(before)
    page.click("[data-uncut]")
    page.click("xpath=//form[contains(@class, 'cuts')]//button[contains(., 'Use these')]")
    page.wait("#kept")
    [file] = (folder / f"{SMALL}.studio").glob("hierarchy-2-age-*.csv")
    levels = file.read_text()
    assert len({row.split(";")[1] for row in levels.splitlines()[1:]}) == 3


def test_a_job_is_cancelled(page: Driven) -> None:
    work = opened(page)
    page.go(f"{work}/protect")
    page.click("#run")
    page.click(".job button")
    page.wait_for("cancelled; nothing was written")
    page.wait("#run")


def test_an_error_in_the_plan_is_at_its_line(page: Driven) -> None:
    work = opened(page)
    page.go(f"{work}/plan")
    text = page.wait("#text")
    page.script("arguments[0].value = 'version: 1\\ncolumns:\\n  age: nonsense\\n'", text)
    page.click("#save")
    assert page.wait(".lines .wrong").text == "3"
    # The browser notes every answer that is an error; a script that failed would be another kind.
    assert not [words for words in page.complaints() if "422" not in words]
