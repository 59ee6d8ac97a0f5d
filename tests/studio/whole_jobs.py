"""Whole jobs on real files in a browser, from opening to a verified release."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.studio.browser import Driven

ADULT_COLUMNS = (
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass",
    "occupation",
)  # fmt: skip
MOST_STOPS = 400
STOP = """
const at = document.activeElement, box = at.getBoundingClientRect();
const none = getComputedStyle(at).outlineStyle === "none";
return {what: at.outerHTML.slice(0, 80), there: at.matches(arguments[0]),
        seen: !none || box.width < 2 || at === document.body || at.tagName === "IFRAME"};
"""
"""What has the focus: whether it is the element sought, and whether it is visible."""
LONG = 900.0
"""Seconds for work on a whole file, on a machine that has other work too."""


def first_rows(source: Path, target: Path, rows: int | None) -> Path:
    """Copy a file, or its first rows."""
    lines = source.read_text(encoding="utf-8").splitlines(keepends=True)
    target.write_text("".join(lines if rows is None else lines[: rows + 1]), encoding="utf-8")
    return target


def survey_of_households(page: Driven) -> str:
    """Do the job on a survey with weights and households; return what was said at the end.

    The columns are those of sdcMicro's testdata.
    """
    page.click("xpath=//button[bdi='testdata.csv']")
    page.wait("#live")
    roles = {
        "ori_hid": "household", "sampling_weight": "weight", "urbrur": "quasi-identifier",
        "roof": "quasi-identifier", "sex": "quasi-identifier", "age": "quasi-identifier",
        "relat": "quasi-identifier", "income": "confidential", "expend": "confidential",
        "savings": "confidential",
    }  # fmt: skip
    for column, role in roles.items():
        page.choose(f'select[aria-label="Role of {column}"]', role)
    page.go(page.url)
    page.wait('select[aria-label="Role of age"]')
    page.choose("select[name=unit]", "household")
    page.wait("select[name=unit] option[value=household]:checked")
    page.click("#onward")
    page.click("#look")
    page.wait("table caption", LONG)
    assert "the sampling weights are used" in page.text
    page.click("#onward")
    page.wait("#run")
    return _released(page)


def recoding_with_hierarchies(page: Driven, folder: Path, columns: Sequence[str]) -> str:
    """Do the job on Adult with hierarchies from files; return the verdict at the end."""
    page.click("xpath=//button[bdi='adult.csv']")
    page.wait("#live")
    work = page.url.rpartition("/")[0]
    for column in columns:
        page.choose(f'select[aria-label="Role of {column}"]', "quasi-identifier")
    page.choose('select[aria-label="Role of salary-class"]', "confidential")
    for column in columns:
        page.go(f"{work}/hierarchy?column={column}")
        file = folder / f"adult_hierarchy_{column}.csv"
        page.wait("#hierarchy-file").send_keys(str(file))
        page.wait("#text.loaded")
        page.click("#save-hierarchy")
        page.wait("#kept")
    page.go(f"{work}/protect")
    page.wait("#preset")
    page.choose("#preset", "suppression")
    page.click("xpath=//form[.//select[@id='preset']]//button")
    page.wait_for("Global recoding")
    return _released(page)


def _released(page: Driven) -> str:
    page.click("#run")
    page.wait("#verdict, .run .told.bad", LONG)
    assert "Nothing was released" not in page.text, page.text
    verdict: str = page.wait("#verdict").text
    page.click("#onward")
    page.click("#write")
    page.wait("#verified", LONG)
    assert "matches its manifest" in page.text
    assert not page.complaints()
    return verdict


def by_keyboard(page: Driven) -> str:
    """Do the job on the file that is listed first without a mouse; return the verdict at the end.

    Each place on the way must show that it has the focus.
    """
    from selenium.webdriver.common.keys import Keys

    def to(selector: str, back: bool = False) -> None:
        for _ in range(MOST_STOPS):
            page.press(Keys.TAB, shift=back)
            at = page.script(STOP, selector)
            assert at["seen"], f"{at['what']} has the focus, and nothing shows it"
            if at["there"]:
                return
        raise AssertionError(f"{selector} is not reached by the tab key")

    def enter(selector: str, back: bool = False) -> None:
        to(selector, back)
        page.press(Keys.ENTER)

    enter("ul.files button")
    page.wait_for("fewer unique")
    to("select.role")
    page.press(Keys.ARROW_DOWN)
    page.wait("#undo:enabled")
    enter("#undo", back=True)
    page.wait("#undo:disabled")
    enter("button.term")
    page.wait(":popover-open")
    page.press(Keys.ESCAPE)
    enter("#onward")
    page.wait("#look")
    enter("#onward")
    page.wait("#run")
    enter("#run")
    page.wait("#verdict", LONG)
    verdict: str = page.wait("#verdict").text
    enter("#onward")
    page.wait("#write")
    enter("#write")
    page.wait("#verified", LONG)
    assert "matches its manifest" in page.text
    return verdict
