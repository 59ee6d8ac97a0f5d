"""Any partition may be refined."""

from __future__ import annotations

import numpy as np

import discreet
from discreet.contracts import Context, Randomness


def _data(rows: int, columns: int = 3, seed: int = 1) -> discreet.Microdata:
    values = np.random.default_rng(seed).normal(size=(rows, columns))
    names = [f"x{j}" for j in range(columns)]
    return discreet.read(
        {name: values[:, j] for j, name in enumerate(names)},
        roles=dict.fromkeys(names, "quasi-identifier"),
    )


def test_any_partition_can_be_refined() -> None:
    data = _data(200)
    for other in (discreet.partition.Mondrian(k=4), discreet.partition.Ranking(k=4)):
        found = discreet.partition.Refined(other, steps=100).groups(
            data, data.quasi_identifiers, Context(Randomness(1))
        )
        assert found.detail["SSE/SST"] < 0.9 * found.detail["SSE/SST before refinement"]
        assert found.sizes.min() >= 4
        assert found.sizes.max() <= 7
