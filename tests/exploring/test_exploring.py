"""A search from end to end: processes, budgets, the store, a kill in the middle, the command."""

from __future__ import annotations

import csv
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import discreet
from discreet import DataError, Microdata, UsageError
from discreet.exploring.pool import Pool
from discreet.exploring.store import Store
from discreet.exploring.trial import Task, Trial

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


def explored(data: Microdata, **options: Any) -> Any:
    given: dict[str, Any] = {"candidates": CANDIDATES, "cores": 2, "seed": 7, "repeats": 2}
    return discreet.explore(data, {"linkage": 0.3}, ["sse-sst", "abico"], **{**given, **options})


def figures(found: Any) -> dict[str, Any]:
    return {p.label: [dict(t.scores) for t in p.trials] for p in found.points}


def test_the_best_release_under_a_limit(data: Microdata) -> None:
    found = explored(data)
    best = found.recommended
    assert best.scores["distance-linkage"].high <= 0.3
    others = [p for p in found.measured if p.keeps(found.limits)]
    assert best.scores["sse-sst"].mean == min(p.scores["sse-sst"].mean for p in others)
    assert found.to_frame().num_rows == len(found.points)
    # The winner is what the library gives for these steps.
    release = discreet.protect(data, list(best.steps), seed=1)
    assert set(discreet.assess(data, release, ["sse-sst"]).utility) == {"sse-sst"}


def test_the_same_seed_gives_the_same_search(data: Microdata) -> None:
    assert figures(explored(data, cores=1)) == figures(explored(data))
    assert figures(explored(data)) != figures(explored(data, seed=8))


def test_a_failed_trial_is_a_row(data: Microdata) -> None:
    found = explored(data, candidates=[*CANDIDATES[:1], {"microaggregation": {
        "partition": {"mdav": {"k": {"try": [100, 500]}}}}}])  # fmt: skip
    (failed,) = [p for p in found.points if p.value == 500]
    assert "needs at least 500 records" in failed.reason
    assert found.recommended is not None


def test_a_measure_that_does_not_apply_is_a_reason(data: Microdata) -> None:
    nothing_confidential = data.drop(["sick"])
    found = discreet.explore(
        nothing_confidential,
        {"l-diversity": 1},
        ["sse-sst"],
        candidates=["individual-ranking"],
        cores=1,
    )
    assert found.recommended is None
    assert "l-diversity" in found.points[0].reason


def test_a_trial_that_takes_too_long_or_too_much_is_stopped(data: Microdata) -> None:
    task = Task(({"individual-ranking": {}},))
    with Pool(data, 1, ["sse-sst"], cores=1, seconds=0.01, megabytes=1e6) as pool:
        pool.start(task)
        assert "longer than the 0.01 s" in _first(pool).reason
    with Pool(data, 1, ["sse-sst"], cores=1, seconds=60, megabytes=1) as pool:
        pool.start(task)
        assert "more than the 1 MB" in _first(pool).reason
        pool.start(task)  # a new worker takes the place of the one that was stopped
        assert pool.busy


def test_a_worker_that_dies_is_told(data: Microdata) -> None:
    with Pool(data, 1, ["sse-sst"], cores=1, seconds=60, megabytes=1e6) as pool:
        pool.start(Task(({"individual-ranking": {}},)))
        os.kill(pool._workers[0].process.pid, signal.SIGKILL)
        assert "its process died" in _first(pool).reason


def _first(pool: Pool) -> Trial:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        for trial in pool.wait():
            return trial
    raise AssertionError("no trial ended")


def test_a_budget_ends_the_search(data: Microdata) -> None:
    found = explored(data, budget=0.01)
    assert "time was up" in found.unfinished
    assert "time was up" in found.words[0]


def test_the_store_belongs_to_one_search(data: Microdata, tmp_path: Path) -> None:
    store = tmp_path / "trials.sqlite"
    explored(data, store=store)
    assert stat.S_IMODE(store.stat().st_mode) == 0o600
    with pytest.raises(DataError, match="another seed"):
        explored(data, store=store, seed=8)
    with pytest.raises(DataError, match="other data"):
        explored(data.take(np.arange(100)), store=store)
    with pytest.raises(DataError, match="other measures"):
        discreet.explore(data, {"linkage": 0.3}, ["abim"], candidates=CANDIDATES, store=store)
    other = tmp_path / "letter.txt"
    other.write_text("Dear Sir, " * 1000)
    with pytest.raises(DataError, match="not a store"):
        explored(data, store=other)
    assert other.read_text() == "Dear Sir, " * 1000


def test_finished_trials_are_not_run_again(
    data: Microdata, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "trials.sqlite"
    first = explored(data, store=store)

    def no_more(self: Pool, task: Task) -> None:
        raise AssertionError("a finished trial was started again")

    monkeypatch.setattr(Pool, "start", no_more)
    assert figures(explored(data, store=store)) == figures(first)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"candidates": []}, "no candidate"),
        ({"candidates": CANDIDATES, "methods": ["pram"]}, "not both"),
        ({"budget": "soon"}, "a time such as"),
    ],
)
def test_wrong_use(change: dict[str, Any], words: str, data: Microdata) -> None:
    with pytest.raises(UsageError, match=words):
        explored(data, **change)


def test_measures_by_a_word(data: Microdata) -> None:
    with pytest.raises(UsageError, match="did you mean 'k-anonymity'"):
        discreet.explore(data, {"k-anonimity": 3}, ["sse-sst"])
    with pytest.raises(UsageError, match="several measures are called 'attack'"):
        discreet.explore(data, {"attack": 3}, ["sse-sst"])


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


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], cwd=folder, text=True, capture_output=True, timeout=200
    )


ASKED = ("explore", "plan.yaml", "--risk", "linkage", "--utility", "sse-sst", "--candidates",
         "try.yaml", "--repeats", "2", "--cores", "1", "--seed-file", "seed")  # fmt: skip


def test_kill_it_in_the_middle_and_start_again(folder: Path) -> None:
    whole = command(folder, *ASKED, "--limit", "0.3", "--out", "whole")
    assert whole.returncode == 0, whole.stderr
    everything = _finished(folder / "whole" / "trials.sqlite")
    asked = [*COMMAND, *ASKED, "--limit", "0.3", "--out", "cut"]
    store = folder / "cut" / "trials.sqlite"
    with subprocess.Popen(asked, cwd=folder, stdout=subprocess.DEVNULL) as cut:
        until = time.monotonic() + 100
        while _finished(store) < 2 and cut.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        cut.send_signal(signal.SIGKILL)
    assert 2 <= _finished(store) < everything
    again = command(folder, *ASKED, "--limit", "0.3", "--out", "cut")
    assert again.returncode == 0
    assert _finished(store) == everything
    for name in ("settings.csv", "recommended.yaml"):
        one, other = (_timeless(folder / place / name) for place in ("whole", "cut"))
        assert one == other
    # The recommended plan runs as it stands.
    run = command(folder, "protect", "whole/recommended.yaml", "--dry-run", "--seed-file", "seed")
    assert run.returncode == 0, run.stderr
    assert "distance-linkage" in run.stdout


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


def test_a_limit_that_cannot_be_met(folder: Path) -> None:
    run = command(folder, *ASKED, "--limit", "0.0001", "--out", "out")
    assert run.returncode == 3
    assert "no setting keeps the limits" in run.stdout
    assert "the closest is" in run.stdout
    assert not run.stderr
    assert not (folder / "out" / "recommended.yaml").exists()
    page = (folder / "out" / "ru-map.html").read_text()
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_a_limit_for_each_risk(folder: Path) -> None:
    assert command(folder, "explore", "plan.yaml", "--risk", "linkage").returncode == 2
    run = command(folder, *ASKED, "--risk", "k-anonymity", "--limit", "3")
    assert run.returncode == 2
    assert "each --risk needs a --limit" in run.stderr


def test_what_a_store_keeps(tmp_path: Path) -> None:
    store = Store(tmp_path / "a.sqlite")
    task = Task(({"pram": {"columns": ["é"]}},), 3)
    assert store.find(task) is None
    store.add(Trial(task, {"a": 0.1 + 0.2}, "why", 1.5, 2.5))
    store.close()
    store = Store(tmp_path / "a.sqlite")
    assert store.find(task) == Trial(task, {"a": 0.1 + 0.2}, "why", 1.5, 2.5)
    store.close()
