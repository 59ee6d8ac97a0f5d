"""Random numbers that are spread evenly: each uniform, together without gaps and clusters."""

from __future__ import annotations

import numpy as np
from scipy.stats import kstest

from discreet.models.sequential.even import WINDOW, evenly


def test_every_part_of_the_range_has_one_number_in_each_window() -> None:
    drawn = evenly(10 * WINDOW, np.random.default_rng(1)).reshape(10, WINDOW)
    parts = np.sort((drawn * WINDOW).astype(int), axis=1)
    assert np.array_equal(parts, np.tile(np.arange(WINDOW), (10, 1)))


def test_the_number_of_one_record_is_uniform_wherever_it_stands() -> None:
    rng = np.random.default_rng(2)
    tables = np.array([evenly(WINDOW + 3, rng) for _ in range(2000)])
    for place in (0, 7, WINDOW - 1, WINDOW + 2):
        assert kstest(tables[:, place], "uniform").pvalue > 0.001


def test_shares_vary_less_than_those_of_independent_numbers() -> None:
    rng = np.random.default_rng(3)
    counts = [int((evenly(320, rng) < 0.3).sum()) for _ in range(300)]
    assert np.mean(counts) == np.clip(np.mean(counts), 95, 97)
    assert np.std(counts) < 0.3 * np.sqrt(320 * 0.3 * 0.7)


def test_none_and_few_records() -> None:
    rng = np.random.default_rng(4)
    assert len(evenly(0, rng)) == 0
    assert len(evenly(5, rng)) == 5
