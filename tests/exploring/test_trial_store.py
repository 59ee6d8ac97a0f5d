"""The store of a search: what it keeps, and what it refuses to open."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from discreet import DataError
from discreet.exploring.trial import Task, Trial
from discreet.exploring.trial_store import Store, finished_trials


def test_a_store_that_is_broken_inside(tmp_path: Path) -> None:
    path = tmp_path / "trials.sqlite"
    task = Task(({"individual-ranking": {}},))
    store = Store(path)
    store.add(Trial(task, {"sse-sst": 0.5}))
    store._base.execute("update trials set scores = 'nonsense'")
    store._base.commit()
    with pytest.raises(DataError, match="is damaged"):
        store.find(task)
    store._base.execute("drop table trials")
    with pytest.raises(DataError, match="is damaged"):
        store.find(task)
    with pytest.raises(DataError, match="is damaged"):
        store.add(Trial(task))
    store.close()


def test_a_store_whose_damage_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "trials.sqlite"
    Store(path).close()
    # The name of the table in SQLite's own list of them, which its error quotes.
    path.write_bytes(path.read_bytes().replace(b"tabletrialstrials", b"tabletri\xff\xfe\xfdtrials"))
    with pytest.raises(DataError, match="is not a store of trials"):
        Store(path)
    assert finished_trials(path) == []


def test_a_store_that_does_not_say_what_it_is_about(tmp_path: Path) -> None:
    wanted = {"data": "a", "seed": "12"}
    for damage in (
        "create trigger t after insert on about begin delete from about where name = 'data'; end",
        "update about set value = 'nonsense' where name = 'seed'",
    ):
        store = Store(tmp_path / f"{len(damage)}.sqlite")
        assert store.about(wanted) == wanted
        store._base.execute("delete from about where name = 'data'")
        store._base.execute(damage)
        with pytest.raises(DataError, match="is damaged"):
            store.about(wanted)
        store.close()


def test_what_a_store_keeps(tmp_path: Path) -> None:
    store = Store(tmp_path / "a.sqlite")
    task = Task(({"pram": {"columns": ["é"]}},), 3)
    assert store.find(task) is None
    trial = Trial(
        task, {"a": 0.1 + 0.2}, "why", 1.5, 2.5, "", ("x",), ("y",), 0.25, at_least=("a",)
    )
    store.add(trial)
    store.close()
    store = Store(tmp_path / "a.sqlite")
    assert store.find(task) == trial
    store.close()


def test_a_full_disk_is_told_as_such(tmp_path: Path) -> None:
    store = Store(tmp_path / "trials.sqlite")
    pages = store._base.execute("pragma page_count").fetchone()[0]
    store._base.execute(f"pragma max_page_count = {pages}")
    with pytest.raises(DataError, match="the disk is full"):
        store.add(Trial(Task(({"individual-ranking": {}},)), reason="x" * 100_000))
    store.close()


def test_a_disk_that_is_full_from_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = "SQLITE_IOERR_SHMSIZE"

    def connect(path: object) -> None:
        raise error

    monkeypatch.setattr(sqlite3, "connect", connect)
    with pytest.raises(DataError, match="the disk is full"):
        Store(tmp_path / "trials.sqlite")
