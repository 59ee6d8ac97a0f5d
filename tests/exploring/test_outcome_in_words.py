"""The outcome in words says what was measured, and no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from discreet.contracts import Measure
from discreet.contracts.registry import build
from discreet.exploring.candidates import Candidate
from discreet.exploring.exploration import Exploration
from discreet.exploring.point import Limit, Point
from discreet.exploring.trial import Task, Trial

PLAIN = Candidate(({"additive-noise": {}},))
LINEAR = Candidate(({"additive-noise": {"variant": "linear"}},))
SWAPPING = Candidate(({"rank-swapping": {}},))


def explored(results: list[tuple[Candidate, Any]]) -> Exploration:
    """Make an exploration of scores of linkage and loss, or of reasons why there are none."""
    linkage, loss = build("measure", "distance-linkage"), build("measure", "sse-sst")
    assert isinstance(linkage, Measure)
    assert isinstance(loss, Measure)
    points = []
    for candidate, result in results:
        task = Task(candidate.steps)
        trial = (
            Trial(task, reason=result)
            if isinstance(result, str)
            else Trial(task, dict(zip(("distance-linkage", "sse-sst"), result, strict=True)))
        )
        points.append(Point(candidate, None, (trial,)))
    return Exploration(tuple(points), (Limit(linkage, 0.1),), (loss,))


def test_methods_are_counted_and_not_their_forms() -> None:
    found = explored([(PLAIN, (0.05, 0.1)), (LINEAR, (0.05, 0.2)), (SWAPPING, (0.05, 0.3))])
    assert found.words[0] == "3 settings of 2 methods were tried"
    assert explored([(PLAIN, (0.05, 0.1))]).words[0] == "1 setting of 1 method was tried"


def test_what_differs_by_rounding_alone_is_equal() -> None:
    one, other = (LINEAR, (0.05, 0.1 + 1e-17)), (PLAIN, (0.05, 0.1))
    nearly = (SWAPPING, (0.05, 0.1 * (1 + 1e-15)))
    found = explored([nearly, one, other])
    assert found.recommended is not None
    assert found.recommended.label == "additive-noise", "equal figures: by name"
    assert len(found.front) == 3
    said = "loses nothing that was measured, and gains nothing that was measured"
    assert said in found.words[-1]


def test_if_nothing_was_measured_the_limits_are_not_blamed() -> None:
    assert explored([]).words == ["0 settings of 0 methods were tried", "no setting was measured"]
    reasons = ["too few records", "too few records", "no such column"]
    found = explored(list(zip((PLAIN, LINEAR, SWAPPING), reasons, strict=True)))
    assert found.words[1:] == ["no setting was measured, most often because: too few records"]


def test_a_limit_that_is_not_kept_is_told_with_the_closest() -> None:
    words = explored([(PLAIN, (0.5, 0.1)), (SWAPPING, (0.2, 0.4))]).words
    assert words[1] == "no setting keeps the limits (distance-linkage at most 10.00 %)"
    assert words[2].startswith("the closest is rank-swapping with")


def losing(found: Exploration, lost: tuple[str, ...]) -> Exploration:
    """Return the exploration with columns that its first point has lost."""
    first, *rest = found.points
    trials = tuple(replace(trial, lost=lost) for trial in first.trials)
    return replace(found, points=(replace(first, trials=trials), *rest))


def test_a_release_that_lost_a_column_is_passed_over_and_said_so() -> None:
    both = explored([(PLAIN, (0.01, 0.0)), (SWAPPING, (0.05, 0.3))])
    assert both.recommended is both.points[0]
    found = losing(both, ("age",))
    assert found.recommended is found.points[1]
    assert found.words[-1] == (
        "additive-noise has better figures and was passed over: all its records agree on age"
    )
    allowed = replace(found, may_lose=True)
    assert allowed.recommended is allowed.points[0]
    assert "passed over" not in " ".join(allowed.words)


def test_a_release_whose_columns_have_little_to_do_with_each_other_is_passed_over() -> None:
    both = explored([(PLAIN, (0.01, 0.0)), (SWAPPING, (0.05, 0.3))])
    first, second = both.points
    weak = replace(first, trials=tuple(replace(t, kept=0.08) for t in first.trials))
    enough = replace(second, trials=tuple(replace(t, kept=0.5) for t in second.trials))
    found = replace(both, points=(weak, enough))
    assert found.recommended is enough
    assert found.words[-1].endswith("it keeps 8 % of the association between columns")
    assert found.to_dict()["association kept"] == [0.08, 0.5]
    assert replace(found, may_lose=True).recommended is weak


def test_a_release_with_a_column_cut_loose_is_passed_over() -> None:
    both = explored([(PLAIN, (0.01, 0.0)), (SWAPPING, (0.05, 0.3))])
    first, second = both.points
    loose = replace(first, trials=tuple(replace(t, loose=("ill",)) for t in first.trials))
    found = replace(both, points=(loose, second))
    assert found.recommended is second
    assert found.words[-1].endswith("ill is hardly related to the other columns any more")
    once = replace(loose, trials=(*loose.trials, *first.trials))
    assert not once.ruin, "in one of two draws it may be chance"
    assert replace(found, may_lose=True).recommended is loose


def test_only_lossy_releases_are_no_recommendation() -> None:
    found = losing(explored([(PLAIN, (0.01, 0.0))]), ("age", "sex"))
    assert found.recommended is None
    assert found.words[1] == "no setting that keeps the limits can be recommended"
    assert found.words[-1].endswith("all its records agree on age, sex")


def test_the_runner_up_is_of_another_kind() -> None:
    suppression = Candidate(({"local-suppression": {}},))
    found = explored([(PLAIN, (0.05, 0.1)), (SWAPPING, (0.05, 0.2)), (suppression, (0.05, 0.3))])
    assert found.words[-1].startswith("the runner-up, local-suppression, ")
    two = explored([(PLAIN, (0.05, 0.1)), (SWAPPING, (0.05, 0.2))])
    assert two.words[-1].startswith("the runner-up, rank-swapping, ")


def test_masked_and_synthetic_records_are_both_recommended() -> None:
    synthesis = Candidate(({"cart-synthesis": {}},))
    found = explored([(PLAIN, (0.08, 0.2)), (SWAPPING, (0.05, 0.3)), (synthesis, (0.01, 0.1))])
    assert found.recommended is found.points[0]
    assert found.alternative is found.points[2]
    assert found.words[-1] == (
        "recommended if records may be drawn anew: cart-synthesis; compared with additive-noise, "
        "it loses nothing that was measured, and gains distance-linkage 1.00 % instead of 8.00 % "
        "and sse-sst 10.00 % instead of 20.00 %"
    )
    assert repr(found).splitlines()[-3].startswith("additive-noise"), "the recommended one on top"
    for records in ("synthetic", "either"):
        drawn = replace(found, records=records)
        assert drawn.recommended is found.points[2]
        assert drawn.alternative is found.points[0]
        assert drawn.words[-1].startswith("recommended if every record is to come from one of the")
    other = explored([(PLAIN, (0.08, 0.1)), (synthesis, (0.01, 0.2)), (SWAPPING, (0.5, 0.0))])
    assert replace(other, records="either").recommended is other.points[0]
    assert explored([(PLAIN, (0.08, 0.1)), (synthesis, (0.5, 0.0))]).alternative is None


def test_the_other_kind_of_records_is_recommended_where_the_wished_one_is_not_safe() -> None:
    synthesis = Candidate(({"cart-synthesis": {}},))
    found = explored([(PLAIN, (0.5, 0.1)), (synthesis, (0.01, 0.2))])
    assert found.recommended is found.points[1]
    assert found.alternative is None


def test_better_figures_of_the_other_kind_of_records_were_not_passed_over() -> None:
    synthesis = Candidate(({"cart-synthesis": {}},))
    both = explored([(synthesis, (0.01, 0.0)), (PLAIN, (0.05, 0.3))])
    assert "passed over" not in " ".join(losing(both, ("age",)).words)


def test_a_figure_that_was_large_enough_is_told_as_such() -> None:
    found = explored([(PLAIN, (0.5, 0.1))])
    (trial,) = found.points[0].trials
    point = Point(PLAIN, None, (replace(trial, at_least=("distance-linkage",)),))
    words = replace(found, points=(point,)).words
    assert words[2] == "the closest is additive-noise with Distance linkage (DLD) at least 50.00 %"
