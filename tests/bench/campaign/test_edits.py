"""Mutations change bytes and stay within bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.campaign.edits import LONGEST, PLACES, Edit, edits, mutate

HALF = PLACES // 2


@pytest.mark.parametrize(
    ("edit", "outcome"),
    [
        (Edit("insert", HALF, 1, b"X"), b"abXcd"),
        (Edit("replace", HALF, 1, b"X"), b"abXd"),
        (Edit("delete", HALF, 1, b""), b"abd"),
        (Edit("repeat", HALF, 1, b""), b"abccccd"),
        (Edit("end", HALF, 1, b""), b"ab"),
        (Edit("swap", HALF, 1, b""), b"dabc"),
        (Edit("flip", HALF, 1, b""), b"abad"),
        (Edit("number", 0, 1, b""), b"\x01\x00\x00\x00"),
    ],
)
def test_each_edit(edit: Edit, outcome: bytes) -> None:
    assert mutate(b"abcd", [edit]) == outcome


@given(st.binary(max_size=50), edits((b"NA",)))
def test_nothing_grows_beyond_bounds(content: bytes, changes: list[Edit]) -> None:
    assert len(mutate(content, changes * 6)) <= LONGEST
