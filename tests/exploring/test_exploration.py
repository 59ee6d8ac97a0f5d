"""What a search has found: the front, and the point nearest to the limits."""

from __future__ import annotations

from discreet.contracts import Measure
from discreet.contracts.registry import build
from discreet.exploring.candidates import Candidate
from discreet.exploring.exploration import Exploration
from discreet.exploring.point import Limit, Point
from discreet.exploring.trial import Task, Trial


def measure(name: str) -> Measure:
    made = build("measure", name)
    assert isinstance(made, Measure)
    return made


LINKAGE = measure("distance-linkage")


def test_front_and_closest() -> None:
    goal = measure("sse-sst")
    figures = [(0.2, 0.1), (0.1, 0.2), (0.2, 0.2), (0.05, 0.5)]
    points = tuple(
        Point(
            Candidate(({"additive-noise": {"alpha": i + 0.1}},)),
            None,
            (Trial(Task(()), {"distance-linkage": risk, "sse-sst": loss}),),
        )
        for i, (risk, loss) in enumerate(figures)
    )
    found = Exploration(points, (Limit(LINKAGE, 0.01),), (goal,))
    assert found.recommended is None
    assert found.closest is points[3]
    assert set(found.front) == {points[0], points[1], points[3]}
    met = Exploration(points, (Limit(LINKAGE, 0.1),), (goal,))
    assert met.recommended is points[1]
    assert any("runner-up" in line for line in met.words)
    assert any("no setting keeps the limits" in line for line in found.words)


def test_what_the_goal_does_not_tell_apart_the_association_decides() -> None:
    goal = measure("propensity")
    draws = {
        "lucky": ([0.0, 0.0, 0.0], 0.2),
        "good": ([0.0, 0.0, 0.06], 0.1),
        "bad": ([0.5] * 3, 0),
    }
    points = tuple(
        Point(
            Candidate(({"additive-noise": {"columns": [name]}},)),
            None,
            tuple(
                Trial(Task((), n), {"distance-linkage": 0.05, "propensity": u}, changed=changed)
                for n, u in enumerate(values)
            ),
        )
        for name, (values, changed) in draws.items()
    )
    found = Exploration(points, (Limit(LINKAGE, 0.1),), (goal,))
    assert [points.index(point) for point in found.ranked] == [1, 0, 2]
    assert any(
        line.startswith("10 % of the association") and "from 1 other setting" in line
        for line in found.words
    )


def test_a_risk_that_is_only_known_to_be_large_beats_nothing() -> None:
    goal = measure("sse-sst")

    def point(alpha: float, risk: float, loss: float, at_least: tuple[str, ...] = ()) -> Point:
        figures = {"distance-linkage": risk, "sse-sst": loss}
        trial = Trial(Task(()), figures, at_least=at_least)
        return Point(Candidate(({"additive-noise": {"alpha": alpha}},)), None, (trial,))

    known, large = point(0.1, 0.5, 0.2), point(0.2, 0.3, 0.2, ("distance-linkage",))
    best, other = point(0.3, 0.6, 0.1), point(0.4, 0.4, 0.1, ("distance-linkage",))
    found = Exploration((known, large, best, other), (Limit(LINKAGE, 0.05),), (goal,))
    assert found.front == [best, known]
    assert found.closest is known
    assert "at least 30.00" in repr(Exploration((large,), found.limits, (goal,)))
