"""A single file that is replaced whole or not at all."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from discreet.errors import DataError


def write_whole(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write a file beside its place and rename it there; a kill leaves the old one or the new one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder, "plan.yaml"), b"version: 1")
    ...     [file.name for file in Path(folder).iterdir()]
    ['plan.yaml']
    """
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        descriptor = os.open(fresh, flags, 0o600 if private else 0o666)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as error:
        raise DataError(
            f"'{path}' cannot be written: {error.strerror or 'the system refused it'}; choose a "
            "place with free space and write permission"
        ) from None
