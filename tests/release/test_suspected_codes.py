"""Codes for missing values among numbers."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.release.suspected_codes import suspected


@pytest.mark.parametrize(
    ("numbers", "counts", "whole", "codes"),
    [
        ([1, 2, 3, 4, 5, 6, 7], [9] * 7, True, ()),
        ([1, 2, 3, 4, 5, 9], [9] * 6, True, (9.0,)),
        ([-999, 1200, 1500, 1800], [3, 1, 1, 1], True, (-999.0,)),
        ([-9, -3, 2, 4], [2, 2, 2, 2], True, ()),
        ([-9, 1.5, 2.25, 4.75], [5, 1, 1, 1], False, (-9.0,)),
        ([-9, 1.5, 2.25, 4.75], [1, 1, 1, 1], False, ()),
    ],
)
def test_codes_lie_far_from_what_is_measured(
    numbers: list[float], counts: list[int], whole: bool, codes: tuple[float, ...]
) -> None:
    assert suspected(np.array(numbers, float), np.array(counts), whole) == codes


def test_codes_are_found_among_many_numbers() -> None:
    rng = np.random.default_rng(1)
    numbers = np.unique(np.append(rng.normal(40, 9, 500).round(2), [-9.0, 99.0, 9999.0, 31.0]))
    counts = np.where(np.isin(numbers, [-9, 99, 9999]), 20, 1)
    assert suspected(numbers, counts, False) == (-9.0, 99.0, 9999.0)
