"""Figures from the sizes of classes."""

from __future__ import annotations

import numpy as np
import pytest

import discreet
from discreet.scaling.gating import Counted


def test_figures_are_those_of_the_measures() -> None:
    rng = np.random.default_rng(1)
    data = discreet.read(
        {"age": rng.integers(20, 50, 200), "ill": rng.integers(0, 3, 200)},
        roles={"age": "quasi-identifier", "ill": "confidential"},
        kinds={"ill": "nominal"},
    )
    sizes = np.unique(np.unique(data["age"], return_counts=True)[1], return_counts=True)
    kinds = min(len(set(data["ill"][data["age"] == age])) for age in set(data["age"]))
    found = Counted(200, np.array([*sizes, sizes[0] * sizes[1]]), {"ill": kinds}).figures()
    assessed = discreet.assess(data, data, list(found), pairing=None).risk
    assert {name: score.value for name, score in assessed.items()} == pytest.approx(found)


def test_nothing_is_counted_without_quasi_identifiers() -> None:
    assert Counted(5, np.zeros((3, 0), dtype=np.int64), {}).figures() == {}
