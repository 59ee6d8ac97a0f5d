"""Numbers in ascending order, and their places, against NumPy's own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.microdata import ascending as module
from discreet.microdata.ascending import ascending, placed, runs

NUMBERS = st.one_of(
    st.floats(allow_nan=False),
    st.sampled_from([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, 5e-324]),
    st.integers(-40, 40).map(lambda i: 1e12 + i),
    st.integers(-40, 40).map(lambda i: 1 + i * 2.0**-52),
)


@settings(deadline=None)
@given(st.lists(NUMBERS, max_size=60), st.integers(0, 3))
def test_rows_are_put_in_ascending_order_to_the_last_bit(values: list[float], far: int) -> None:
    # Values far apart around them, so that both those alike in the leading bits and those that
    # are many of the file are met.
    spread = np.concatenate([np.array(values), np.geomspace(1e-9, 1e9, 300 * far)])
    order = ascending(spread)
    assert sorted(order.tolist()) == list(range(len(spread)))
    assert spread[order].tolist() == np.sort(spread).tolist()


@given(st.lists(NUMBERS, max_size=60))
def test_runs_of_equal_values_are_where_they_are_looked_for(values: list[float]) -> None:
    ordered = np.sort(np.array(values))
    first, last = (np.searchsorted(ordered, ordered, side) for side in ("left", "right"))
    assert runs(ordered)[0].tolist() == first.tolist()
    assert runs(ordered)[1].tolist() == last.tolist()


def test_equal_values_keep_the_order_of_their_rows() -> None:
    values = np.random.default_rng(1).normal(size=50)[np.arange(5_000) % 50]
    assert ascending(values).tolist() == np.argsort(values, kind="stable").tolist()


def test_values_that_differ_in_the_last_bits_beside_equal_ones() -> None:
    rng = np.random.default_rng(2)
    values = np.repeat(rng.normal(size=3_000), 3)
    values[:60] *= 1 + 2.0**-50
    values = values[rng.permutation(len(values))]
    order = ascending(values)
    assert values[order].tolist() == np.sort(values).tolist()
    assert sorted(order.tolist()) == list(range(len(values)))


@settings(deadline=None)
@given(st.lists(NUMBERS, min_size=1, max_size=60))
def test_places_are_those_among_the_different_values(values: list[float]) -> None:
    array = np.array(values)
    expected = np.unique(array, return_inverse=True)
    with pytest.MonkeyPatch.context() as patch:
        for few in (0, 10_000):
            patch.setattr(module, "FEW", few)
            found, distinct = placed(array)
            assert distinct.tolist() == expected[0].tolist()
            assert found.tolist() == expected[1].tolist()
