"""Tables beyond the range of squares are brought into it by a power of two."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.kernels.magnitude import in_range


@pytest.mark.parametrize("factor", [1.0, 2.0**400 / 8, 2.0**-398])
def test_what_can_be_squared_is_returned_as_it_is(factor: float) -> None:
    points = np.array([[1.0, -3.0], [0.5, 0.0]]) * factor
    scaled, exponent = in_range(points, "MDAV")
    assert scaled is points
    assert exponent == 0


@pytest.mark.parametrize("factor", [2.0**500, 2.0**-500, 2.0**1020])
def test_scaling_loses_no_digit_and_can_be_undone(factor: float) -> None:
    points = np.random.default_rng(1).normal(size=(20, 3))
    scaled, exponent = in_range(points * factor, "MDAV")
    assert np.array_equal(np.ldexp(scaled, exponent), points * factor)
    assert 0.5 <= np.abs(scaled).max() < 1
    assert np.isfinite(scaled**2).all()


def test_codes_count_nothing_beside_huge_coordinates_and_all_beside_tiny_ones() -> None:
    huge, _ = in_range(np.array([[2.0**600, 3.0], [0.0, 4.0]]), "MDAV", nominal=1)
    assert not huge[:, 1].any()
    tiny = np.array([[2.0**-600, 3.0], [0.0, 4.0]])
    assert in_range(tiny, "MDAV", nominal=1) == (tiny, 0)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_refused_by_the_name_of_the_method(value: float) -> None:
    with pytest.raises(ValueError, match="MDAV needs finite values"):
        in_range(np.array([[1.0], [value]]), "MDAV")


def test_nothing_needs_no_scaling() -> None:
    assert in_range(np.empty((0, 3)), "MDAV")[1] == 0
    assert in_range(np.empty((3, 0)), "MDAV")[1] == 0
