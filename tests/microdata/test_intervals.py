from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.microdata.intervals import round_edges, round_step

ROUND = {"1", "2", "5"}
numbers = st.floats(-1e300, 1e300)


@given(st.decimals("1e-12", "1e12"), st.booleans())
def test_a_step_is_round_and_as_near_as_can_be(width: Decimal, down: bool) -> None:
    step = round_step(width, down=down)
    assert "".join(map(str, step.as_tuple().digits)).rstrip("0") in ROUND
    assert (
        step <= width < Decimal("2.5") * step if down else width <= step <= Decimal("2.5") * width
    )


@given(numbers, numbers, st.integers(2, 40), st.booleans())
def test_edges_cover_the_numbers(one: float, other: float, most: int, whole: bool) -> None:
    low, high = sorted((one, other))
    edges = round_edges(low, high, most, whole=whole)
    assert edges is not None
    assert edges == sorted(set(edges))
    assert edges[0] <= low
    assert edges[-1] >= high
    assert len(edges) <= most + 3


@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 0.0), (1e17, 1e17 + 64), (-1e-300, 1e-300), (5.0, 5.0), (-3.0, 1e15)]
)
def test_awkward_numbers_still_have_edges(low: float, high: float) -> None:
    edges = round_edges(low, high)
    assert edges is not None
    assert edges == sorted(set(edges))
    assert edges[0] <= low
    assert edges[-1] >= high


def test_numbers_too_far_apart_have_none() -> None:
    assert round_edges(-1.7e308, 1.7e308) is None
