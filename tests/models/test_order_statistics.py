"""Order statistics in passes are those of a sort."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.models import order_statistics
from discreet.models.order_statistics import nth


@given(
    st.lists(st.floats(-1e6, 1e6) | st.sampled_from([0.0, -0.0, 1.0]), min_size=1, max_size=50),
    st.sampled_from([0, 3, 10**6]),
    st.data(),
)
def test_the_nth_number_is_that_of_a_sort(
    numbers: list[float], few: int, data: st.DataObject
) -> None:
    count = data.draw(st.integers(1, len(numbers)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order_statistics, "FEW", few)
        value, below = nth(lambda: [np.array(numbers[:7]), np.array(numbers[7:])], count)
    assert value == sorted(numbers)[count - 1]
    assert below == sum(number < value for number in numbers)
