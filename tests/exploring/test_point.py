"""Points of the map: values with their intervals, and the limits that they keep."""

from __future__ import annotations

import math

import pytest

from discreet.contracts import Measure
from discreet.contracts.registry import build
from discreet.exploring.candidates import Candidate, Steps
from discreet.exploring.point import Limit, Point, Value
from discreet.exploring.trial import Task, Trial


def measure(name: str) -> Measure:
    made = build("measure", name)
    assert isinstance(made, Measure)
    return made


LINKAGE = measure("distance-linkage")


def test_equal_draws_have_no_interval() -> None:
    for count in range(1, 60):
        for value in (0.05, 0.1, 1 / 3, 0.7, 123.456):
            assert Value.of([value] * count) == Value(value, value, value, count)


def test_the_worse_end_of_the_interval_must_keep_the_limit() -> None:
    value = Value.of([0.04, 0.05, 0.06])
    # t(0.975, 2) = 4.302653, standard error 0.01 / sqrt(3)
    margin = 4.302652729911275 * 0.01 / math.sqrt(3)
    assert value.mean == pytest.approx(0.05)
    assert value.high - value.mean == pytest.approx(margin)
    assert Limit(LINKAGE, 0.06).excess(value) == pytest.approx(0.05 + margin - 0.06)
    higher = Limit(measure("k-anonymity"), 5)
    assert higher.excess(Value.of([5.0])) == 0
    assert higher.excess(Value.of([4.0])) == 1


def test_figures_of_a_point_are_computed_once() -> None:
    # A search asks for them ten times a second, and would need a core for that alone.
    steps: Steps = ({"additive-noise": {}},)
    trials = [Trial(Task(steps, n), {"distance-linkage": 0.1 * n}) for n in range(3)]
    point = Point(Candidate(steps), None, tuple(trials))
    assert point.scores is point.scores
    assert point.label is point.label


def test_a_figure_that_is_large_enough_may_be_as_large_as_can_be() -> None:
    steps: Steps = ({"additive-noise": {}},)
    trial = Trial(Task(steps), {"distance-linkage": 0.2}, at_least=("distance-linkage",))
    point = Point(Candidate(steps), None, (trial,))
    assert point.scores["distance-linkage"] == Value(0.2, 0.2, 1.0, 1, at_least=True)
    assert point.at_least("distance-linkage")
    assert not point.at_least("sse-sst")
    assert not point.keeps([Limit(LINKAGE, 0.3)]), "nobody knows how large it is"


def test_the_mean_of_equal_figures_at_the_limit_does_not_exceed_it() -> None:
    for times in range(1, 30):
        for bound in (0.05, 0.1, 1 / 3, 0.7):
            assert not Limit(LINKAGE, bound).exceeded([bound] * times, times)
    assert Limit(LINKAGE, 0.0).exceeded([1e-12], 3)
    assert not Limit(measure("k-anonymity"), 3).exceeded([1.0], 3)
