"""Cells restored by counting the gaps of other records."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.methods.nonperturbative import gaps_of_others
from discreet.methods.nonperturbative.gaps_of_others import restored


def test_a_gap_of_another_record_counts() -> None:
    # Each of the last two has a gap that lets it be like the other: one of the gaps is enough.
    codes = np.array([[0, 0], [0, 0], [1, 1], [1, 2]], dtype=np.int32)
    cells = np.array([[False, False], [False, False], [False, True], [False, True]])
    assert restored(codes, cells, np.ones(2), 2).sum() == 1


def test_records_alike_count_as_often_as_they_occur() -> None:
    codes = np.array([[0, 0]] * 5 + [[0, 1]], dtype=np.int32)
    cells = np.zeros((6, 2), dtype=bool)
    cells[5] = True
    left = restored(codes, cells, np.array([5.0, 1.0]), 3)
    assert left.tolist() == [[False, False]] * 5 + [[False, True]]


def test_what_would_take_long_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gaps_of_others, "WORK", 0)
    cells = np.ones((3, 2), dtype=bool)
    assert restored(np.zeros((3, 2), np.int32), cells, np.ones(2), 2) is cells
