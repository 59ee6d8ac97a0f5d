"""Places: the folder that the studio may look into, and nothing outside it, not even through
links.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from discreet.errors import DataError, UsageError
from discreet.io.formats import kind_of_path

WORK = ".studio"
"""The ending of the folder in which the work on a file is kept, beside the file."""
PLAN = "plan.yaml"
DEEPEST = 4
MOST = 500
"""The most entries of a folder that are listed; the rest are counted."""


@dataclass(frozen=True)
class Listed:
    """An entry of a folder: its name, its place below the root, and what can be done with it."""

    name: str
    place: str
    kind: str
    bytes: int


@dataclass(frozen=True)
class Listing:
    """What a folder holds: folders, files that can be opened, and how many others."""

    place: str
    above: str | None
    entries: tuple[Listed, ...]
    others: int


class Places:
    """A root folder and what lies in it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Path(folder, "people.csv").touch()
    ...     [(entry.name, entry.kind) for entry in Places(Path(folder)).listing("").entries]
    [('people.csv', 'data')]
    """

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.realpath(root))
        if not self.root.is_dir():
            raise UsageError(f"the folder '{root}' does not exist; give another with --folder")

    def inside(self, place: str | Path) -> Path:
        """Return the path of a place below the root, or refuse one that lies outside."""
        path = Path(os.path.realpath(self.root / place))
        if "\0" in str(place) or not path.is_relative_to(self.root):
            raise UsageError(
                "only files in the folder that the studio was started with can be opened; start it "
                "with another --folder"
            )
        return path

    def name_of(self, path: Path) -> str:
        """Return a path as a place below the root, with slashes."""
        return path.relative_to(self.root).as_posix()

    def listing(self, place: str) -> Listing:
        """Return what a folder holds, hidden files and links that lead outside left out."""
        folder = self.inside(place)
        if not folder.is_dir():
            raise DataError(f"there is no folder '{place}' here any more; go back to the start")
        listed: list[Listed] = []
        others = 0
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name.lower())
        except OSError as error:
            raise DataError(f"the folder '{place}' cannot be read: {error.strerror}") from None
        for entry in entries:
            kind = self._kind(Path(entry.path))
            if not kind or entry.name.startswith("."):
                others += not entry.name.startswith(".") and not entry.name.endswith(WORK)
                continue
            size = entry.stat().st_size if kind != "folder" else 0
            listed.append(Listed(entry.name, self.name_of(Path(entry.path)), kind, size))
        above = None if folder == self.root else self.name_of(folder.parent)
        shown = sorted(listed, key=lambda item: item.kind == "data")[:MOST]
        name = "" if folder == self.root else self.name_of(folder)
        rest = others + len(listed) - len(shown)
        return Listing(name, "" if above == "." else above, tuple(shown), rest)

    def _kind(self, path: Path) -> str:
        """Return what an entry is: a folder, data, a plan, or nothing that can be opened."""
        if not Path(os.path.realpath(path)).is_relative_to(self.root):
            return ""
        if path.is_dir():
            return "" if path.name.endswith(WORK) else "folder"
        if not path.is_file():
            return ""
        if path.suffix in (".yaml", ".yml"):
            return "plan"
        try:
            kind_of_path(path)
        except (DataError, UsageError):
            return ""
        return "data"

    def works(self) -> list[Path]:
        """Return the plans of the work begun below the root, the latest first."""
        plans = []
        for folder, inner, files in os.walk(self.root):
            current = Path(folder)
            depth = len(current.relative_to(self.root).parts)
            inner[:] = [n for n in inner if not n.startswith(".")] if depth < DEEPEST else []
            if current.name.endswith(WORK):
                inner.clear()
                if PLAN in files:
                    plans.append(current / PLAN)
        return sorted(plans, key=lambda plan: -plan.stat().st_mtime)

    def work_for(self, file: Path, table: str = "") -> Path:
        """Return the plan of the work on a data file, or a table of it, in the folder beside it."""
        of_table = f".{quote(table, safe=' ')}" if table else ""
        return file.with_name(f"{file.name}{of_table}{WORK}") / PLAN
