"""As many pairs as there can be, and as many donors as are needed."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.methods.perturbative.targeted_record_swapping.pairing import (
    first_of_each,
    lacking,
    pairs,
)

PEOPLE = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=14)


def most_pairs(areas: list[int]) -> int:
    """The largest number of pairs of different areas, by trying."""
    if len(areas) < 2:
        return 0
    first, rest = areas[0], areas[1:]
    best = most_pairs(rest)
    for place, other in enumerate(rest):
        if other != first:
            best = max(best, 1 + most_pairs(rest[:place] + rest[place + 1 :]))
    return best


@given(PEOPLE, st.integers(0, 5))
def test_pairs_are_of_a_cell_and_of_two_areas_and_as_many_as_can_be(
    people: list[tuple[int, int]], seed: int
) -> None:
    cells, areas = np.array(people, dtype=np.int64).reshape(-1, 2).T
    made = pairs(cells, areas, np.random.default_rng(seed))
    assert len(np.unique(made)) == made.size, "nobody twice"
    assert (cells[made[:, 0]] == cells[made[:, 1]]).all()
    assert (areas[made[:, 0]] != areas[made[:, 1]]).all()
    for cell in np.unique(cells):
        in_cell = np.bincount(areas[cells == cell])
        most = min(in_cell.sum() // 2, in_cell.sum() - in_cell.max())
        assert (cells[made[:, 0]] == cell).sum() == most


def test_the_formula_for_the_most_pairs_is_that_of_trying() -> None:
    for areas in itertools.product(range(3), repeat=6):
        assert most_pairs(list(areas)) == min(3, 6 - np.bincount(areas).max())


@given(PEOPLE, st.integers(0, 5))
def test_with_what_is_lacking_everybody_is_paired(people: list[tuple[int, int]], seed: int) -> None:
    cells, areas = np.array(people, dtype=np.int64).reshape(-1, 2).T
    needed, larger = lacking(cells, areas, 3)
    draw = np.random.default_rng(seed)
    more = [
        (cell, draw.choice([area for area in range(5) if area != larger[cell]]))
        for cell in range(3)
        for _ in range(needed[cell])
    ]
    all_cells, all_areas = np.array([*people, *more], dtype=np.int64).reshape(-1, 2).T
    assert pairs(all_cells, all_areas, draw).size == len(all_cells)
    for cell in range(3):
        counts = np.bincount(areas[cells == cell], minlength=1)
        assert (larger[cell] >= 0) == (2 * counts.max() > counts.sum())


@given(st.lists(st.integers(0, 3)), st.lists(st.integers(0, 4), min_size=4, max_size=4))
def test_the_first_of_each_group(groups: list[int], limits: list[int]) -> None:
    labels = np.array(groups, dtype=np.int64)
    slow = [groups[:place].count(group) < limits[group] for place, group in enumerate(groups)]
    assert first_of_each(labels, np.array(limits)).tolist() == slow
