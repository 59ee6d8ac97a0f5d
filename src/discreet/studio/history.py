"""History: every plan that a folder has had, numbered, with a line on what was changed.

An entry is a file such as `0007.yaml`: its first line says which plan it followed and what changed,
the rest is the plan. Nothing is ever removed: undoing moves back to the plan before, and a change
after that starts a new branch. Each file is written whole, so that a kill at any moment leaves
either the old plan or the new one; which entry it is can be told from its text.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from discreet.io.whole_file import write_whole

HEAD = re.compile(r"# plan (\d+)(?:, after (\d+))?: (.*)")
CURRENT = "current"
OUTSIDE = "changed outside the studio"


@dataclass(frozen=True)
class Entry:
    """A plan with its number, the one that it followed, and what was changed."""

    number: int
    after: int | None
    change: str
    text: str


class History:
    """The plans of a folder.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     history = History(Path(folder, "plan.yaml"))
    ...     _ = history.add("version: 1\\n", "opened")
    ...     _ = history.add("version: 1\\nunit: household\\n", "the unit")
    ...     undone = history.undo()
    ...     Path(folder, "plan.yaml").read_text(), history.current.number, history.next.number
    ('version: 1\\n', 1, 2)
    """

    def __init__(self, plan: Path) -> None:
        self.plan = plan
        stem = "" if plan.stem == "plan" else f"-{plan.stem}"
        self.folder = plan.parent / f"history{stem}"
        self._read: dict[int, Entry] = {}

    @property
    def entries(self) -> list[Entry]:
        """All plans, the oldest first."""
        if not self.folder.is_dir():
            return []
        for file in os.listdir(self.folder):
            stem, _, ending = file.partition(".")
            number = int(stem) if ending == "yaml" and stem.isdecimal() else 0
            if number and number not in self._read:
                entry = _entry((self.folder / file).read_text(encoding="utf-8"))
                if entry is not None:
                    self._read[number] = entry
        return [self._read[number] for number in sorted(self._read)]

    @property
    def current(self) -> Entry:
        """The entry that the plan file is; one that was changed by somebody else is added."""
        text = self.plan.read_text(encoding="utf-8")
        entries = {entry.number: entry for entry in self.entries}
        pointed = entries.get(self._pointer())
        if pointed is not None and pointed.text == text:
            return pointed
        # A kill came between the plan and the pointer, or somebody edited the plan.
        same = [entry for entry in entries.values() if entry.text == text]
        if same:
            self._point(same[-1].number)
            return same[-1]
        return self.add(text, OUTSIDE)

    @property
    def previous(self) -> Entry | None:
        """What undoing leads to."""
        after = self.current.after
        return next((entry for entry in self.entries if entry.number == after), None)

    @property
    def next(self) -> Entry | None:
        """What redoing leads to: the newest plan that followed this one."""
        number = self.current.number
        following = [entry for entry in self.entries if entry.after == number]
        return following[-1] if following else None

    def add(self, text: str, change: str) -> Entry:
        """Make a text the plan, as the newest entry."""
        numbers = [entry.number for entry in self.entries]
        after = self._pointer() if numbers else None
        entry = Entry(max(numbers, default=0) + 1, after, " ".join(change.split()), text)
        self.folder.mkdir(parents=True, exist_ok=True)
        followed = f", after {entry.after}" if entry.after else ""
        head = f"# plan {entry.number}{followed}: {entry.change}\n"
        write_whole(self.folder / f"{entry.number:04}.yaml", (head + text).encode())
        self._read[entry.number] = entry
        self._take(entry)
        return entry

    def undo(self) -> Entry | None:
        """Go back to the plan before; None if there is none."""
        return self._go(self.previous)

    def redo(self) -> Entry | None:
        """Go to the plan that followed; None if there is none."""
        return self._go(self.next)

    def go_to(self, number: int) -> Entry | None:
        """Go to any plan."""
        return self._go(next((e for e in self.entries if e.number == number), None))

    def _go(self, entry: Entry | None) -> Entry | None:
        if entry is not None:
            self._take(entry)
        return entry

    def _take(self, entry: Entry) -> None:
        write_whole(self.plan, entry.text.encode())
        self._point(entry.number)

    def _point(self, number: int) -> None:
        write_whole(self.folder / CURRENT, f"{number}\n".encode())

    def _pointer(self) -> int:
        try:
            return int((self.folder / CURRENT).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return 0


def _entry(whole: str) -> Entry | None:
    head, _, text = whole.partition("\n")
    match = HEAD.fullmatch(head)
    if match is None:
        return None
    after = int(match[2]) if match[2] else None
    return Entry(int(match[1]), after, match[3], text)
