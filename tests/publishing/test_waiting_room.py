"""The waiting room: private, in order, and emptied only by a release."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from discreet import DataError, Plan
from discreet.publishing.manifest import MANIFEST
from discreet.publishing.waiting_room import LEAVING, WaitingRoom

PLAN = Plan.parse("{columns: {age: {role: quasi-identifier, kind: continuous}}, steps: [rounding]}")


@pytest.fixture
def room(tmp_path: Path) -> WaitingRoom:
    return WaitingRoom.at(tmp_path / "room")


def batch(folder: Path, name: str, *ages: float) -> Path:
    file = folder / name
    file.write_text("\n".join(["age", *map(str, ages)]) + "\n")
    return file


def test_batches_are_one_table_in_the_order_in_which_they_came(
    tmp_path: Path, room: WaitingRoom
) -> None:
    room.add(batch(tmp_path, "b.csv", 40, 41))
    room.add(batch(tmp_path, "a.csv", 21.5))
    assert room.together(PLAN)["age"].tolist() == [40, 41, 21.5]
    assert [file.name for file in room.batches] == ["batch-00001.csv", "batch-00002.csv"]
    with pytest.raises(DataError, match=r"the records of 'b.csv' are already waiting"):
        room.add(tmp_path / "b.csv")


@pytest.mark.skipif(os.name != "posix", reason="rights of files are those of POSIX")
def test_nobody_else_can_read_what_waits(tmp_path: Path, room: WaitingRoom) -> None:
    room.add(batch(tmp_path, "b.csv", 40))
    assert room.folder.stat().st_mode & 0o077 == 0
    assert room.batches[0].stat().st_mode & 0o077 == 0
    room.folder.chmod(0o750)
    with pytest.raises(DataError, match="others can read"):
        WaitingRoom.at(room.folder)


def test_only_a_release_empties_it(tmp_path: Path, room: WaitingRoom) -> None:
    room.add(batch(tmp_path, "b.csv", 40))
    with pytest.raises(KeyError), room.leaving(tmp_path / "out"):
        raise KeyError
    assert len(room.batches) == 1
    with room.leaving(tmp_path / "out"):
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / MANIFEST).write_text("{}")
    assert room.batches == []
    assert not (room.folder / LEAVING).exists()


def test_a_run_that_was_killed_after_its_release_does_not_release_anybody_twice(
    tmp_path: Path, room: WaitingRoom
) -> None:
    room.add(batch(tmp_path, "b.csv", 40))
    note = {"directory": str(tmp_path), "batches": [room.batches[0].name]}
    (room.folder / LEAVING).write_text(json.dumps(note))
    assert len(WaitingRoom.at(room.folder).batches) == 1, "it was killed before its release"
    (room.folder / LEAVING).write_text(json.dumps(note))
    (tmp_path / MANIFEST).write_text("{}")
    assert WaitingRoom.at(room.folder).batches == []


def test_batches_that_cannot_be_joined_are_told(tmp_path: Path, room: WaitingRoom) -> None:
    room.add(batch(tmp_path, "b.csv", 40))
    (tmp_path / "text.csv").write_text("age\nold\n")
    room.add(tmp_path / "text.csv")
    with pytest.raises(DataError, match="columns whose types cannot be combined"):
        room.together(PLAN)
