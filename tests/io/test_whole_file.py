"""A file is replaced whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from discreet.errors import DataError
from discreet.io.whole_file import write_whole


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    place = tmp_path / "plan.yaml"
    for content in (b"first", b"second", b""):
        write_whole(place, content)
        assert place.read_bytes() == content
    assert list(tmp_path.iterdir()) == [place]


def test_what_is_private_is_so_whatever_was_there_before(tmp_path: Path) -> None:
    place = tmp_path / "page.html"
    place.write_text("open")
    place.chmod(0o644)
    write_whole(place, b"closed", private=True)
    assert place.stat().st_mode & 0o777 == 0o600


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "plan.yaml"
    place.write_bytes(b"old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DataError, match=r"plan\.yaml' cannot be written: No space left on device"):
        write_whole(place, b"new")
    assert place.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [place]


def test_a_folder_that_is_not_there_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be written: No such file or directory") as caught:
        write_whole(tmp_path / "none" / "plan.yaml", b"new")
    assert caught.value.__cause__ is None
