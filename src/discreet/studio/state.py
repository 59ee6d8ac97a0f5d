"""The studio: its folder, the works that are open, and the jobs that are running."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from threading import RLock

from discreet import datasets
from discreet.errors import DataError
from discreet.io.whole_file import write_whole
from discreet.studio.first_bytes import refuse_other_file
from discreet.studio.guard import Secrets
from discreet.studio.jobs import Jobs
from discreet.studio.places import PLAN, Places
from discreet.studio.work import Work

MOST_OPEN = 3
"""How many works have their data kept in memory."""


class Studio:
    """Everything that the pages share."""

    def __init__(self, folder: Path, keys: Secrets | None = None) -> None:
        self.places = Places(folder)
        self.keys = keys or Secrets()
        self.changes = 0
        self.jobs = Jobs(self.changed)
        self.stopping = False
        self._works: OrderedDict[str, Work] = OrderedDict()
        self._lock = RLock()

    def changed(self) -> None:
        """Note that something changed, for the pages that are open."""
        self.changes += 1

    def work(self, place: str) -> Work:
        """Return the work of a plan below the folder."""
        path = self.places.inside(place)
        if not path.is_file():
            raise DataError("this work is not in the folder any more; go back to the start")
        with self._lock:
            if place not in self._works:
                self._works[place] = Work(path)
            self._works.move_to_end(place)
            for other in list(self._works)[:-MOST_OPEN]:
                self._works[other].forget()
            return self._works[place]

    def open(self, place: str, options: dict[str, str] | None = None) -> str:
        """Open a data file or a plan; return the place of its plan."""
        path = self.places.inside(place)
        if not path.is_file():
            raise DataError(f"there is no file '{place}' in this folder; choose another")
        if path.suffix in (".yaml", ".yml"):
            work = Work(path)
            _ = work.plan
            return self.places.name_of(path)
        refuse_other_file(path)
        table = (options or {}).get("table", "")
        plan = self.places.inside(self.places.work_for(path, table))
        if not plan.exists():
            Work.begin(path, plan, options)
        return self.places.name_of(plan)

    def open_database(self, address: str, options: dict[str, str]) -> str:
        """Begin work on a table or query of a database."""
        number = 1
        while (folder := self.places.root / f"database-{number}.studio").exists():
            number += 1
        Work.begin(address, folder / PLAN, options)
        return self.places.name_of(folder / PLAN)

    def open_demo(self) -> str:
        """Put the invented patients into the folder, unless they are there, and open them."""
        source = datasets.path("patients")
        content = source.read_bytes()
        number = 1
        while True:
            name = source.name if number == 1 else f"{source.stem}-{number}{source.suffix}"
            target = self.places.root / name
            if not target.exists() or target.read_bytes() == content:
                break
            number += 1
        if not target.exists():
            write_whole(target, content)
        return self.open(name)

    def upload_place(self, name: str) -> Path:
        """Return where a file that is dropped on the page is put: a new name, in the folder."""
        bare = Path(name.replace("\\", "/")).name.lstrip(".") or "file"
        folder = self.places.root
        target, number = folder / bare, 2
        while target.exists():
            stem, dot, rest = bare.partition(".")
            target = folder / f"{stem}-{number}{dot}{rest}"
            number += 1
        return target

    def close(self) -> None:
        """End the jobs."""
        self.stopping = True
        self.jobs.close()
