"""The checker finds what is wrong with a release that was tampered with."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import discreet
from bench.campaign.checking import check_claims, check_directory
from bench.campaign.faults import Fault
from bench.campaign.seeing import seen_file

Change = Callable[[Path, dict[str, Any]], None]


@pytest.fixture
def release(tmp_path: Path) -> Path:
    data = discreet.read(
        {"age": [21, 22, 40, 41], "ill": ["y", "n", "y", "y"]},
        roles={"age": "quasi-identifier", "ill": "confidential"},
    )
    method = discreet.Microaggregation(discreet.partition.MDAV(k=2))
    return discreet.protect(data, method).write(tmp_path / "out")


def test_a_sound_release(release: Path) -> None:
    manifest, seen = check_directory(release)
    assert manifest["claims"][0]["measured"] == 2
    assert len(seen["age"].cells) == 4


def a_cell(folder: Path, manifest: dict[str, Any]) -> None:
    file = folder / "release.csv"
    content = file.read_bytes().replace(b"21.5", b"21.50", 1)
    file.write_bytes(content)
    manifest["release"] |= {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}


def the_figure(folder: Path, manifest: dict[str, Any]) -> None:
    manifest["claims"][0]["measured"] = 3


def the_checksum(folder: Path, manifest: dict[str, Any]) -> None:
    manifest["release"]["sha256"] = "0" * 64


def a_file_more(folder: Path, manifest: dict[str, Any]) -> None:
    (folder / "notes.txt").write_text("x")


def the_mode(folder: Path, manifest: dict[str, Any]) -> None:
    (folder / "record.json").chmod(0o644)


def the_rows(folder: Path, manifest: dict[str, Any]) -> None:
    manifest["release"]["records"] = 5


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (a_cell, "false claim on the file: k-anonymity"),
        (the_figure, "false claim on the file: k-anonymity"),
        (the_checksum, "another checksum"),
        (a_file_more, "not the files of a release"),
        (the_mode, "readable by others"),
        (the_rows, "other records"),
    ],
)
def test_what_is_wrong_is_found(release: Path, change: Change, kind: str) -> None:
    manifest = json.loads((release / "manifest.json").read_text())
    change(release, manifest)
    (release / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(Fault, match=kind):
        check_directory(release)


def test_a_broken_bound(release: Path) -> None:
    manifest, seen = check_directory(release)
    claim = {**manifest["claims"][0], "bound": 3}
    with pytest.raises(Fault, match="broken bound"):
        check_claims([claim], seen, "file")


def test_a_release_that_nobody_can_read(release: Path) -> None:
    told = json.loads((release / "manifest.json").read_text())["release"]
    with pytest.raises(ValueError, match="other columns"):
        seen_file(release / "release.csv", told["reading"], told["columns"][:1])
