"""Whole jobs in a real browser on parts of files as people have them.

`python -m bench studio jobs` does the same on the whole files.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tests.studio.browser import Driven, browser_or_skip, studio_process
from tests.studio.whole_jobs import (
    first_rows,
    recoding_with_hierarchies,
    survey_of_households,
)

SURVEY, ADULTS = 1_100, 300
"""How many rows of each file: the first towns of the survey come after a thousand villagers."""


@pytest.fixture(scope="module")
def started(
    tmp_path_factory: pytest.TempPathFactory, data_files: Path
) -> Iterator[tuple[Driven, str]]:
    """One studio and one browser for all jobs, and the address of the first page."""
    browser_or_skip()
    folder = tmp_path_factory.mktemp("jobs")
    first_rows(data_files / "sdcmicro_testdata.csv", folder / "testdata.csv", SURVEY)
    first_rows(data_files / "adult_arx_30162.csv", folder / "adult.csv", ADULTS)
    with studio_process(folder) as address, Driven(address) as page:
        yield page, urljoin(page.url, "/")


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
