"""Whole jobs in a real browser on parts of files as people have them.

`python -m bench studio jobs` does the same on the whole files.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tests.studio.browser import Driven
from tests.studio.whole_jobs import (
    first_rows,
    recoding_with_hierarchies,
    survey_of_households,
)

SURVEY, ADULTS = 1_100, 300
"""How many rows of each file: the first towns of the survey come after a thousand villagers."""


@pytest.fixture(scope="module")
def started(browsed: tuple[Driven, Path], data_files: Path) -> tuple[Driven, str]:
    """A browser on a folder with both files, and the address of the first page."""
    page, folder = browsed
    first_rows(data_files / "sdcmicro_testdata.csv", folder / "testdata.csv", SURVEY)
    first_rows(data_files / "adult_arx_30162.csv", folder / "adult.csv", ADULTS)
    return page, urljoin(page.url, "/")


@pytest.fixture
def page(started: tuple[Driven, str]) -> Iterator[Driven]:
    page, first_page = started
    page.go(first_page)
    yield page
    assert not page.asked_others()


def test_a_survey_with_weights_and_households(page: Driven) -> None:
    assert "household-k-anonymity at least 5 holds" in survey_of_households(page)


def test_recoding_with_hierarchies_from_files(page: Driven, data_files: Path) -> None:
    said = recoding_with_hierarchies(
        page, data_files / "adult_hierarchies", ("sex", "age", "education")
    )
    assert "k-anonymity at least 5 holds" in said
