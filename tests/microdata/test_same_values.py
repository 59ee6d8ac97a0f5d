"""Records brought together by fingerprints, against classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet import Microdata
from discreet.microdata import same_values
from discreet.microdata.equivalence import classes
from discreet.microdata.same_values import numbered_alike

VALUES = st.sampled_from([0.0, -0.0, 0.1, 1 / 3, -1 / 3, np.inf, np.nan])
WORDS = st.sampled_from(["a", "b", None])


def is_same_partition(data: Microdata, names: list[str]) -> bool:
    found, labels = numbered_alike(data, names), classes(data, names)
    if found is None:
        return len(set(labels.tolist())) == len(data)
    numbers = set(found.tolist())
    pairs = set(zip(found.tolist(), labels.tolist(), strict=True))
    return len(pairs) == len(set(labels.tolist())) and numbers == set(range(len(pairs)))


@settings(deadline=None)
@given(st.lists(st.tuples(VALUES, WORDS, VALUES), min_size=1, max_size=30))
def test_equal_records_share_a_number(rows: list[tuple[Any, ...]]) -> None:
    x, word, y = zip(*rows, strict=True)
    data = discreet.read({"x": np.array(x), "word": [*word, "a"][:-1], "y": np.array(y)})
    names = [*data.schema.names]
    assert is_same_partition(data, names)
    assert is_same_partition(data, names[:1])


def test_an_accident_of_fingerprints_brings_nobody_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = discreet.read({"x": [0.1, 0.2, 0.1, 0.3]})
    monkeypatch.setattr(same_values, "fingerprints", lambda _: np.zeros(4, dtype=np.uint64))
    assert is_same_partition(data, ["x"])


def test_without_columns_all_records_are_equal() -> None:
    numbers = numbered_alike(discreet.read({"x": [0.1, 0.2]}), [])
    assert numbers is not None
    assert numbers.tolist() == [0, 0]
