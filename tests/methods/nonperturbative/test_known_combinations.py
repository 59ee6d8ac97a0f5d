"""Combinations are recognised, and only they."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.methods.nonperturbative.known_combinations import KnownCombinations

PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)


@given(PAIRS, PAIRS.filter(bool))
def test_places_are_those_of_a_sorted_list(
    known: list[tuple[int, int]], asked: list[tuple[int, int]]
) -> None:
    columns = [np.array([pair[j] for pair in known], dtype=np.int64) for j in range(2)]
    found = KnownCombinations(columns).places(
        [np.array([pair[j] for pair in asked]) for j in range(2)]
    )
    listed = sorted(set(known))
    assert found.tolist() == [listed.index(pair) if pair in listed else -1 for pair in asked]
