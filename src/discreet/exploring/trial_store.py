"""The store of trials: an SQLite file, so that an interrupted search resumes where it stopped.

It holds the secret seed, so only its owner can read it.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from discreet.errors import DataError
from discreet.exploring.trial import Task, Trial

TABLES = """
create table if not exists about (name text primary key, value text not null);
create table if not exists trials (
    key text primary key, steps text not null, repeat integer not null, scores text not null,
    reason text not null, seconds real not null, megabytes real not null, stopped text not null,
    lost text not null, loose text not null, kept real, changed real, at_least text not null
);
"""


DAMAGED = (sqlite3.Error, UnicodeDecodeError)
"""What reading a damaged file raises: an error of SQLite may quote bytes that are not text."""


class Store:
    """Finished trials by their key; in memory if there is no path.

    >>> store = Store(None)
    >>> task = Task(({"pram": {}},))
    >>> store.add(Trial(task, {"k-anonymity": 3.0}))
    >>> store.find(task).scores
    {'k-anonymity': 3.0}
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        if path is not None and not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        try:
            self._base = sqlite3.connect(":memory:" if path is None else path)
            self._base.execute("pragma journal_mode = wal")
            self._base.executescript(TABLES)
        except DAMAGED as error:
            _refuse_full_disk(error, path)
            raise DataError(
                f"'{path}' is not a store of trials; choose another directory with --out"
            ) from None

    def about(self, wanted: Mapping[str, str]) -> dict[str, str]:
        """Return what the store is about; a new one is filled with what is wanted."""
        with self._sound(), self._base:
            for name, value in wanted.items():
                self._base.execute("insert or ignore into about values (?, ?)", (name, value))
            about = dict(self._base.execute("select name, value from about"))
        if not wanted.keys() <= about.keys() or not str(about.get("seed", 0)).isdecimal():
            raise self._damaged("what it is about is missing")
        return about

    def add(self, trial: Trial) -> None:
        """Keep a finished trial; it is on the disk when this returns."""
        task = trial.task
        row = (
            task.key,
            json.dumps(task.plain_steps, ensure_ascii=False),
            task.repeat,
            json.dumps(dict(trial.scores)),
            trial.reason,
            trial.seconds,
            trial.megabytes,
            trial.stopped,
            json.dumps(trial.lost, ensure_ascii=False),
            json.dumps(trial.loose, ensure_ascii=False),
            trial.kept,
            trial.changed,
            json.dumps(trial.at_least),
        )
        places = ", ".join("?" * len(row))
        with self._sound(), self._base:
            self._base.execute(f"insert or replace into trials values ({places})", row)

    def find(self, task: Task) -> Trial | None:
        """Return the trial of this task, if it is finished."""
        asked = (
            "select scores, reason, seconds, megabytes, stopped, lost, loose, kept, changed, "
            "at_least from trials where key = ?"
        )
        with self._sound():
            row = self._base.execute(asked, (task.key,)).fetchone()
            if row is None:
                return None
            scores, reason, seconds, megabytes, stopped, lost, loose, kept, changed, at_least = row
            return Trial(
                task,
                json.loads(scores),
                reason,
                seconds,
                megabytes,
                stopped,
                tuple(json.loads(lost)),
                tuple(json.loads(loose)),
                kept,
                changed,
                tuple(json.loads(at_least)),
            )

    @contextmanager
    def _sound(self) -> Iterator[None]:
        """Report which file cannot be read or written."""
        try:
            yield
        except (*DAMAGED, json.JSONDecodeError) as error:
            _refuse_full_disk(error, self.path)
            raise self._damaged(type(error).__name__) from None

    def _damaged(self, reason: str) -> DataError:
        return DataError(
            f"the store of trials '{self.path}' is damaged or of another version ({reason}); "
            "remove it, or choose another place"
        )

    def close(self) -> None:
        """Close the file."""
        self._base.close()


def finished_trials(path: Path) -> list[Trial]:
    """Return the trials of a store that a search may still be writing to, the oldest first.

    >>> finished_trials(Path("no-such-store.sqlite"))
    []
    """
    if not path.is_file():
        return []
    asked = "select steps, repeat, scores, reason, seconds from trials order by rowid"
    try:
        base = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            rows = base.execute(asked).fetchall()
        finally:
            base.close()
        return [
            Trial(Task(tuple(json.loads(steps)), repeat), json.loads(scores), reason, seconds)
            for steps, repeat, scores, reason, seconds in rows
        ]
    except (*DAMAGED, json.JSONDecodeError, TypeError):
        # It is being created, or is of another version: there is nothing to show yet.
        return []


def _refuse_full_disk(error: Exception, path: Path | None) -> None:
    """Report a lack of space for the store, or for the memory that is shared."""
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
        raise DataError(
            f"'{path}' cannot be written: the disk is full or failing; free some space or "
            "choose another place with --out"
        ) from None
