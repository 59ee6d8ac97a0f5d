from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from discreet.report.axis import Axis

values = st.lists(st.floats(0, 1e12), min_size=1, max_size=20)


@example([5e-324], True)
@example([5e-324, 1e-300], True)
@given(values, st.booleans())
def test_values_keep_their_order_and_stay_on_the_axis(
    found: list[float], logarithmic: bool
) -> None:
    axis = Axis(found, 10, 60, logarithmic=logarithmic)
    places = [axis(value) for value in sorted(found)]
    assert places == sorted(places)
    assert all(10 <= place <= 60 for place in places)
    assert 2 <= len(axis.ticks) <= 10
    assert axis.ticks == sorted(set(axis.ticks))


def test_a_value_next_to_nothing_does_not_squeeze_the_others() -> None:
    axis = Axis([1e-33, 0.01, 1.0], 0, 100, logarithmic=True)
    assert axis.ticks[0] == pytest.approx(1e-6)
    assert axis(1e-33) == 0
    assert axis(0.01) > 50
