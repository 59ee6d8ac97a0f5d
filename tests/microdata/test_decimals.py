"""Numbers are rounded by their decimals, however large they are."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discreet.microdata.decimals import decimals_of, rounded

NUMBERS = st.lists(st.floats(allow_subnormal=True), max_size=8)


@given(NUMBERS, st.integers(0, 6))
def test_every_number_moves_by_half_a_step_at_most(numbers: list[float], digits: int) -> None:
    values = np.array(numbers)
    near = rounded(values, digits)
    finite = np.isfinite(values)
    assert np.array_equal(near[~finite], values[~finite], equal_nan=True)
    room = 0.5 * 10.0**-digits + 1e-15 * np.abs(values[finite])
    assert (np.abs(near[finite] - values[finite]) <= room).all()


@given(st.lists(st.integers(-(10**9), 10**9), min_size=1), st.integers(0, 6))
def test_as_many_as_were_written(numerators: list[int], digits: int) -> None:
    values = np.array([float(f"{n}e-{digits}") for n in numerators])
    found = decimals_of(values, 6)
    assert found is not None
    assert found <= digits
    assert np.array_equal(rounded(values, found), values)


def test_the_largest_number_beside_a_small_one() -> None:
    assert decimals_of(np.array([0.5, 1.7e308, -1.7e308]), 6) == 1
