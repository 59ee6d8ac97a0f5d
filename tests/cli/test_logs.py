"""The log: stages and counts, never a value of a record."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command_line import Discreet


@pytest.fixture
def log() -> Iterator[logging.Logger]:
    """The package's logger, given back as it was."""
    log = logging.getLogger("discreet")
    handlers, level = list(log.handlers), log.level
    yield log
    log.handlers[:] = handlers
    log.setLevel(level)


@pytest.fixture
def telling(folder: Path) -> list[str]:
    """A file of values that can be told from anything else; they are returned."""
    rows, values = ["name,age,height,town,income"], []
    for i in range(40):
        first, second = (17 * i) % 40, (7 * i + i // 3) % 40
        numbers = [f"7351{i:02}", f"8462{first:02}.5"]
        row = [f"Zyx{i}q", *numbers, f"Qv{'ab'[i % 2]}x", f"9573{second:02}"]
        rows.append(",".join(row))
        values += row
    (folder / "people.csv").write_text("\n".join(rows) + "\n")
    return sorted(set(values))


def test_the_log_of_a_release_tells_stages_and_no_value(
    telling: list[str],
    discreet_command: Discreet,
    caplog: pytest.LogCaptureFixture,
    log: logging.Logger,
) -> None:
    caplog.set_level(logging.DEBUG, logger="discreet")
    assert discreet_command("protect", "plan.yaml", "--out", "out").code == 0
    words = caplog.text
    for stage in (
        "read people.csv: 40 records of 5 columns",
        "step 1, microaggregation: ",
        "40 records protected, 4 columns released",
        "k-anonymity: ",
        "wrote a release to",
    ):
        assert stage in words
    assert not [value for value in telling if value in words]
    assert {record.name.partition(".")[0] for record in caplog.records} == {"discreet"}


def test_a_variable_writes_it_to_standard_error(
    folder: Path,
    discreet_command: Discreet,
    monkeypatch: pytest.MonkeyPatch,
    log: logging.Logger,
) -> None:
    assert "INFO" not in discreet_command("describe", "people.csv").err
    monkeypatch.setenv("DISCREET_LOG", "info")
    for _ in range(2):
        said = discreet_command("describe", "people.csv")
        assert said.err.count("INFO discreet.io.reading: read people.csv: 40 records") == 1
    assert "INFO" not in said.out


def test_a_level_that_is_none_is_told(
    folder: Path, discreet_command: Discreet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCREET_LOG", "loud")
    said = discreet_command("describe", "people.csv")
    assert said.code == 2
    assert said.err == "discreet: DISCREET_LOG is one of info, debug, but 'loud' was given\n"
