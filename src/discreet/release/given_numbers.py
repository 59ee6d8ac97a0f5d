"""Whether whole numbers were assigned, as to accounts and cases, not measured.

All functions take the different numbers of a column in their order.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet.microdata.arrays import Numbers

EXPECTED_PAIRS = 10
"""If chance would give this many equal pairs of whole numbers and there is none, they were
assigned.
"""
LONG = 8
"""Numbers of one length with this many digits or more are codes."""
SIX_DIGITS = 100_000
ROUND = 0.05
"""Of numbers that were assigned, one in a hundred ends in 00; of sums of money many do."""
EVEN = 1.63
"""Equally likely draws deviate this far from even, over the root of their number, once in 100.
"""
FILLED = 0.9
"""The last digits of longer numbers span this share of all numbers with as many digits."""


def without_a_pair(numbers: Numbers) -> bool:
    """Whether no two of the numbers, one per record, are equal though many would be by chance.

    >>> without_a_pair(np.arange(100.0)), without_a_pair(np.arange(100.0) ** 3)
    (True, False)
    """
    span = float(numbers[-1] - numbers[0]) + 1
    if len(numbers) ** 2 / (2 * span) < EXPECTED_PAIRS:
        return False
    places = (numbers - numbers[0]) / span
    apart = np.abs(places - np.arange(len(places)) / len(places)).max()
    return bool(apart < 0.15 or np.mean(np.diff(numbers) == 1) > 0.5)


def of_one_step(numbers: Numbers) -> bool:
    """Whether numbers are multiples of some step apart, as 1500, 1510, 1530: rounded amounts.

    >>> of_one_step(np.array([1500.0, 1510, 1530])), of_one_step(np.array([7.0, 8, 10]))
    (True, False)
    """
    return bool(np.gcd.reduce(np.diff(numbers).astype(np.int64)) > 1)


def long_of_one_length(numbers: Numbers) -> bool:
    """Whether numbers are long and of one length, unlike sums of money.

    Those have several lengths, and many of them are round.

    >>> long_of_one_length(np.array([10_000_007.0, 98_765_431]))
    True
    """
    one_length = len(str(int(numbers[0]))) == len(str(int(numbers[-1])))
    return bool(numbers[0] >= 10.0 ** (LONG - 1) and one_length and _not_round(numbers))


def drawn(numbers: Numbers) -> bool:
    """Whether numbers of six digits or more are even and not round.

    >>> drawn(np.linspace(1_000_003, 1_999_999, 500).round())
    True
    """
    return bool(numbers[0] >= SIX_DIGITS and even_and_not_round(numbers))


def even_and_not_round(numbers: Numbers) -> bool:
    """Whether numbers are spread evenly over their range, and few are round.

    Sums of money crowd at the smaller ones.

    >>> even_and_not_round(np.linspace(10_003, 99_999, 500).round())
    True
    >>> even_and_not_round(np.geomspace(10_003, 99_999, 500).round())
    False
    """
    ones = np.ones(len(numbers), np.int64)
    even = evenly(numbers, ones, float(numbers[0]), float(numbers[-1]))
    return bool(even and _not_round(numbers))


def last_digits(numbers: Numbers, counts: NDArray[np.int64]) -> bool:
    """Whether numbers fill all of three or four digits evenly: the ends of longer ones.

    >>> last_digits(np.arange(0.0, 10_000, 7), np.ones(1429, np.int64))
    True
    >>> last_digits(np.arange(0.0, 5_000, 7), np.ones(715, np.int64))
    False
    """
    top = 10.0 ** len(str(int(numbers[-1])))
    filled = numbers[0] >= 0 and numbers[-1] - numbers[0] > FILLED * top
    return bool(filled and 1000 <= top <= 10_000 and evenly(numbers, counts, 0.0, top))


def evenly(numbers: Numbers, counts: NDArray[np.int64], low: float, high: float) -> bool:
    """Whether records are spread evenly between two numbers (Kolmogorov and Smirnov's distance).

    >>> evenly(np.array([0.0, 1, 2, 3]), np.array([9, 9, 9, 9]), -1, 3)
    True
    """
    below = np.cumsum(counts) / counts.sum()
    apart = np.abs(below - (numbers - low) / max(high - low, 1.0)).max()
    return bool(apart < EVEN / np.sqrt(counts.sum()))


def _not_round(numbers: Numbers) -> bool:
    return bool(np.mean(numbers % 100 == 0) < ROUND)
