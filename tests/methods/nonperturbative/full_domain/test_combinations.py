"""Sizes of the classes of a node, from those of another."""

from __future__ import annotations

import numpy as np

import discreet
from discreet.methods.nonperturbative.full_domain.automatic import automatic
from discreet.methods.nonperturbative.full_domain.combinations import Combinations
from discreet.microdata import Microdata


def people(seed: int, rows: int = 40) -> Microdata:
    rng = np.random.default_rng(seed)
    return discreet.read(
        {
            "age": rng.integers(20, 60, rows).tolist(),
            "town": [["Ayle", "Bron", "Cull", None][i] for i in rng.integers(0, 4, rows)],
            "grade": rng.integers(0, 4, rows).tolist(),
            "ill": [["a", "b", "c", "d"][i] for i in np.minimum(rng.geometric(0.5, rows) - 1, 3)],
        },
        roles={"ill": "confidential"},
        kinds={"grade": [0, 1, 2, 3]},
    )


def test_sizes_from_classes_of_other_nodes_are_those_of_the_records() -> None:
    data = people(3, 400)
    combinations = Combinations([automatic(column) for column in data])
    rng = np.random.default_rng(1)
    heights = [column.height for column in combinations.columns]
    for _ in range(60):
        node = tuple(int(rng.integers(0, height + 1)) for height in heights)
        assert combinations.sizes(node).tolist() == combinations.classes(node)[1].tolist()
