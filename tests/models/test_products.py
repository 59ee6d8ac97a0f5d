"""Products of columns: their number, and what they can and cannot tell apart."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import discreet
from discreet.models.design_matrix import DesignMatrix
from discreet.models.products import count_products, factors_of, fit_products


@given(st.lists(st.integers(1, 4), max_size=6), st.integers(1, 3))
def test_products_are_counted_without_making_them(widths: list[int], order: int) -> None:
    columns = [[(0, 1)] * width for width in widths]
    slow = sum(
        len(list(product(*chosen)))
        for size in range(1, order + 1)
        for chosen in combinations(columns, size)
    )
    assert count_products(columns, order) == slow


def test_a_product_of_two_sees_what_single_columns_do_not() -> None:
    draw = np.random.default_rng(1)
    x, y = draw.choice([-1.0, 1.0], 400), draw.choice([-1.0, 1.0], 400)
    before, after = discreet.read({"x": x, "y": x}), discreet.read({"x": x, "y": y})
    design = DesignMatrix.fit(before, ["x", "y"], also=after, reference=True)
    columns = factors_of(design, 1)
    spreads = [
        np.std(fit_products(before, after, design, columns, order).probabilities)
        for order in (1, 2)
    ]
    assert spreads[0] < 0.05
    assert spreads[1] > 0.2
