"""Replicated uniques by hand, and counted."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import discreet
from discreet.contracts import Context
from discreet.measures.risk.replicated_uniques import ReplicatedUniques

ROLES = {"age": "quasi-identifier", "sex": "quasi-identifier"}


def test_other_numbers_of_records() -> None:
    original = discreet.read({"age": [1, 1, 2, 3], "sex": list("fmff")}, roles=ROLES)
    synthetic = discreet.read({"age": [1, 2, 2, 3, 3, 7], "sex": list("ffffmm")}, roles=ROLES)
    found = ReplicatedUniques().score(original, synthetic, Context())
    # 1 f and 3 f are alone in both; 2 f is there twice.
    assert found.value == 2 / 4
    assert found.detail == {"UiO": 1.0, "UiS": 4 / 6, "UiOiS": 3 / 4, "replicated": 2}
    assert found.per_record is not None
    assert found.per_record.tolist() == [1, 0, 0, 1, 0, 0]


@pytest.mark.parametrize("seed", range(3))
def test_beside_counting(seed: int) -> None:
    draw = np.random.default_rng(seed)
    rows = [
        list(zip(draw.integers(0, 9, n).tolist(), draw.choice(list("fm"), n).tolist(), strict=True))
        for n in (30, 25)
    ]
    original, synthetic = (
        discreet.read({"age": [a for a, _ in r], "sex": [b for _, b in r]}, roles=ROLES)
        for r in rows
    )
    d, s = map(Counter, rows)
    expected = sum(d[q] == 1 and s[q] == 1 for q in d) / 30
    found = ReplicatedUniques().score(original, synthetic, Context())
    assert found.value == pytest.approx(expected)
