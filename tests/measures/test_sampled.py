from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from discreet.measures.sampled import exact_low, for_all, interval_of_share, widened


@pytest.mark.parametrize("found", [0, 1, 7, 40])
def test_hits_and_misses_have_the_interval_of_wilson(found: int) -> None:
    chances = np.repeat([1.0, 0.0], [found, 40 - found])
    reference = binomtest(found, 40).proportion_ci(method="wilson")
    assert interval_of_share(chances) == pytest.approx((reference.low, reference.high), abs=1e-6)


def test_the_share_lies_in_its_interval() -> None:
    for chances in (np.zeros(3), np.ones(3), np.array([0.2, 0.5])):
        low, high = interval_of_share(chances)
        assert 0 <= low <= chances.mean() <= high <= 1


def test_chances_of_the_same_records_make_it_no_narrower() -> None:
    chances = np.repeat([1.0, 0.0], [7, 33])
    repeated = interval_of_share(np.tile(chances, 10), most=40)
    assert repeated == pytest.approx(interval_of_share(chances))
    assert for_all(1) == pytest.approx(1.959964)


@pytest.mark.parametrize("truth", [1 / 150, 0.02, 0.3])
def test_an_exact_lower_end_lies_above_the_truth_once_in_forty_at_most(truth: float) -> None:
    from scipy.stats import binom

    hits = np.arange(151)
    above = np.array([exact_low(hit / 150, 150) > truth for hit in hits])
    assert 0 < binom.pmf(hits[above], 150, truth).sum() <= 0.025


def test_the_interval_of_the_best_of_several_stays_between_none_and_all() -> None:
    low, high = widened(0.1, (0.02, 0.9), 4)
    assert low == 0.0
    assert high == 1.0
    assert widened(0.1, (0.05, 0.2), 3, holds_for=3) == pytest.approx((0.05, 0.2))
