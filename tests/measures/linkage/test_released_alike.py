from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import discreet
from discreet.contracts import Context
from discreet.measures.linkage.released_alike import most_linked


@given(
    records=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=6),
)
def test_no_way_of_linking_is_right_more_often(records: list[tuple[int, int]]) -> None:
    """Every way to link records to people, averaged over the orders of records released alike."""
    values, origin = (np.array(part) for part in zip(*records, strict=True))
    released = discreet.read({"x": [f"label {value}" for value in values]})
    most = most_linked(released, ["x"], origin, Context())
    same = values[:, None] == values
    # How likely each record is a person's, to one who sees the released values only.
    chance = np.array([[origin[alike] == p for p in range(4)] for alike in same], dtype=object)
    chance = np.array([[np.mean(cell) for cell in row] for row in chance])
    best = max(
        sum(chance[row, person] for row, person in enumerate(people))
        for people in product(range(4), repeat=len(records))
    )
    assert best <= most * len(records) + 1e-9
    if len(set(origin.tolist())) == len(origin):
        assert most == len(set(values.tolist())) / len(records)


def test_a_release_without_these_columns_tells_nobody_apart() -> None:
    released = discreet.read({"other": [1, 2, 3, 4]})
    assert most_linked(released, ["x"], np.arange(4), Context()) == 0.25
