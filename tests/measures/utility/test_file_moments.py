"""Moments of the original and of a release are found once, and drawn ones by each measure."""

from __future__ import annotations

import numpy as np

import discreet
from discreet.contracts import Context
from discreet.measures.utility.file_moments import largest, of_draws, of_original
from discreet.measures.view import decoded
from discreet.microdata import Numbers
from discreet.models.moments import means

ORIGINAL = discreet.read({"x": [1.0, 2.0, 6.0], "y": [4.0, None, 2.0]})


def counting(calls: list[int]) -> object:
    def statistic(values: Numbers, weights: Numbers | None) -> Numbers:
        calls.append(len(values))
        return means(values, weights)

    return statistic


def test_the_largest_size_is_that_of_the_values_present() -> None:
    values = np.array([[-3.0, np.nan, np.inf], [2.0, np.nan, 0.0]])
    assert largest(values).tolist() == [3.0, 0.0, np.inf]


def test_a_statistic_of_the_original_is_found_once_in_an_assessment() -> None:
    calls: list[int] = []
    context, statistic = Context().sharing(), counting(calls)
    for name in ("one", "other"):
        found = of_original(ORIGINAL, ["x", "y"], statistic, context.within(name))  # type: ignore[arg-type]
        assert found.tolist() == [3.0, 3.0]
    assert calls == [3]


def test_a_release_without_draws_is_the_same_for_every_measure() -> None:
    calls: list[int] = []
    released = discreet.read({"x": [1.0, 1.0, 7.0], "y": [4.0, None, 2.0]})
    context, statistic = Context().sharing(), counting(calls)
    for name in ("one", "other"):
        view = decoded(ORIGINAL, released, ["x"], None, context)
        [[found]] = of_draws(view, released, [statistic], context.within(name))  # type: ignore[list-item]
        assert found.tolist() == [3.0]
    assert calls == [3]


def test_what_is_drawn_is_drawn_anew_for_every_measure() -> None:
    calls: list[int] = []
    released = discreet.read({"x": [1.0, None, 7.0]})
    context, statistic = Context().sharing(), counting(calls)
    view = decoded(ORIGINAL, released, ["x"], None, context)
    draws = [
        of_draws(view, released, [statistic], context.within(name))  # type: ignore[list-item]
        for name in ("one", "other")
    ]
    assert len(draws[0]) == 5
    assert calls == [3] * 10
