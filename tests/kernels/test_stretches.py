"""Stretches of work come to take the time that they should, from any guess."""

from __future__ import annotations

import time

import pytest

from discreet.kernels.stretches import SECONDS, next_pace


@pytest.mark.parametrize("first", [1.0, 1e9])
def test_the_pace_settles_where_a_stretch_takes_its_time(
    first: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    per_second, pace, clock = 40_000.0, first, 0.0
    monkeypatch.setattr(time, "perf_counter", lambda: clock)
    for _ in range(30):
        start, clock = clock, clock + pace / per_second
        faster = next_pace(pace, start)
        assert faster <= 2 * pace
        pace = faster
    assert pace == pytest.approx(SECONDS * per_second)


def test_work_that_takes_no_time_at_all_is_doubled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", lambda: 7.0)
    assert next_pace(3, 7.0) == 6
