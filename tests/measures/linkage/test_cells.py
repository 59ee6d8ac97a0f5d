from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.measures.linkage.cells import CategoryCells, NumberCells, cells

QI = "quasi-identifier"


def table(**columns: list[object]) -> discreet.Microdata:
    return discreet.read(columns, roles=dict.fromkeys(columns, QI))


def test_a_label_is_at_no_distance_from_the_values_it_stands_for() -> None:
    original = table(age=[21, 38, 47, 60])
    released = table(age=["20–39", "20–39", "40–59", "60–79"])
    [age] = cells(original, released, ["age"], np.arange(4))
    gaps = age.gaps(np.arange(4))
    assert (gaps[0] == 0).tolist() == [True, True, False, False]
    assert np.array_equal(np.diag(gaps), age.gaps_beside(np.arange(4), np.arange(4)))


def test_a_suppressed_cell_allows_everybody() -> None:
    original = table(age=[21, 38, 47], town=["a", "b", "c"])
    released = table(age=[None, 38, 47], town=[None, "b", "c"])
    for column in cells(original, released, ["age", "town"], np.arange(3)):
        assert (column.gaps(np.array([0])) == 0).all()
        assert (column.gaps(np.array([1])) > 0).tolist() == [[True, False, True]]


def test_a_missing_value_that_was_missing_is_a_value_of_its_own() -> None:
    original = table(age=[21, None, 47])
    [age] = cells(original, original, ["age"], np.arange(3))
    assert (age.gaps(np.arange(3)) == 0).tolist() == np.eye(3, dtype=bool).tolist()


def test_a_column_that_is_not_released_is_left_out() -> None:
    original = table(age=[21, 38], town=["a", "b"])
    [town] = cells(original, table(town=["a", "b"]), ["age", "town"], np.arange(2))
    assert town.name == "town"


def test_kinds_have_cells_of_their_own() -> None:
    original = table(age=[21, 38], town=["a", "b"])
    age, town = cells(original, original, ["age", "town"], np.arange(2))
    assert isinstance(age, NumberCells)
    assert isinstance(town, CategoryCells)


@settings(deadline=None)
@given(st.lists(st.integers(0, 9), min_size=2, max_size=30), st.floats(-1, 10))
def test_ranks_are_those_among_the_people(values: list[int], released: float) -> None:
    """The slow twin: the distance to the nearest place that the value can have among the people."""
    original = table(x=[*values, 100])
    masked = table(x=[released] * (len(values) + 1))
    [x] = cells(original, masked, ["x"], np.arange(len(values) + 1), ranks=True)
    people = [*values, 100]
    below = sum(v < released for v in people)
    alike = sum(v == released for v in people)
    mine = (below + 1, below + alike) if alike else (below + 0.5, below + 0.5)
    for at, value in enumerate(people):
        low = sum(v < value for v in people) + 1
        high = low + sum(v == value for v in people) - 1
        gap = max(mine[0] - high, low - mine[1], 0) / len(people)
        assert x.gaps(np.array([0]))[0, at] == pytest.approx(gap, abs=1e-6)


@pytest.mark.parametrize("far", [1e20, 1e130])
@pytest.mark.parametrize("scale", [1.0, 1e-250])
def test_what_is_too_far_for_a_square_is_far_from_all(far: float, scale: float) -> None:
    original = table(age=[scale, 2 * scale, 3 * scale])
    released = table(age=[scale, 2 * scale, far])
    [age] = cells(original, released, ["age"], np.arange(3))
    squares = age.gaps(np.arange(3), then=np.square)
    assert np.isfinite(squares).all()
    assert squares[2].min() > 1e20 > squares[:2].max()
