"""Flushing written files to the disk, so that a rename publishes only whole files."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["sync_directory", "sync_file", "sync_tree"]


def sync_file(path: Path) -> None:
    """Wait until the file's content is on the disk.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     sync_file(Path(file.name))
    """
    # Windows refuses to flush a descriptor that is open for reading only.
    descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_directory(path: Path) -> None:
    """Wait until the directory's list of names is on the disk.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sync_directory(Path(folder))
    """
    if os.name == "nt":  # a directory cannot be opened there
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(top: Path) -> None:
    """Wait until every file and directory below `top` is on the disk.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     sync_tree(Path(folder))
    """
    for folder, _, names in os.walk(top):
        for name in names:
            file = Path(folder, name)
            if file.is_file() and not file.is_symlink():
                sync_file(file)
        sync_directory(Path(folder))
