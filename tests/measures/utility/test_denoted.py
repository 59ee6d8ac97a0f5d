"""What a released cell stands for, counted one by one."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.measures.utility.denoted import denoted, stands_for
from discreet.microdata.decoded import Decoded
from tests.measures.utility.recoded_files import files


@pytest.mark.parametrize("column", [0, 1])
def test_beside_counting(column: int) -> None:
    original, released, rows, sets = files(4)
    name = ("age", "town")[column]
    seen = Decoded(original, released, ["age", "town"], np.arange(len(rows)))[name]
    found = denoted(seen)
    values = [row[column] for row in rows]
    assert found.values.tolist() == [len(s[column]) for s in sets]
    assert found.records.tolist() == [sum(v in s[column] for v in values) for s in sets]
    assert found.same_value.tolist() == [values.count(v) for v in values]
    assert (found.all_values, found.all_records) == (len(set(values)), len(values))
    assert stands_for(seen, np.arange(len(rows))).all()
    # Of other originals only those whose value is in the set.
    others = np.roll(np.arange(len(rows)), 1)
    assert stands_for(seen, others).tolist() == [
        values[o] in s[column] for o, s in zip(others, sets, strict=True)
    ]


def test_a_gap_of_the_original_is_a_value_of_its_own() -> None:
    original = discreet.read({"age": [21, None, 38, 47]})
    released = discreet.read({"age": ["20–39", None, None, "47"]})
    seen = Decoded(original, released, ["age"], np.arange(4))["age"]
    found = denoted(seen)
    assert found.values.tolist() == [2, 1, 4, 1]
    assert found.records.tolist() == [2, 1, 4, 1]
    assert stands_for(seen, np.arange(4)).all()
