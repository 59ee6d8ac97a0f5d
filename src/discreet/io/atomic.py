"""A directory that appears whole or not at all.

The files are written into a hidden directory beside the target, which takes the target's place in
one step: whenever the process is killed, the target is the old state or the new one. What a killed
run leaves behind is removed by the next one.
"""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import secrets
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from discreet.errors import DataError
from discreet.io.sync import sync_directory, sync_tree

__all__ = ["publish_directory", "refuse_occupied", "write_private"]

_PARTIAL = "partial"
_REPLACED = "replaced"
_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}
_FORBIDDEN = {errno.EACCES, errno.EPERM}


def _owns_nothing(name: str) -> bool:
    return False


@contextmanager
def publish_directory(
    target: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    owned: Callable[[str], bool] = _owns_nothing,
) -> Iterator[Path]:
    """Yield a fresh directory that becomes `target` if the block ends without an exception.

    A target that holds files is replaced only with `overwrite`, and only if `owned` is true for
    each of its files (named relative to it, with slashes): what discreet did not write is never
    lost. On any exception the fresh directory is removed and the target is as before.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with publish_directory(Path(folder, "release")) as fresh:
    ...         _ = (fresh / "data.csv").write_text("age")
    ...     sorted(path.name for path in Path(folder).rglob("*"))
    ['data.csv', 'release']
    """
    place = Path(os.path.realpath(target))
    with _explained(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        _clear_leftovers(place)
        refuse_occupied(place, overwrite, owned)
        fresh = _beside(place, _PARTIAL)
        # Nobody else may read what is not yet checked, even if a kill leaves it behind.
        fresh.mkdir(mode=0o700)
    try:
        with _explained(place):
            usual = _usual_mode(fresh)
            yield fresh
            sync_tree(fresh)
            # Someone may have put files there while the release was being computed.
            refuse_occupied(place, overwrite, owned)
            fresh.chmod(place.stat().st_mode & 0o7777 if place.is_dir() else usual)
            _take_place(fresh, place)
            sync_directory(place.parent)
    finally:
        # After an exchange this is the old state, after a failure the unfinished new one.
        shutil.rmtree(fresh, ignore_errors=True)


def _usual_mode(folder: Path) -> int:
    """Return the permissions that the system gives a new directory, by making one."""
    probe = folder / "probe"
    probe.mkdir()
    mode = probe.stat().st_mode & 0o7777
    probe.rmdir()
    return mode


def write_private(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a new file that only its owner may read, from its first byte on.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "seed")
    ...     write_private(file, b"secret")
    ...     oct(file.stat().st_mode & 0o777) if os.name == "posix" else "0o600"
    '0o600'
    """
    place = Path(path)
    # Exclusive: a file that is there may be open, linked or readable elsewhere.
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with _explained(place):
        try:
            descriptor = os.open(place, flags, 0o600)
        except FileExistsError:
            raise DataError(
                f"a private file is never overwritten, but '{place}' already exists; "
                "remove it or choose another name"
            ) from None
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())


@contextmanager
def _explained(place: Path) -> Iterator[None]:
    """Turn errors of the file system into one sentence that names the place."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            reason, way_out = "the disk is full", "free some space or choose another place"
        elif error.errno == errno.EROFS:
            reason, way_out = "the file system is read-only", "choose another place"
        elif error.errno in _FORBIDDEN and _concerns(error, place):
            reason, way_out = "permission is denied", "ask for it or choose another place"
        elif error.errno in (errno.ENOTDIR, errno.EEXIST) and _concerns(error, place):
            reason, way_out = "a file is in the way", "choose another place"
        elif error.errno == errno.ENAMETOOLONG:
            reason, way_out = "the name is too long", "choose a shorter one"
        elif error.errno == errno.ENOTEMPTY and _concerns(error, place):
            reason, way_out = "files have appeared there since", "choose another directory"
        else:
            raise
        raise DataError(f"nothing can be written to '{place}': {reason}; {way_out}") from None


def _concerns(error: OSError, place: Path) -> bool:
    """Whether the error is about the place written to, not about a file that is being read."""
    if error.filename is None:
        return True
    named = Path(os.path.realpath(os.fsdecode(error.filename)))
    return named.is_relative_to(place.parent) or place.is_relative_to(named)


def refuse_occupied(place: Path, overwrite: bool, owned: Callable[[str], bool]) -> None:
    """Refuse a directory that `publish_directory` would not replace.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "mine.txt").write_text("not a release")
    ...     refuse_occupied(Path(folder), overwrite=False, owned=lambda name: False)
    Traceback (most recent call last):
    discreet.errors.DataError: the directory '...' already holds files; choose another directory or
    allow overwriting
    """
    if not os.path.lexists(place):
        return
    if not place.is_dir():
        raise DataError(
            f"a release is a directory, but '{place}' is a file; choose another name for it"
        )
    names = list(_names(place))
    if not names:
        return
    if not overwrite:
        raise DataError(
            f"the directory '{place}' already holds files; choose another directory or allow "
            "overwriting"
        )
    for name in names:
        if not owned(name):
            raise DataError(
                f"only an earlier release is overwritten, but '{place}' also holds '{name}', "
                "which is not part of one; move it away or choose another directory"
            )


def _names(place: Path) -> Iterator[str]:
    """Yield every file below, and every directory that is empty or a link, relative to `place`."""
    for folder, inner, files in os.walk(place):
        current = Path(folder)
        for name in inner:
            if (current / name).is_symlink() or not any((current / name).iterdir()):
                yield (current / name).relative_to(place).as_posix()
        for name in files:
            yield (current / name).relative_to(place).as_posix()


def _take_place(fresh: Path, place: Path) -> None:
    if place.is_dir() and any(place.iterdir()):
        if not _exchange(fresh, place):
            _replace_in_two_steps(fresh, place)
        return
    if os.name == "nt" and place.is_dir():  # a rename does not replace a directory there
        place.rmdir()
    fresh.rename(place)


def _exchange(first: Path, second: Path) -> bool:
    """Exchange two directories in one step; False where the system cannot."""
    if sys.platform != "linux":
        return False
    at_current, exchange = -100, 2
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    failed = rename(at_current, os.fsencode(first), at_current, os.fsencode(second), exchange)
    if not failed:
        return True
    number = ctypes.get_errno()
    if number in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
        return False
    raise OSError(number, os.strerror(number), str(second))


def _replace_in_two_steps(fresh: Path, place: Path) -> None:
    """Move the old state aside, then the new one in; `_clear_leftovers` repairs a kill in
    between.
    """
    aside = _beside(place, _REPLACED)
    place.rename(aside)
    try:
        fresh.rename(place)
    except BaseException:
        aside.rename(place)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _machine() -> str:
    return hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]


def _beside(place: Path, role: str) -> Path:
    """Return a new hidden name beside the place, which says who writes there."""
    mark = f"{_machine()}-{os.getpid()}-{secrets.token_hex(4)}"
    return place.with_name(f".{place.name}.{role}-{mark}")


def _clear_leftovers(place: Path) -> None:
    """Remove what runs that were killed left beside the target, and restore an old state."""
    for role in (_REPLACED, _PARTIAL):
        start = f".{place.name}.{role}-"
        for entry in sorted(place.parent.iterdir()):
            if not entry.name.startswith(start) or not _is_dead(entry.name.removeprefix(start)):
                continue
            if role == _REPLACED and not os.path.lexists(place):
                entry.rename(place)
            else:
                shutil.rmtree(entry, ignore_errors=True)


def _is_dead(mark: str) -> bool:
    """Whether the process that a leftover names ran on this machine and has ended."""
    parts = mark.split("-")
    if len(parts) != 3 or parts[0] != _machine() or not parts[1].isdecimal():
        return False
    if os.name == "nt":  # a signal 0 would end the process there
        return False
    try:
        os.kill(int(parts[1]), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False
