"""A search by the command line: killed in the middle, taken up again, and without an answer."""

from __future__ import annotations

import csv
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import discreet
from discreet import Microdata
from tests.command_line import Discreet

CANDIDATES: list[Any] = [
    {"microaggregation": {"partition": {"mdav": {"k": {"try": [2, 3, 5, 8]}}}}},
    {"additive-noise": {"alpha": {"try": [0.1, 0.5, 2.0]}}},
]
ROLES = {"age": "quasi-identifier", "height": "quasi-identifier", "sick": "confidential"}


@pytest.fixture(scope="module")
def data() -> Microdata:
    rng = np.random.default_rng(5)
    age = rng.integers(18, 90, 120).astype(float)
    frame = {"age": age, "height": 180 - 0.2 * age + rng.normal(0, 7, 120), "sick": age > 60}
    return discreet.read(frame, roles=ROLES)


PLAN = """
data: {file: people.csv}
columns:
  age: {role: quasi-identifier}
  height: {role: quasi-identifier}
  sick: {role: confidential}
steps: [microaggregation]
"""


@pytest.fixture
def folder(data: Microdata, tmp_path: Path) -> Path:
    rows = zip(*(data[name] for name in data.schema.names), strict=True)
    lines = ["age,height,sick", *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "people.csv").write_text("\n".join(lines))
    (tmp_path / "plan.yaml").write_text(PLAN)
    (tmp_path / "try.yaml").write_text(yaml.safe_dump(CANDIDATES))
    (tmp_path / "seed").write_text("7")
    return tmp_path


COMMAND = [sys.executable, "-m", "discreet.cli.main"]
ASKED = ("explore", "plan.yaml", "--risk", "distance-linkage", "--utility", "sse-sst",
         "--candidates", "try.yaml", "--repeats", "2", "--cores", "1",
         "--seed-file", "seed")  # fmt: skip


def _finished(store: Path) -> int:
    if not store.exists():
        return 0
    base = sqlite3.connect(store)
    try:
        return int(base.execute("select count(*) from trials").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        base.close()


def _timeless(path: Path) -> str:
    """The text without how long each trial took."""
    if path.suffix != ".csv":
        return path.read_text()
    rows = list(csv.reader(path.read_text().splitlines()))
    at = rows[0].index("seconds")
    return "\n".join(",".join(row[:at] + row[at + 1 :]) for row in rows)


@pytest.mark.usefixtures("trials_in_process")
def test_kill_it_in_the_middle_and_start_again(
    folder: Path, discreet_command: Discreet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that is killed is a process with a worker; the others come to the same without."""
    monkeypatch.chdir(folder)
    whole = discreet_command(*ASKED, "--limit", "0.3", "--out", "whole")
    assert whole.code == 0, whole.err
    everything = _finished(folder / "whole" / "trials.sqlite")
    asked = [*COMMAND, *ASKED, "--limit", "0.3", "--out", "cut"]
    store = folder / "cut" / "trials.sqlite"
    with subprocess.Popen(asked, cwd=folder, stdout=subprocess.DEVNULL) as cut:
        until = time.monotonic() + 100
        while _finished(store) < 2 and cut.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        cut.send_signal(signal.SIGKILL)
    assert 2 <= _finished(store) < everything
    again = discreet_command(*ASKED, "--limit", "0.3", "--out", "cut")
    assert again.code == 0, again.err
    assert _finished(store) == everything
    for name in ("settings.csv", "recommended.yaml"):
        one, other = (_timeless(folder / place / name) for place in ("whole", "cut"))
        assert one == other
    # The recommended plan runs as it stands.
    run = discreet_command("protect", "whole/recommended.yaml", "--dry-run", "--seed-file", "seed")
    assert run.code == 0, run.err
    assert "distance-linkage" in run.out


@pytest.mark.usefixtures("trials_in_process")
def test_a_limit_that_cannot_be_met(
    folder: Path, discreet_command: Discreet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    run = discreet_command(*ASKED, "--limit", "0.0001", "--out", "out")
    assert run.code == 3
    assert "no setting keeps the limits" in run.out
    assert "the closest is" in run.out
    assert not run.err
    assert not (folder / "out" / "recommended.yaml").exists()
    page = (folder / "out" / "ru-map.html").read_text()
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_a_limit_for_each_risk(
    folder: Path, discreet_command: Discreet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert discreet_command("explore", "plan.yaml", "--risk", "distance-linkage").code == 2
    run = discreet_command(*ASKED, "--risk", "k-anonymity", "--limit", "3")
    assert run.code == 2
    assert "each --risk needs a --limit" in run.err
