"""`discreet verify` on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.cli.main import run


def test_a_release_is_verified_and_a_changed_one_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["demo", "--out", str(tmp_path / "demo")]) == 0
    capsys.readouterr()
    assert run(["verify", str(tmp_path / "demo")]) == 0
    shown = capsys.readouterr().out
    assert "k-anonymity" in shown
    assert "The release matches its manifest" in shown
    file = tmp_path / "demo" / "release.csv"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert run(["verify", str(tmp_path / "demo")]) == 1
    assert "The release does not match its manifest." in capsys.readouterr().out


def test_what_is_no_release_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "holds no manifest.json" in said
    assert said.count("\n") == 1
