from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.studio.browser import Driven, browser_or_skip, studio_process
from tests.studio.client import Client, opened
from tests.studio.spare_workers import spare_workers_kept


@pytest.fixture(scope="module", autouse=True)
def _what_other_tests_left() -> None:
    """Exclude earlier objects from the garbage that the studio collects with every file.

    After some thousand tests of other rooms it would take most of a second each time.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _spare_workers() -> Iterator[None]:
    with spare_workers_kept():
        yield


@pytest.fixture(scope="session")
def browsed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Driven, Path]]:
    """One studio and one browser for all tests in a real browser, and the folder that it shows."""
    browser_or_skip()
    folder = tmp_path_factory.mktemp("browsed")
    with studio_process(folder) as address, Driven(address) as page:
        assert len(page.requested()) > 3
        yield page, folder


@pytest.fixture
def small(tmp_path: Path) -> Iterator[tuple[Client, str]]:
    """A small file, opened."""
    client, work = opened(tmp_path)
    yield client, work
    client.studio.close()


@pytest.fixture(scope="session")
def done(
    tmp_path_factory: pytest.TempPathFactory, _spare_workers: None
) -> Iterator[tuple[Client, str]]:
    """A small file, opened, examined, protected and written, by real workers."""
    client, work = opened(tmp_path_factory.mktemp("studio"))
    for address in ("risk/look", "protect/run", "release/write"):
        answer = client.post(f"{work}/{address}")
        assert answer.status == 200, answer.text
        job = client.finish()
        assert job.state == "done", job.error
    yield client, work
    client.studio.close()
