"""The schedule of temperatures of the local search."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.kernels.refine_cooling import Cooling


def test_cooling_goes_from_the_outliers_to_the_crowd() -> None:
    scales = np.concatenate([np.full(900, 1.0), np.full(100, 1e6)])
    cooling = Cooling(scales, tries=10_000)
    begin, end = cooling.stretch(0.0, 0.01), cooling.stretch(0.94, 0.95)
    assert set(begin.active) == set(range(900, 1000))
    assert set(end.active) == set(range(900))
    assert begin.hot > begin.cold > end.hot > end.cold > 0.0
    # The crowd is nine times as many and gets nine times as much of the budget.
    assert cooling.stretch(0.2, 0.21).hot < 1.1
    assert cooling.stretch(1.0, 1.0).active.size == 1000


def test_a_long_search_cools_several_times() -> None:
    cooling = Cooling(np.full(50, 2.0), tries=65_000)
    assert cooling.rounds == 3
    for begin in (0.0, 1 / 3, 2 / 3):
        assert cooling.stretch(begin + 1e-9, begin + 0.01).hot == pytest.approx(2.0)
        assert cooling.stretch(begin + 0.33, begin + 0.332).hot == 0.0
