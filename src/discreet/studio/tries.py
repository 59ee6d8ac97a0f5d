"""Tries: releases that were made for inspection, each with its outcome, none of them public yet.

`tried/0003/` is a complete release directory as `discreet protect` writes it, `tried/0003.json`
says which plan made it and what came of it. The folder is private. A release becomes public only
when it is written somewhere else.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from discreet.io.whole_file import write_whole

FOLDER = "tried"
MOST_KEPT = 20
"""How many directories of releases are kept; the outcome of every try is kept."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of running a plan: the verdict in words, and the figures of all measures.

    `error` is why nothing was made; `scores` has for each measure the value before and after.
    """

    number: int
    plan: int
    text: str
    steps: tuple[str, ...] = ()
    light: str = ""
    sentences: tuple[str, ...] = ()
    scores: Mapping[str, tuple[float | None, float]] = field(default_factory=dict)
    records: int = 0
    seconds: float = 0.0
    when: str = ""
    notes: tuple[str, ...] = ()
    error: str = ""


class Tries:
    """The tries of a folder.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tries = Tries(Path(folder))
    ...     tries.keep(Outcome(tries.next_number(), 1, "version: 1", light="green"))
    ...     [outcome.light for outcome in tries.all()]
    ['green']
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / FOLDER
        self._read: dict[int, Outcome] = {}

    def directory(self, number: int) -> Path:
        """Return where a release lies."""
        return self.folder / f"{number:04}"

    def steps_file(self, number: int) -> Path:
        """Return where the effects of each step of a try are kept."""
        return self.folder / f"{number:04}-steps.json"

    def next_number(self) -> int:
        """Return the number of the next try."""
        if not self.folder.is_dir():
            return 1
        numbers = [int(p.stem) for p in self.folder.iterdir() if p.stem.isdigit()]
        return max(numbers, default=0) + 1

    def keep(self, outcome: Outcome) -> None:
        """Keep an outcome, and drop the files of the oldest releases."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        text = json.dumps(asdict(outcome), ensure_ascii=False, indent=1)
        write_whole(self.folder / f"{outcome.number:04}.json", text.encode(), private=True)
        old = sorted(p for p in self.folder.iterdir() if p.is_dir() and p.name.isdigit())
        for directory in old[:-MOST_KEPT]:
            self.drop_files(int(directory.name))

    def drop_files(self, number: int) -> None:
        """Remove the files of a try; what came of it stays."""
        shutil.rmtree(self.directory(number), ignore_errors=True)
        self.steps_file(number).unlink(missing_ok=True)

    def with_files(self) -> list[int]:
        """Return the tries whose files are still there."""
        return [outcome.number for outcome in self.all() if self.has_files(outcome)]

    def all(self) -> list[Outcome]:
        """Return every outcome, the oldest first; one that cannot be read is left out."""
        if not self.folder.is_dir():
            return []
        for path in self.folder.glob("[0-9]*.json"):
            number = int(path.stem) if path.stem.isdigit() else 0
            if number and number not in self._read:
                outcome = _outcome(path)
                if outcome is not None:
                    self._read[number] = outcome
        return [self._read[number] for number in sorted(self._read)]

    def find(self, number: int) -> Outcome | None:
        """Return one outcome."""
        return next((outcome for outcome in self.all() if outcome.number == number), None)

    def of_plan(self, text: str) -> Outcome | None:
        """Return the latest outcome of a plan with this very text."""
        return next((o for o in reversed(self.all()) if o.text == text), None)

    def has_files(self, outcome: Outcome) -> bool:
        """Whether the release itself is still there."""
        return (self.directory(outcome.number) / "manifest.json").is_file()


def _outcome(path: Path) -> Outcome | None:
    try:
        plain: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        plain["scores"] = {name: tuple(pair) for name, pair in plain["scores"].items()}
        for name in ("steps", "sentences", "notes"):
            plain[name] = tuple(plain[name])
        return Outcome(**plain)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def private_folder(path: Path) -> Path:
    """Make a folder that only its owner can look into."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.chmod(path, 0o700)
    return path
