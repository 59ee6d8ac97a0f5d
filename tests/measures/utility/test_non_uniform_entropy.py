"""Non-uniform entropy: bits of each cell, counted."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from discreet.errors import NotApplicable
from tests.measures.utility.recoded_files import Cell, files, score


def bits(rows: list[Cell], sets: list[Cell]) -> float:
    lost = 0.0
    for row, cells in zip(rows, sets, strict=True):
        for j, (x, cell) in enumerate(zip(row, cells, strict=True)):
            column = [other[j] for other in rows]
            lost += log2(sum(v in cell for v in column) / column.count(x))
    return lost


@pytest.mark.parametrize("seed", range(3))
def test_beside_counting(seed: int) -> None:
    original, released, rows, sets = files(seed)
    nothing = [(frozenset(r[0] for r in rows), frozenset(r[1] for r in rows))] * len(rows)
    expected = bits(rows, sets) / bits(rows, nothing)
    assert score("non-uniform-entropy", original, released).value == pytest.approx(expected)


def test_changed_values_are_outside_its_range() -> None:
    original, _, _, _ = files(1)
    swapped = original.replace([original.column("town").with_values(np.roll(original["town"], 1))])
    with pytest.raises(NotApplicable, match="'town' were changed"):
        score("non-uniform-entropy", original, swapped)
