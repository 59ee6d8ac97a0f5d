"""A waiting room: batches too small to be released, kept private until enough have come.

Each batch is a copy of its file in a folder that nobody else can read. As soon as all of them
together can be released they are, and the room is empty again. What is about to be released is
noted first, so that a run that is killed cannot release the same people twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.errors import DataError
from discreet.io.files import read_table
from discreet.io.reading import read
from discreet.io.whole_file import write_whole
from discreet.publishing.checksum import sha256
from discreet.publishing.manifest import MANIFEST
from discreet.release.plan import Plan

if TYPE_CHECKING:
    import pyarrow as pa

    from discreet.microdata import Microdata

LEAVING = "leaving.json"


@dataclass(frozen=True)
class WaitingRoom:
    """A private folder with the batches that wait, in the order in which they came."""

    folder: Path

    @classmethod
    def at(cls, folder: Path) -> WaitingRoom:
        """Return the room of a folder, which is made if it is not there; it must be private.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     WaitingRoom.at(Path(place, "room")).batches
        []
        """
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(
                f"'{folder}' cannot be created: {error.strerror}; choose another folder"
            ) from None
        if folder.stat().st_mode & 0o077:
            raise DataError(
                f"records wait in a private folder, but others can read '{folder}'; remove their "
                "permissions (chmod 700), or name a folder that does not exist yet"
            )
        room = cls(folder)
        room._settle()
        return room

    @property
    def batches(self) -> list[Path]:
        """The files that wait."""
        return sorted(self.folder.glob("batch-*"))

    def add(self, file: Path) -> None:
        """Add a copy of a file; one that is already waiting is refused."""
        if sha256(file) in {sha256(batch) for batch in self.batches}:
            raise DataError(
                f"the records of '{file.name}' are already waiting; add a batch only once, or "
                "leave out --data to try again"
            )
        last = max((int(batch.name[6:11]) for batch in self.batches), default=0)
        place = self.folder / f"batch-{last + 1:05}{file.suffix}"
        write_whole(place, file.read_bytes(), private=True)

    def together(self, plan: Plan) -> Microdata:
        """Return the records of all batches as one table, read as a plan says."""
        tables = [read_table(batch, **plan.options).table for batch in self.batches]
        original = read(
            _one_below_the_other(tables),
            plan.roles,
            plan.kinds,
            levels=plan.levels,
            unit=plan.unit,
            missing=plan.missing or None,
        )
        return plan.expectation.met_by(original)

    @contextmanager
    def leaving(self, directory: Path) -> Iterator[None]:
        """Empty the room after a release of its batches was written to a directory."""
        names = [batch.name for batch in self.batches]
        noted = {"directory": str(directory.absolute()), "batches": names}
        write_whole(self.folder / LEAVING, json.dumps(noted).encode(), private=True)
        try:
            yield
        finally:
            self._settle()

    def _settle(self) -> None:
        """Remove what was released, even if the run that released it was killed first."""
        note = self.folder / LEAVING
        if not note.exists():
            return
        content = json.loads(note.read_text(encoding="utf-8"))
        if (Path(content["directory"]) / MANIFEST).exists():
            for name in content["batches"]:
                (self.folder / name).unlink(missing_ok=True)
        note.unlink()


def _one_below_the_other(tables: list[pa.Table]) -> pa.Table:
    import pyarrow as pa

    try:
        return pa.concat_tables(tables, promote_options="permissive")
    except pa.ArrowException:
        raise DataError(
            "the waiting batches have columns whose types cannot be combined, such as text in one "
            "and numbers in another; a plan that states the 'type' of its columns refuses such a "
            "batch at once"
        ) from None
