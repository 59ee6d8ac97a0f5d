from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from discreet.measures.sampled import interval_of_share


@pytest.mark.parametrize("found", [0, 1, 7, 40])
def test_hits_and_misses_have_the_interval_of_wilson(found: int) -> None:
    chances = np.repeat([1.0, 0.0], [found, 40 - found])
    reference = binomtest(found, 40).proportion_ci(method="wilson")
    assert interval_of_share(chances) == pytest.approx((reference.low, reference.high), abs=1e-6)


def test_the_share_lies_in_its_interval() -> None:
    for chances in (np.zeros(3), np.ones(3), np.array([0.2, 0.5])):
        low, high = interval_of_share(chances)
        assert 0 <= low <= chances.mean() <= high <= 1
