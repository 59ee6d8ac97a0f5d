"""Forcing a directory to the disk reaches every file in it, and nothing beyond it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from discreet.io.sync import sync_directory, sync_file, sync_tree


def test_every_file_and_directory_below_is_flushed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "a.csv").write_text("a")
    (tmp_path / "inner" / "b.csv").write_text("b")
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: flushed.append(os.fstat(descriptor).st_ino))
    sync_tree(tmp_path)
    places = [tmp_path, tmp_path / "inner", tmp_path / "a.csv", tmp_path / "inner" / "b.csv"]
    assert sorted(flushed) == sorted(place.stat().st_ino for place in places)


def test_links_are_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = tmp_path / "outside.csv"
    outside.write_text("not ours")
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "link").symlink_to(outside)
    (tmp_path / "ours" / "broken").symlink_to(tmp_path / "gone")
    flushed: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: flushed.append(os.fstat(descriptor).st_ino))
    sync_tree(tmp_path / "ours")
    assert flushed == [(tmp_path / "ours").stat().st_ino]


@pytest.mark.parametrize("sync", [sync_file, sync_directory])
def test_what_is_not_there_is_an_error(sync: object, tmp_path: Path) -> None:
    assert callable(sync)
    with pytest.raises(FileNotFoundError):
        sync(tmp_path / "gone")


def test_no_descriptor_is_left_open_when_flushing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_text("a")
    opened: list[int] = []

    def failing(descriptor: int) -> None:
        opened.append(descriptor)
        raise OSError("no room")

    monkeypatch.setattr(os, "fsync", failing)
    for sync, place in ((sync_file, tmp_path / "a"), (sync_directory, tmp_path)):
        with pytest.raises(OSError, match="no room"):
            sync(place)
    for descriptor in opened:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(descriptor)
