"""Who stands alone in a file, counted and compared with the measures."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.release.exposure import Exposures


def test_the_counts_by_hand() -> None:
    data = discreet.read({"age": [30, 30, 41, 41, 41, None], "sex": list("ffmmff")})
    found = Exposures(data).by(["age", "sex"])
    # Classes: (30, f) twice, (41, m) twice, (41, f) and (missing, f) once each.
    assert (found.unique, found.least, found.expected) == (2, 1, 4)
    assert dict(found.below) == {2: 2, 3: 6, 5: 6, 10: 6}
    assert found.unique_share == pytest.approx(1 / 3)
    assert found.expected_share == pytest.approx(2 / 3)


def test_without_a_column() -> None:
    data = discreet.read({"age": [30, 31, 41, 42], "sex": list("ffmm")})
    spared = Exposures(data).without_each(["age", "sex"])
    assert [(what.column, what.spared) for what in spared] == [("age", 4), ("sex", 0)]


def test_nobody_is_alone_by_no_column() -> None:
    found = Exposures(discreet.read({"age": [30, 31]})).by([])
    assert (found.unique, found.least, found.expected) == (0, 2, 1)
    empty = Exposures(discreet.read({"age": np.zeros(0)}))
    assert empty.by(["age"]).records == 0


def test_members_of_a_household_count_once_but_are_found_one_by_one() -> None:
    data = discreet.read({"age": [30, 30, 41, 41, 41], "hid": [1, 1, 2, 3, None]})
    found = Exposures(data).counting("hid").by(["age"])
    assert (found.unique, found.least, found.expected) == (2, 1, 2)
    assert dict(found.below)[3] == 2
    assert Exposures(data).counting("gone").by(["age"]) == Exposures(data).by(["age"])
