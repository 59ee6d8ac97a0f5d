"""Numbers that were given out, against sums of money."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.release.given_numbers import drawn, last_digits, long_of_one_length, without_a_pair

RANDOM = np.random.default_rng(5)


@pytest.mark.parametrize("records", [100, 300, 1000])
def test_numbers_given_out_are_told_from_sums_of_money(records: int) -> None:
    running = np.arange(5000, 5000 + records).astype(np.float64)
    random = np.sort(RANDOM.choice(9 * 10**6, records, replace=False) + 10**6).astype(np.float64)
    money = np.unique(RANDOM.lognormal(14.5, 0.3, records).round())
    assert without_a_pair(running)
    assert drawn(random)
    assert not without_a_pair(money)
    assert not drawn(money)
    assert not long_of_one_length(money)


def test_round_sums_are_not_drawn() -> None:
    assert not drawn(np.arange(100_000.0, 900_000.0, 100.0))


def test_points_and_shares_are_no_last_digits() -> None:
    ones = np.ones(1000, np.int64)
    assert last_digits(np.arange(1000.0), ones)
    assert not last_digits(np.arange(100.0), ones[:100])
    assert not last_digits(np.arange(1000.0) - 500, ones)
    crowded = np.arange(1000, 0, -1)
    assert not last_digits(np.arange(1000.0), crowded)
