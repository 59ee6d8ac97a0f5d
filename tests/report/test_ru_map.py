"""The R-U map says which way is safer and which more useful, for measures of either direction."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from discreet.contracts import Measure
from discreet.contracts.registry import build
from discreet.exploring.candidates import Axis, Candidate
from discreet.exploring.exploration import Exploration
from discreet.exploring.point import Limit, Point
from discreet.exploring.trial import Task, Trial
from discreet.exploring.writing import collect
from discreet.report.ru_map import ru_page, ru_picture

CANDIDATE = Candidate(
    ({"additive-noise": {}},), Axis((0, "additive-noise", "alpha"), (0.1, 0.5, 1.0))
)


def explored(risk: str, bound: float, utility: str, figures: dict[float, Any]) -> Exploration:
    limited, goal = build("measure", risk), build("measure", utility)
    assert isinstance(limited, Measure)
    assert isinstance(goal, Measure)
    points = [
        Point(
            CANDIDATE,
            alpha,
            tuple(Trial(Task(CANDIDATE.at(alpha), i), {risk: a, utility: b})
                  for i, (a, b) in enumerate(draws)),
        )
        for alpha, draws in figures.items()
    ]  # fmt: skip
    return Exploration(tuple(points), (Limit(limited, bound),), (goal,))


def places(page: str) -> dict[str, tuple[float, float]]:
    found = re.findall(r'data-words="([^:]*):.*?<circle cx="([\d.]+)" cy="([\d.]+)"', page)
    return {name: (float(x), float(y)) for name, x, y in found}


def test_where_less_risk_is_better_the_left_is_safer() -> None:
    found = explored("distance-linkage", 0.2, "sse-sst", {0.1: [(0.5, 0.1)], 1.0: [(0.1, 0.6)]})
    page = ru_page(collect(found))
    assert "further left is safer, further down is more useful" in page
    at = places(page)
    assert at["additive-noise, alpha = 1"][0] < at["additive-noise, alpha = 0.1"][0]
    assert at["additive-noise, alpha = 1"][1] < at["additive-noise, alpha = 0.1"][1]


def test_where_more_is_safer_the_right_is() -> None:
    found = explored("k-anonymity", 3, "sse-sst", {0.1: [(2, 0.1)], 1.0: [(5, 0.6)]})
    assert found.recommended is found.points[1]
    page = ru_page(collect(found))
    assert "further right is safer, further down is more useful" in page
    at = places(page)
    assert at["additive-noise, alpha = 1"][0] > at["additive-noise, alpha = 0.1"][0]


def test_intervals_stay_within_the_range_of_the_measure() -> None:
    # Three draws near 0 have an interval that reaches below 0, which no share does.
    draws = [(0.0, 0.1), (0.0, 0.1), (0.01, 0.1)]
    found = explored("distance-linkage", 0.2, "sse-sst", {0.1: draws})
    (row,) = found.to_dict()["distance-linkage low"]
    assert row == 0.0
    assert "-" not in repr(found).splitlines()[-1].replace("additive-noise", "")
    assert "to 1.77 %" in repr(found)
    assert not re.search(r"\(-[\d.]+ %", ru_page(collect(found)))


@pytest.mark.parametrize("risk", ["distance-linkage", "k-anonymity"])
def test_one_point_and_equal_points_have_a_picture(risk: str) -> None:
    bound = 1.0
    for figures in ({0.1: [(1.0, 0.0)]}, {0.1: [(1.0, 0.0)], 0.5: [(1.0, 0.0)]}):
        content = collect(explored(risk, bound, "sse-sst", figures))
        assert ru_picture(content, content.maps[0]).startswith("<svg ")
    assert "<svg" not in ru_page(collect(explored(risk, bound, "sse-sst", {})))


def test_the_front_of_a_map_has_only_what_no_other_beats_in_its_two_measures() -> None:
    """A setting may be on the front by a third measure, which this picture does not show."""
    figures = {0.1: [(0.1, 0.6)], 0.5: [(0.2, 0.7)], 1.0: [(0.5, 0.1)]}
    content = collect(explored("distance-linkage", 0.2, "sse-sst", figures))
    content = replace(content, points=tuple(replace(p, front=True) for p in content.points))
    picture = ru_picture(content, content.maps[0])
    (front,) = re.findall(r'<path d="([^"]*)" class="front"', picture)
    assert front.count("L") == 1


def test_a_risk_that_is_only_known_to_be_large_is_told_as_such() -> None:
    found = explored("distance-linkage", 0.2, "sse-sst", {0.1: [(0.5, 0.1)], 1.0: [(0.1, 0.6)]})
    first, second = found.points
    trials = tuple(replace(trial, at_least=("distance-linkage",)) for trial in first.trials)
    content = collect(replace(found, points=(replace(first, trials=trials), second)))
    assert content.points[0].scores["distance-linkage"].in_words(True).startswith("at least 50")
    assert "alpha = 0.1: Distance linkage (DLD) at least 50" in ru_page(content)
    assert "alpha = 1: Distance linkage (DLD) 10" in ru_page(content)
