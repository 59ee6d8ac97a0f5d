"""Ambiguity: the combinations that a record stands for, listed."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import discreet
from tests.measures.utility.recoded_files import files, score


@pytest.mark.parametrize("seed", range(3))
def test_beside_listing_the_combinations(seed: int) -> None:
    original, released, rows, sets = files(seed)
    listed = [len(list(product(*cells))) for cells in sets]
    found = score("ambiguity", original, released)
    assert found.per_record is not None
    assert found.per_record.tolist() == listed
    assert found.value == pytest.approx(np.mean(listed))
    assert found.at_loss == len({r[0] for r in rows}) * len({r[1] for r in rows})


def test_more_combinations_than_a_number_holds() -> None:
    names = [f"x{j}" for j in range(400)]
    roles = dict.fromkeys(names, "quasi-identifier")
    original = discreet.read({name: list(range(8)) for name in names}, roles=roles)
    found = score("ambiguity", original, original.drop(names[1:]))
    assert found.value == np.inf
    assert found.at_loss is None
