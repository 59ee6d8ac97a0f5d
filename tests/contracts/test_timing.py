"""Seconds on a machine that does nothing else."""

from __future__ import annotations

import time

from discreet.contracts.timing import timed


def test_waiting_does_not_count() -> None:
    assert timed(lambda: time.sleep(0.2)) < 0.1


def test_the_shorter_of_several_clocks_counts() -> None:
    wall, own = iter([0.0, 9.0]), iter([1.0, 4.0])
    assert timed(lambda: None, lambda: next(wall), lambda: next(own)) == 3.0
