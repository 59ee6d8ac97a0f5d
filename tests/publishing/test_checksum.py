"""Checksums are those of other tools."""

from __future__ import annotations

import hashlib
from pathlib import Path

from discreet.publishing.checksum import sha256


def test_a_checksum_is_that_of_the_whole_file(tmp_path: Path) -> None:
    content = bytes(range(256)) * 5000
    (tmp_path / "x").write_bytes(content)
    assert sha256(tmp_path / "x") == hashlib.sha256(content).hexdigest()
