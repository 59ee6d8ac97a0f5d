"""A fault, and the folder in which it is kept for somebody to examine."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


class Fault(AssertionError):
    """Something that must never happen; `kind` is the same for all faults with the same cause."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind, self.detail = kind, detail


class Overtime(BaseException):
    """A case that took too long; no handler of ordinary errors catches it."""


@dataclass(frozen=True)
class Kept:
    """A fault that was found, made as small as possible, and where it is kept."""

    kind: str
    detail: str
    folder: str = ""


def keep(fault: Fault, root: Path, write: Callable[[Path], None], how: str) -> Kept:
    """Write a reproducer: what `write` puts into the folder, and a note on how to run it."""
    name = re.sub(r"[^a-z0-9]+", "-", fault.kind.lower()).strip("-")[:80]
    folder = root / name
    number = 1
    while folder.exists():
        number += 1
        folder = root / f"{name}-{number}"
    folder.mkdir(parents=True)
    try:
        write(folder)
    except Exception as error:
        how += f"\n(The reproducer could not be written whole: {type(error).__name__}: {error})"
    note = f"{fault.kind}\n\n{fault.detail}\n\nTo see it again:\n{how}\n"
    (folder / "FAULT.txt").write_text(note, encoding="utf-8", errors="backslashreplace")
    return Kept(fault.kind, fault.detail, str(folder))


def clear(folder: Path) -> None:
    """Remove a folder, whatever a killed run has left in it."""
    shutil.rmtree(folder, ignore_errors=True)
