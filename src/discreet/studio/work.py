"""Work: one plan in its folder, with everything that was made of it.

The folder is the truth: `plan.yaml`, its history, the releases tried and written, the exploration.
Nothing is kept only in memory except the data themselves; the command line may work on the same
folder at the same time.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from pathlib import Path
from threading import RLock
from typing import Any

from discreet.errors import DataError, DiscreetError, UsageError
from discreet.io.database import database_name, is_address
from discreet.io.whole_file import write_whole
from discreet.release.describing import describe
from discreet.release.plan import Plan
from discreet.release.starter_plan import starter_plan
from discreet.studio.draft import Draft
from discreet.studio.history import Entry, History
from discreet.studio.plan_data import Table, read_table, reading_of, release_memory
from discreet.studio.tries import Tries, private_folder

PATIENCE = 1.0
"""Seconds that a page waits for the data before it says that they are being read."""


class StillReading(Exception):
    """The data are being read; the page is to be asked for again."""


class Work:
    """A plan and its folder."""

    def __init__(self, plan: Path) -> None:
        self.path = plan
        self.folder = plan.parent
        self.history = History(plan)
        self.tries = Tries(plan.parent)
        self.lock = RLock()
        self._reader = ThreadPoolExecutor(1, "reading")
        self._reading: tuple[Any, Future[Table]] | None = None

    @classmethod
    def begin(cls, file: Path | str, plan: Path, options: Mapping[str, str] | None = None) -> Work:
        """Begin work on a data file or database: describe it, and write a plan to start from."""
        source = file if isinstance(file, str) else Path(os.path.relpath(file, plan.parent))
        described = describe(file, **(options or {}), cells=0)
        text = starter_plan(described, str(source), options)
        del described
        release_memory()
        private_folder(plan.parent)
        work = cls(plan)
        # The plan is written last: a folder with a plan is a work that was begun.
        write_whole(plan, text.encode())
        work.history.add(text, f"opened {getattr(file, 'name', 'a database')}")
        return work

    @property
    def text(self) -> str:
        """The text of the plan."""
        return self.history.current.text

    @property
    def draft(self) -> Draft:
        """The plan as plain data, to be edited."""
        return Draft.of(self.text)

    @property
    def plan(self) -> Plan:
        """The plan; it may have no steps yet."""
        return self._plan_of(self.text)

    def _plan_of(self, text: str) -> Plan:
        plan = Plan.draft(text, self.folder)
        if plan.files:
            raise UsageError(
                "the studio shows one file, but this plan has several ('files:'); run it with "
                "'discreet protect', or join the files and open the joined one"
            )
        return plan

    @property
    def name(self) -> str:
        """What a person calls it: its data file or database, with the table; or its folder."""
        try:
            file, table = self.plan.file, self.plan.options.get("table")
        except (DiscreetError, OSError, RecursionError):  # somebody edited the plan by hand
            file, table = None, None
        if not file:
            return self.folder.name
        name = database_name(file) if is_address(file) else Path(file).name
        return f"{name}, {table}" if table else name

    def change(self, edit: Callable[[Draft], str]) -> Entry:
        """Change the plan, and keep it only if it can still be read; return the new entry."""
        with self.lock:
            before = self.text
            draft = Draft.of(before)
            change = edit(draft)
            text = draft.text()
            self._plan_of(text)
            return self.history.current if text == before else self.history.add(text, change)

    def replace_text(self, text: str) -> Entry:
        """Make a text the plan, if it is one."""
        with self.lock:
            text = "\n".join(text.splitlines()) + "\n"
            Draft.of(text)
            self._plan_of(text)
            same = text == self.text
            return self.history.current if same else self.history.add(text, "edited as text")

    def table(self, patience: float = PATIENCE) -> Table:
        """Return the data of the plan; raise `StillReading` if that takes longer than a moment."""
        plan = self.plan
        with self.lock:
            key = reading_of(plan)
            if self._reading is None or self._reading[0] != key:
                self._reading = (key, self._reader.submit(_read_and_look, plan))
            future = self._reading[1]
        try:
            return future.result(patience)
        except NotYet:
            raise StillReading from None

    def forget(self) -> None:
        """Release the data from memory."""
        with self.lock:
            self._reading = None

    def releases(self) -> list[Path]:
        """Return the releases that were written to the folder of the work, the latest first."""
        place = self.folder / "releases"
        if not place.is_dir():
            return []
        releases = [p for p in place.iterdir() if (p / "manifest.json").is_file()]
        return sorted(releases, key=lambda p: p.stat().st_mtime, reverse=True)

    def hierarchy_file(self, column: str) -> Path | None:
        """Return the file of the hierarchy that a column has, as the plan or a step names it."""
        draft = self.draft
        named = [entry for step in draft.steps for entry in step.values.get("hierarchies") or ()]
        by_steps = dict(str(entry).partition("=")[::2] for entry in named)
        file = draft.hierarchies.get(column) or by_steps.get(column)
        path = Path(os.path.realpath(self.folder / file)) if file else None
        inside = path is not None and path.is_relative_to(os.path.realpath(self.folder))
        return path if path is not None and inside and path.is_file() else None

    def keep_hierarchy(self, column: str, content: bytes) -> str:
        """Write a hierarchy of a column; return the name of its file.

        It is named after its content: the plans of the history keep the one that they had.
        """
        safe = "".join(c if c.isalnum() or c in "-_" else "_" for c in column)[:80]
        mark = hashlib.sha256(content).hexdigest()[:8]
        file = self.folder / f"hierarchy-{self.column_number(column)}-{safe}-{mark}.csv"
        write_whole(file, content)
        return file.name

    def column_number(self, column: str) -> int:
        """Return the place of a column in the plan, counted from 1."""
        names = list(self.draft.content.get("columns") or {})
        if column not in names:
            raise DataError("the plan has no such column any more; load the page again")
        return names.index(column) + 1


def _read_and_look(plan: Plan) -> Table:
    table = read_table(plan)
    # All that the page of columns shows, so that it is there when the data are.
    _ = table.suggestions
    for name in table.data.schema.names:
        table.glance(name)
    release_memory()
    return table
