"""The time of writing that statistical files carry, set to a fixed one.

The same seed and data must give the same bytes, and recipients need not know when a file was made.
"""

from __future__ import annotations

import re
from pathlib import Path

HEADER = 640
"""Bytes at the start of a file within which each format keeps its times."""


def fix_time(path: Path, stamp: re.Pattern[bytes], fixed: bytes) -> None:
    """Overwrite every time of writing in the header of a file with a fixed one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "made")
    ...     _ = file.write_bytes(b"at 17:45, 17:46")
    ...     fix_time(file, re.compile(rb"[0-9]{2}:[0-9]{2}"), b"00:00")
    ...     file.read_bytes()
    b'at 00:00, 00:00'
    """
    with path.open("r+b") as file:
        header = file.read(HEADER)
        for match in stamp.finditer(header):
            file.seek(match.start())
            file.write(fixed)
