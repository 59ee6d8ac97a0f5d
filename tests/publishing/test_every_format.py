"""Every format that a release can be written in is read a second time and verified."""

from __future__ import annotations

from pathlib import Path

import pytest

import discreet
from discreet.io.formats import format_for, known_kinds
from discreet.publishing.verifying import verify

# The first suffix of each format; those that are only read are released as another.
SUFFIXES = sorted({format_for(kind.suffixes[0]).suffix for kind in known_kinds().values()})
AGES = [21, 22, 23, 40, 41, 42, 60, 61]
VALUES = {
    "age": AGES,
    "income": [1500.5, None, 900.0, 1200.25, 800.5, 3000.0, 2500.75, None],
    "town": ["=1+1", "Ayle", "Ayle", "Bron", "Bron", "Ayle", "Köln", None],
}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_release_is_verified(tmp_path: Path, suffix: str) -> None:
    data = discreet.read(VALUES, {"age": "quasi-identifier", "town": "confidential"})
    method = discreet.Microaggregation(discreet.partition.MDAV(k=2))
    release = discreet.protect(data, method, claims={"k-anonymity": 2})
    folder = release.write(tmp_path / "out", format=suffix)
    verification = verify(folder)
    assert verification.holds
    assert verification.figures[0].counted == 2
    again = discreet.read(folder / f"release{suffix}")
    assert sorted(again["age"]) == sorted(release.data["age"])
