"""A directory is published whole or not at all, and nothing of others is lost."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from discreet.errors import DataError
from discreet.io import atomic
from discreet.io.atomic import publish_directory, write_private


def contents(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


def ours(name: str) -> bool:
    return name in ("data.csv", "manifest.json", "private/seed")


def write(folder: Path, text: str) -> None:
    (folder / "data.csv").write_text(text)
    (folder / "manifest.json").write_text(text)


@pytest.mark.parametrize("before", ["absent", "empty", "parent absent"])
def test_a_new_directory(tmp_path: Path, before: str) -> None:
    target = tmp_path / ("deep/er/release" if before == "parent absent" else "release")
    if before == "empty":
        target.mkdir()
    with publish_directory(target) as fresh:
        assert fresh.parent == target.parent
        assert fresh.name.startswith(".release.partial-")
        write(fresh, "new")
        assert not target.exists() or not list(target.iterdir())
    assert contents(target) == {"data.csv": "new", "manifest.json": "new"}
    assert os.listdir(target.parent) == ["release"]


@pytest.mark.parametrize("exchange", [True, False])
def test_overwriting_what_is_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exchange: bool
) -> None:
    if not exchange:
        monkeypatch.setattr(atomic, "_exchange", lambda one, other: False)
    target = tmp_path / "release"
    (target / "private").mkdir(parents=True)
    write(target, "old")
    (target / "private" / "seed").write_text("old")
    target.chmod(0o750)
    with publish_directory(target, overwrite=True, owned=ours) as fresh:
        write(fresh, "new")
    assert contents(target) == {"data.csv": "new", "manifest.json": "new"}
    assert target.stat().st_mode & 0o777 == 0o750
    assert os.listdir(tmp_path) == ["release"]


def test_files_are_not_overwritten_unasked(tmp_path: Path) -> None:
    write(tmp_path, "old")
    with (
        pytest.raises(DataError, match="already holds files"),
        publish_directory(tmp_path, owned=ours),
    ):
        pytest.fail("the block must not run")
    assert contents(tmp_path)["data.csv"] == "old"


@pytest.mark.parametrize("foreign", ["thesis.docx", "private/diary", "empty/", "link"])
def test_what_is_not_ours_is_never_lost(tmp_path: Path, foreign: str) -> None:
    target = tmp_path / "release"
    target.mkdir()
    write(target, "old")
    if foreign.endswith("/"):
        (target / foreign).mkdir()
    elif foreign == "link":
        (target / foreign).symlink_to(tmp_path)
    else:
        (target / foreign).parent.mkdir(exist_ok=True)
        (target / foreign).write_text("dear")
    with (
        pytest.raises(DataError, match=foreign.strip("/")),
        publish_directory(target, overwrite=True, owned=ours),
    ):
        pytest.fail("the block must not run")
    assert (target / foreign).exists()


def test_what_appears_meanwhile_is_not_lost_either(tmp_path: Path) -> None:
    target = tmp_path / "release"

    def publish() -> None:
        with publish_directory(target) as fresh:
            write(fresh, "new")
            target.mkdir()
            (target / "other").write_text("dear")

    with pytest.raises(DataError, match="already holds files"):
        publish()
    assert contents(target) == {"other": "dear"}
    assert os.listdir(tmp_path) == ["release"]


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "release").write_text("dear")
    with pytest.raises(DataError, match="is a file"), publish_directory(tmp_path / "release"):
        pytest.fail("the block must not run")
    with (
        pytest.raises(DataError, match="a file is in the way"),
        publish_directory(tmp_path / "release" / "inner"),
    ):
        pytest.fail("the block must not run")


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit, DataError])
@pytest.mark.parametrize("old", [True, False])
def test_an_exception_leaves_the_old_state(
    tmp_path: Path, error: type[BaseException], old: bool
) -> None:
    target = tmp_path / "release"
    if old:
        target.mkdir()
        write(target, "old")

    def publish() -> None:
        with publish_directory(target, overwrite=True, owned=ours) as fresh:
            write(fresh, "new")
            raise error

    with pytest.raises(error):
        publish()
    assert os.listdir(tmp_path) == (["release"] if old else [])
    if old:
        assert contents(target) == {"data.csv": "old", "manifest.json": "old"}


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "permission is denied"),
    ],
)
@pytest.mark.parametrize("moment", ["mkdir", "block", "rename"])
def test_refusals_of_the_file_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str, moment: str
) -> None:
    target = tmp_path / "release"

    def refuse(*arguments: object) -> None:
        raise OSError(number, os.strerror(number), str(target))

    if moment == "mkdir":
        monkeypatch.setattr(atomic, "_beside", refuse)
    elif moment == "rename":
        monkeypatch.setattr(atomic, "_take_place", refuse)

    def publish() -> None:
        with publish_directory(target) as fresh:
            write(fresh, "new")
            if moment == "block":
                refuse()

    with pytest.raises(DataError, match=words) as caught:
        publish()
    assert str(target) in str(caught.value)
    assert caught.value.__cause__ is None
    assert os.listdir(tmp_path) == []


def test_an_error_about_another_place_stays_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(PermissionError), publish_directory(tmp_path / "release"):
        raise PermissionError(errno.EACCES, "no", "/etc/shadow")


KILLED = """
import os, signal, sys
from pathlib import Path
from discreet.io import atomic

moment, target = sys.argv[1], Path(sys.argv[2])

def die(*arguments, **named):
    os.kill(os.getpid(), signal.SIGKILL)

if moment.startswith("two steps"):
    atomic._exchange = lambda one, other: False
    if moment == "two steps, between":
        rename, count = Path.rename, []
        def second(self, other):
            count.append(other)
            return rename(self, other) if len(count) < 2 else die()
        Path.rename = second
elif moment == "sync":
    atomic.sync_tree = die
elif moment == "before":
    atomic._take_place = die
elif moment == "after":
    atomic.sync_directory = die
if moment in ("removal", "two steps, removal"):
    atomic.shutil.rmtree = die
with atomic.publish_directory(target, overwrite=True, owned=lambda name: True) as fresh:
    (fresh / "data.csv").write_text("new")
    if moment == "block":
        die()
    (fresh / "manifest.json").write_text("new")
"""

OLD = {"data.csv": "old", "manifest.json": "old"}
NEW = {"data.csv": "new", "manifest.json": "new"}


@pytest.mark.skipif(sys.platform != "linux", reason="the exchange is Linux's")
@pytest.mark.parametrize(
    ("moment", "left"),
    [
        ("block", OLD),
        ("sync", OLD),
        ("before", OLD),
        ("after", NEW),
        ("removal", NEW),
        ("two steps, between", {}),
        ("two steps, removal", NEW),
    ],
)
def test_a_kill_leaves_old_or_new(tmp_path: Path, moment: str, left: dict[str, str]) -> None:
    target = tmp_path / "release"
    target.mkdir()
    write(target, "old")
    run = subprocess.run([sys.executable, "-c", KILLED, moment, str(target)], check=False)
    assert run.returncode == -signal.SIGKILL
    assert (contents(target) if target.exists() else {}) == left
    # The next run clears away what was left, and puts back what was moved aside.
    with (
        pytest.raises(ValueError, match="stop"),
        publish_directory(target, overwrite=True, owned=ours),
    ):
        raise ValueError("stop")
    assert os.listdir(tmp_path) == ["release"]
    assert contents(target) == (left or OLD)


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
@pytest.mark.parametrize("overwriting", [False, True])
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o027])
def test_what_is_not_yet_checked_is_its_owners_alone(
    tmp_path: Path, overwriting: bool, umask: int
) -> None:
    target = tmp_path / "release"
    before = os.umask(umask)
    try:
        if overwriting:
            target.mkdir()
            write(target, "old")
            target.chmod(0o755)
        with publish_directory(target, overwrite=True, owned=ours) as fresh:
            write(fresh, "new")
            assert fresh.stat().st_mode & 0o777 == 0o700
    finally:
        os.umask(before)
    assert target.stat().st_mode & 0o777 == (0o755 if overwriting else 0o777 & ~umask)
    assert (target / "data.csv").stat().st_mode & 0o777 == 0o666 & ~umask


@pytest.mark.skipif(sys.platform != "linux", reason="the exchange is Linux's")
@pytest.mark.parametrize("moment", ["block", "sync"])
def test_what_a_kill_leaves_behind_is_its_owners_alone(tmp_path: Path, moment: str) -> None:
    target = tmp_path / "release"
    target.mkdir()
    write(target, "old")
    subprocess.run(
        [sys.executable, "-c", KILLED, moment, str(target)], check=False, umask=0, timeout=60
    )
    (left,) = (path for path in tmp_path.iterdir() if path != target)
    assert left.stat().st_mode & 0o777 == 0o700


def test_leftovers_of_others_stay(tmp_path: Path) -> None:
    here = atomic._machine()
    kept = [
        f".release.partial-{here}-{os.getppid()}-00000000",
        ".release.partial-ffffffff-999999999-00000000",
        ".release.partial-draft",
        f".other.partial-{here}-999999999-00000000",
    ]
    for name in [*kept, f".release.partial-{here}-999999999-00000000"]:
        (tmp_path / name).mkdir()
    with publish_directory(tmp_path / "release") as fresh:
        write(fresh, "new")
    assert sorted(os.listdir(tmp_path)) == sorted([*kept, "release"])


def test_a_link_to_the_target_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with publish_directory(tmp_path / "link") as fresh:
        write(fresh, "new")
    assert (tmp_path / "link").is_symlink()
    assert contents(tmp_path / "real") == NEW


def test_private_files(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        write_private(tmp_path / "seed", b"secret")
    finally:
        os.umask(before)
    assert (tmp_path / "seed").read_bytes() == b"secret"
    assert (tmp_path / "seed").stat().st_mode & 0o777 == 0o600
    with pytest.raises(DataError, match="never overwritten"):
        write_private(tmp_path / "seed", b"other")
    assert (tmp_path / "seed").read_bytes() == b"secret"
