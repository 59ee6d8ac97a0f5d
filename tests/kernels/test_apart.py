"""Kernels that are called by their address."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numba import njit, types
from numba.core.errors import TypingError

from discreet.kernels.apart import address, call
from discreet.kernels.mdav_by_tree import labels_by_tree

WHOLE = types.float64[::1]

AGAIN = """
import numpy as np
from discreet.kernels.mdav_by_tree import form_groups, labels_by_tree
points = np.random.default_rng(1).normal(size=(6_000, 3))
print(labels_by_tree(points, 4, threads=2).tolist(), sum(form_groups.stats.cache_hits.values()))
"""


@njit
def _add(numbers: Any, step: int) -> None:
    if step < 0:
        raise ValueError("no step back")
    for i in range(len(numbers)):
        numbers[i] += step


@njit
def _add_twice(where: int, numbers: Any, step: int) -> None:
    call(where, numbers, step)
    call(where, numbers[1:], 2)


def test_it_does_what_a_plain_call_does() -> None:
    numbers = np.zeros(3)
    _add_twice(address(_add, WHOLE, types.int64), numbers, 5)
    assert numbers.tolist() == [5, 7, 7]


def test_errors_get_through() -> None:
    with pytest.raises(ValueError, match="no step back"):
        _add_twice(address(_add, WHOLE, types.int64), np.zeros(3), -1)


def test_parts_with_gaps_are_refused() -> None:
    with pytest.raises(TypingError, match="takes whole arrays"):
        _add_twice(address(_add, WHOLE, types.int64), np.zeros(6)[::2], 1)


def test_code_from_disk_finds_its_way() -> None:
    points = np.random.default_rng(1).normal(size=(6_000, 3))
    labels = labels_by_tree(points, 4, threads=2)  # from now on it is on disk
    again = subprocess.run(
        [sys.executable, "-c", AGAIN], capture_output=True, text=True, check=True
    ).stdout.rpartition(" ")
    assert again[0] == str(labels.tolist())
    assert int(again[2]) == 1  # the caller was read from disk, and so was what it calls
