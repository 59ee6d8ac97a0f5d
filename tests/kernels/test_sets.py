"""Released codes that stand for sets, against sets of Python."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.kernels.sets import ANY, allows


@settings(deadline=None)
@given(st.lists(st.sets(st.integers(-1, 6)), min_size=1, max_size=4), st.integers(-1, 6))
def test_membership(sets: list[set[int]], code: int) -> None:
    starts = np.cumsum([0, *map(len, sets)]).astype(np.int64)
    members = np.array([m for one in sets for m in sorted(one)], dtype=np.int32)
    for number, one in enumerate(sets):
        assert allows(ANY - 1 - number, code, starts, members) == (code in one)
    assert allows(ANY, code, starts, members)
    for released in range(-1, 7):
        assert allows(released, code, starts, members) == (released == code)
