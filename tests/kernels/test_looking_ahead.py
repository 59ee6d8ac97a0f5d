"""Threads that look ahead: what fails in one is not lost, and nobody waits for their last lists."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from discreet.kernels.claims import DONE
from discreet.kernels.kdtree import build
from discreet.kernels.looking_ahead import Crew
from discreet.kernels.mdav_ahead import look_ahead_to

POINTS = np.random.default_rng(1).normal(size=(40, 2))
LABELS = np.full(40, -1, np.int64)


def test_what_fails_in_a_thread_is_raised_in_the_end() -> None:
    tree, ahead = build(POINTS, np.arange(40), POINTS.mean(axis=0)), look_ahead_to(LABELS, 3, 4)
    failing = threading.Event()

    def make_lists(*_: Any) -> None:
        failing.set()
        raise ZeroDivisionError

    def look_twice() -> None:
        with Crew(2) as crew:
            with crew.looking_ahead(make_lists, tree, POINTS, LABELS, ahead):
                assert failing.wait(60)
            with crew.looking_ahead(lambda *_: None, tree, POINTS, LABELS, ahead):
                pass

    with pytest.raises(ZeroDivisionError):
        look_twice()


def test_the_next_lists_do_not_wait_for_the_last_ones() -> None:
    tree = build(POINTS, np.arange(40), POINTS.mean(axis=0))
    first, second = look_ahead_to(LABELS, 3, 4), look_ahead_to(LABELS, 3, 4)
    begun, go_on, made = threading.Event(), threading.Event(), []

    def make_lists(_tree: Any, _points: Any, _labels: Any, ahead: Any, last: int) -> None:
        if ahead is first:
            begun.set()
            assert go_on.wait(60)
            made.append(int(ahead.states[last]))
        else:
            made.append(-1)

    with Crew(2) as crew:
        with crew.looking_ahead(make_lists, tree, POINTS, LABELS, first):
            assert begun.wait(60)
        with crew.looking_ahead(make_lists, tree, POINTS, LABELS, second):
            go_on.set()
            while len(made) < 2:
                pass
    assert made[0] == DONE
    assert made[1] == -1
