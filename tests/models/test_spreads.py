"""Centres and spreads of pieces are those of the whole, for numbers of any size."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.models.spreads import Spreads


@pytest.mark.parametrize("unit", [1e-300, 1.0, 1e300])
def test_pieces_give_what_the_whole_gives(unit: float) -> None:
    values = np.random.default_rng(1).normal(5, 2, (1000, 2)) * unit
    values[::7, 0] = np.nan
    found = Spreads.of(lambda: np.array_split(values, 9), 2)
    assert found.centre / unit == pytest.approx(np.nanmean(values / unit, axis=0))
    assert found.deviation / unit == pytest.approx(np.nanstd(values / unit, axis=0))
    assert found.gaps.tolist() == [True, False]
    assert found.count.tolist() == [857, 1000]


def test_a_constant_column_has_its_value_to_the_last_bit() -> None:
    found = Spreads.of(lambda: [np.full((1000, 1), 0.1), np.full((77, 1), 0.1)], 1)
    assert found.centre.tolist() == [0.1]
    assert found.deviation.tolist() == [1.0]
    assert Spreads.of(lambda: [np.full((3, 1), np.nan)], 1).centre.tolist() == [0.0]
