"""`discreet compile`: a folder with compiled code, made in a process of its own."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from discreet.cli import compile as compiling
from tests.command_line import Discreet

ONE_KERNEL = """
import json, sys
from discreet.kernels.compiling import compiled
from tests.cli.test_compile import doubled
doubled.__module__ = "discreet.kernels.magnitude"
assert compiled(doubled)(1.0) == 2.0
print("a line about it", file=sys.stderr)
print(json.dumps({"ready": ["doubled"], "unused": sys.argv[1:]}))
"""


def doubled(x: float) -> float:
    return 2 * x


def test_the_folder_holds_what_was_compiled(
    tmp_path: Path, discreet_command: Discreet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "WORK", ONE_KERNEL)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    said = discreet_command("compile", str(tmp_path / "kept"), "--method", "rounding", "--json")
    assert said.code == 0
    result = json.loads(said.out)["result"]
    assert (result["kernels"], result["unused"]) == (1, ["rounding"])
    assert list((tmp_path / "kept").rglob("*.nbi"))
    assert list((tmp_path / "kept").rglob("*.nbc"))


def test_what_goes_wrong_is_told_in_a_sentence(
    tmp_path: Path, discreet_command: Discreet, monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown = discreet_command("compile", str(tmp_path), "--method", "rounding-up")
    assert unknown.code == 2
    assert "did you mean 'rounding'" in unknown.err
    (tmp_path / "file").write_text("")
    assert discreet_command("compile", str(tmp_path / "file" / "folder")).is_one_sentence()
    monkeypatch.setattr(compiling, "WORK", "raise SystemExit('no room is left')")
    failed = discreet_command("compile", str(tmp_path / "kept"))
    assert failed.is_one_sentence()
    assert "compiling failed: no room is left" in failed.err
