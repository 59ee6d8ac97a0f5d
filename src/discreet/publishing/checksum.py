"""Checksums of files."""

from __future__ import annotations

import hashlib
from pathlib import Path


def sha256(path: Path) -> str:
    """Return the checksum of a file; of a folder, that of the list of its files and their
    checksums.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     sha256(Path(file.name))[:8]
    'e3b0c442'
    """
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        lines = (f"{file.relative_to(path).as_posix()} {sha256(file)}\n" for file in files)
        return hashlib.sha256("".join(lines).encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
