"""The page on a year of files shows what the plans do to them today."""

from __future__ import annotations

import pytest

from docs import year
from tests.docs.test_docs import DOCS

BEGIN, END = "<!-- the year -->\n", "<!-- end of the year -->"


@pytest.fixture(scope="module")
def table() -> str:
    return year.table()


def test_the_page_has_the_table_of_today(table: str) -> None:
    page = (DOCS / "year.md").read_text(encoding="utf-8")
    shown = page.partition(BEGIN)[2].partition(END)[0].strip()
    assert shown == table, "'python -m docs.year' prints the table"


def test_months_that_bring_something_new_are_refused_by_a_strict_plan(table: str) -> None:
    for line in table.splitlines()[2:14]:
        month, new, strict = (cell.strip() for cell in line.split("|")[1:4])
        assert strict.startswith("refused") == (bool(new) and month != "September"), line


def test_a_frozen_plan_recodes_all_months_alike_or_releases_nothing(table: str) -> None:
    released = set()
    for line in table.splitlines()[2:14]:
        frozen = line.split("|")[5].strip()
        if not frozen.startswith("refused"):
            released.add(frozen.partition(" × ")[2])
    assert len(released) == 1


def test_what_nobody_named_never_goes_out() -> None:
    columns = dict(year.months())["June"]
    for way, plan in year.plans().items():
        released, refused = year.outcome(plan, columns)
        assert "smoker" in (refused or released), way
        assert bool(refused) == plan.strict
