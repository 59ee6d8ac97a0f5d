from __future__ import annotations

import json

import pytest
from scripts.vendor import NOTED, WANTED, checksum


@pytest.mark.parametrize("folder", list(WANTED), ids=lambda folder: folder.name)
def test_what_is_vendored_is_what_was_fetched(folder: object) -> None:
    from pathlib import Path

    assert isinstance(folder, Path)
    noted = json.loads((folder / NOTED).read_text(encoding="utf-8"))
    package, files = WANTED[folder]
    assert noted["package"] == package
    assert noted["licence"] in ("BSD-0-Clause", "0BSD", "MPL-2.0")
    assert noted["sha256"] == {name: checksum(folder / name) for name in files.values()}
