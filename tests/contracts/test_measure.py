"""Pairings, and what a measure has to say."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.contracts import Context, Groups, Measure, Pairing, paired


def test_files_in_the_same_order_pair_row_by_row() -> None:
    pairing = Pairing.same_order(3)
    assert pairing.origin.tolist() == [0, 1, 2]
    assert pairing.groups is None
    assert Pairing.same_order(0).origin.tolist() == []


def test_one_record_without_an_original_leaves_nothing_paired() -> None:
    groups = Groups(np.array([0, 0]))
    found = paired(np.array([1, 0]), groups)
    assert found is not None
    assert found.groups is groups
    assert paired(np.array([1, -1]), groups) is None
    assert paired(np.zeros(0, dtype=np.int64), None) is not None


def test_a_measure_that_says_nothing_is_a_mistake_of_its_author() -> None:
    data = discreet.read({"age": [1]})
    with pytest.raises(TypeError, match="Measure does not say how to score"):
        Measure().score(data, data, Context())
