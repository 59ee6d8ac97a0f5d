"""Fixtures for all tests. The real reference data are located here and nowhere else."""

from __future__ import annotations

import atexit
import gc
import importlib.util
import os
import re
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import numpy as np
import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

import discreet
from discreet import datasets
from discreet.contracts.registry import entries
from discreet.release.assessment import Assessment
from tests.command_line import discreet_command, folder
from tests.few_models import few_models
from tests.few_neighbourhoods import few_neighbourhoods
from tests.invented import write_files
from tests.postgres import postgres, postgres_server
from tests.trials_in_process import trials_in_process

__all__ = [
    "discreet_command",
    "few_models",
    "few_neighbourhoods",
    "folder",
    "postgres",
    "postgres_server",
    "trials_in_process",
]

# How long an example takes says more about the machine than about the example.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
NEEDING = {
    "opendp": re.compile(
        r"dp[-_](synthesis|microaggregation|audit)|private_noise|which-guarantee|"
        r"release/test_accounting"
    )
}
"""Tests that need a library that may not be installed."""


def _real_data() -> Path | None:
    project = Path(__file__).resolve().parent.parent
    place = Path(os.environ.get("DISCREET_DATA", project.parent / "shared" / "data"))
    return place if (place / "casc_census.csv").is_file() else None


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder of real reference data: $DISCREET_DATA, or shared/data beside the project.

    For figures of the literature, which only the real files give.
    """
    place = _real_data()
    if place is None:
        pytest.skip("the reference data are needed, set DISCREET_DATA to their folder")
    return place


@pytest.fixture(scope="session")
def data_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reference data, or invented files of the same names, columns and shapes without them."""
    place = _real_data()
    if place is None:
        place = tmp_path_factory.mktemp("invented")
        write_files(place)
    return place


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while tests are collected: there is next to none, and it takes seconds."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], object]:
    """Look for examples in docstrings of tests only where there are some.

    Looking in all of these files takes each worker more than a second.
    """
    collectors = yield
    if b">>>" in file_path.read_bytes():
        return collectors
    return [collector for collector in collectors if not isinstance(collector, DoctestModule)]


def pytest_collection_finish() -> None:
    """Exclude the thirteen thousand tests themselves from every later garbage collection.

    The studio collects garbage whenever it has read a file, which took a second of each test. Also
    collect less often than every 700 new objects, which took three per cent of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def pytest_sessionfinish() -> None:
    """Undo this when the process ends, for whatever then looks for references.

    Not before: pytest collects garbage several times more, which takes two seconds with the tests.
    """
    atexit.register(gc.unfreeze)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Sum up skipped tests by reason, in a line each."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in skipped)
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"{count} skipped: {reason}")


def read_patients() -> discreet.Microdata:
    return discreet.read(datasets.path(), roles=datasets.roles(), kinds=datasets.kinds())


@pytest.fixture(scope="session")
def patients() -> discreet.Microdata:
    return read_patients()


@pytest.fixture(scope="session")
def protected_patients() -> discreet.Release:
    """A third of the patients in groups of five, for all rooms that examine a release.

    With all of them the attacks would be estimated from samples, which takes ten times as long.
    """
    recipe = {"microaggregation": {"partition": {"mdav": {"k": 5}}}}
    return discreet.protect(read_patients().take(np.arange(1000)), recipe, seed=7)


@pytest.fixture(scope="session")
def assessed_patients(protected_patients: discreet.Release) -> Assessment:
    """All figures of that release."""
    return discreet.assess(protected_patients.original, protected_patients)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a library of an extra that is not installed."""
    for library in {entry.spec.library for entry in entries()} - {""}:
        if importlib.util.find_spec(library) is None:
            absent = pytest.mark.skip(reason=f"{library} is not installed")
            for item in items:
                if NEEDING[library].search(item.nodeid):
                    item.add_marker(absent)
