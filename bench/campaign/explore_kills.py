"""The part of killed searches: what was found stays, no worker survives, and the search resumes."""

from __future__ import annotations

import csv
import os
import random
import shutil
import sqlite3
import tempfile
from pathlib import Path

import yaml

from bench.campaign.command import judge, run
from bench.campaign.faults import Fault
from bench.campaign.parts import Batch, Task
from bench.campaign.processes import (
    kill_after,
    refuse_readable,
    refuse_survivors,
    start_cold,
    start_warm,
)
from bench.campaign.site import prepare, repeat
from bench.campaign.spans import Spans

KILLS = 24
COLD_SECONDS, WARM_SECONDS = 9.0, 3.0
COLD = 5
"""One search in this many is killed in a process that was started as a user would start it."""
RECORDS = 60
ARGUMENTS = [
    *("explore", "plan.yaml", "--out", "search", "--risk", "k-anonymity", "--limit", "2"),
    *("--utility", "sse-sst", "--method", "microaggregation", "--repeats", "1", "--cores", "1"),
]
WHOLE = {"ru-map.html": "</html>", "ru-map.svg": "</svg>"}
"""How a completely written file ends."""


def batch(task: Task) -> Batch:
    """Kill searches at random moments, some of them as early as the start of the program."""
    draw = random.Random(task.seed)
    spans = {True: Spans(COLD_SECONDS), False: Spans(WARM_SECONDS)}

    def attempt(number: int, case: Path) -> str:
        cold = number % COLD == 0
        killed = kill_once(case, draw, spans[cold], cold)
        return "killed explore" if killed else "explore ended before its kill"

    # What is loaded before the first fork need not be loaded in each process.
    prepare(task.folder / "case", RECORDS)
    _finish(task.folder / "case")
    return repeat(task, "explore_kills", task.several(KILLS), attempt, RECORDS)


def kill_once(folder: Path, draw: random.Random, spans: Spans, cold: bool) -> bool:
    """Kill a search, perhaps several times, then let it finish; return whether one was killed."""
    killed = False
    for _ in range(draw.choice([1, 1, 2])):
        child = (start_cold if cold else start_warm)(ARGUMENTS, folder)
        seconds = spans.draw(draw)
        code = kill_after(child, seconds)
        spans.learn(seconds, code is not None)
        if code not in (None, 0, 3):
            raise Fault(f"explore in the background: exit code {code}", _output(folder))
        refuse_survivors(child, folder, "explore")
        killed = killed or code is None
        refuse_half(folder / "search")
        refuse_readable(folder, {"data.csv", "plan.yaml", "said"}, "explore")
    if draw.random() < 0.2:
        _finish(folder)
    return killed


def _finish(folder: Path) -> None:
    before = Path.cwd()
    os.chdir(folder)
    try:
        outcome = run(ARGUMENTS, 120)
    finally:
        os.chdir(before)
    judge(outcome, "explore after a kill")
    if outcome.code not in (0, 3):
        raise Fault("explore: a run after a killed one fails", outcome.err)
    refuse_half(folder / "search")
    names = {path.name for path in (folder / "search").iterdir()}
    if "recommended.yaml" not in names and outcome.code == 0:
        raise Fault("explore: no recommendation after a kill", ", ".join(sorted(names)))


def refuse_half(search: Path) -> None:
    """Raise a fault if a file of a search is incomplete, or if others may read it."""
    if not search.exists():
        return
    files = sorted(search.iterdir())
    for path in files:
        if path.stat().st_mode & 0o077:
            raise Fault("explore: others may read a file of a search", path.name)
    for path in files:
        if path.name.startswith("."):
            continue
        if path.name in WHOLE and not path.read_text("utf-8").rstrip().endswith(WHOLE[path.name]):
            raise Fault("explore: half a file after a kill", path.name)
        if path.name == "recommended.yaml" and "steps" not in yaml.safe_load(path.read_text()):
            raise Fault("explore: half a plan after a kill", path.name)
        if path.name == "settings.csv":
            with path.open(newline="") as file:
                if len({len(row) for row in csv.reader(file)}) != 1:
                    raise Fault("explore: half a table after a kill", path.name)
        if path.name == "trials.sqlite":
            state = _state(path)
            if state != "ok":
                raise Fault("explore: a damaged store after a kill", state)


def _state(store: Path) -> str:
    """Return what SQLite says about a copy of a store: on a full disk it cannot open one."""
    with tempfile.TemporaryDirectory() as folder:
        for path in store.parent.glob(f"{store.name}*"):
            shutil.copy(path, folder)
        base = sqlite3.connect(Path(folder) / store.name)
        try:
            (state,) = base.execute("pragma integrity_check").fetchone()
        except sqlite3.DatabaseError as error:
            state = str(error)
        finally:
            base.close()
    return str(state)


def _output(folder: Path) -> str:
    return (folder / "said").read_text("utf-8", errors="replace")
