"""Numbers of two decimals are whole numbers of hundredths; all others are left as they are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.microdata import whole_numbers as module
from discreet.microdata.whole_numbers import in_units, whole_numbers

LAW = settings(max_examples=50, deadline=None, derandomize=True, database=None)


@LAW
@given(
    st.lists(st.integers(-(10**7), 10**7), min_size=1, max_size=40),
    st.sampled_from([1, 10, 100]),
    st.integers(1, 9),
    st.booleans(),
)
def test_numbers_come_back_from_their_units(
    hundredths: list[int], step: int, at_once: int, narrow: bool
) -> None:
    values = np.array(hundredths) * step / 100
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "AT_ONCE", at_once)
        found = in_units(values, narrow=narrow)
    assert found is not None
    whole, space, least, unit = found
    assert whole.dtype == (np.uint32 if narrow else np.int64)
    assert ((whole + least) / unit).tolist() == values.tolist()
    assert (whole.min(), whole.max()) == (0, space - 1)


def test_wide_numbers_are_not_narrowed() -> None:
    found = in_units(np.array([-1.0, 2.0**32]), narrow=True)
    assert found is not None
    assert found[0].tolist() == [0, 2**32 + 1]


@pytest.mark.parametrize("odd", [0.001, np.nan, np.inf, -np.inf, 2.0**52, 1e300])
def test_a_single_other_number_is_enough_to_leave_them(odd: float) -> None:
    for values in ([odd], [0.5] * 40_000 + [odd], [odd] + [7.0] * 40_000):
        assert whole_numbers(np.array(values)) is None


def test_no_numbers_have_no_units() -> None:
    assert in_units(np.zeros(0)) is None
