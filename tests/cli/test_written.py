"""The list of the files of a release marks what is private."""

from __future__ import annotations

from pathlib import Path

from discreet.cli.written import written


def test_private_files_are_marked(tmp_path: Path) -> None:
    for name, mode in (("release.csv", 0o644), ("record.json", 0o600), ("a.html", 0o640)):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(mode)
    assert written(tmp_path).splitlines() == [
        f"Wrote to {tmp_path}:",
        "  a.html",
        "  record.json (private)",
        "  release.csv",
    ]
