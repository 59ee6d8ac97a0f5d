"""How much a set of records narrows a confidential column down."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.measures.attack.narrowness import Narrowness


def test_narrowness_of_classes_by_hand() -> None:
    column = discreet.read({"ill": ["a", "a", "b", None, "c", None]}).column("ill")
    found = Narrowness.of(column, np.array([0, 0, 0, 0, 1, 2]), 3)
    assert found.known.tolist() == [3, 1, 0]
    assert found.guess[:2].tolist() == [0, 2]
    assert found.share[:2] == pytest.approx([2 / 3, 1])
    # Gini: 1 − (4 + 1) / 9 in the first part, 1 − (4 + 1 + 1) / 16 in the file.
    assert found.spread[:2] == pytest.approx([(4 / 9) / (10 / 16), 0])
    assert found.range[:2] == pytest.approx([2 / 3, 1 / 3])
    assert np.isnan(found.spread[2])
    assert found.left == pytest.approx(3 * (4 / 9) / (4 * 10 / 16))
