"""The search halves to the limit, repeats what is random, and confirms who leads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.contracts import Measure
from discreet.contracts.registry import build
from discreet.exploring.candidates import Axis, Candidate
from discreet.exploring.exploration import Exploration
from discreet.exploring.point import Limit
from discreet.exploring.search import Settings, bisect, confirm, scout, sweep
from discreet.exploring.trial import Task, Trial

KS = tuple(range(3, 51))


def measure(name: str) -> Measure:
    made = build("measure", name)
    assert isinstance(made, Measure)
    return made


LINKAGE = measure("distance-linkage")


def answered(search: Any, trial: Callable[[Task], Trial]) -> list[Task]:
    """Run a search with made-up trials, and return what it asked for."""
    asked: list[Task] = []
    answer = None
    while True:
        try:
            tasks = next(search) if answer is None else search.send(answer)
        except StopIteration:
            return asked
        asked += tasks
        answer = [trial(task) for task in tasks]


def grouping(values: tuple[Any, ...] = KS) -> Candidate:
    where = (0, "microaggregation", "partition", "mdav", "k")
    return Candidate(({"microaggregation": {"partition": {"mdav": {}}}},), Axis(where, values))


def k_of(task: Task) -> int:
    return int(task.steps[0]["microaggregation"]["partition"]["mdav"]["k"])


def one_in_k(task: Task) -> Trial:
    return Trial(task, {"distance-linkage": 1 / k_of(task)})


@given(st.integers(2, 60))
def test_halving_finds_the_least_protection_that_keeps_the_limit(least: int) -> None:
    settings, limits = Settings(grouping(), 3), [Limit(LINKAGE, 1 / least)]
    asked = answered(
        bisect(settings, limits), lambda t: Trial(t, {"distance-linkage": 1 / k_of(t)})
    )
    keeping = [p.value for p in settings.points.values() if p.keeps(limits)]
    if least <= KS[-1]:
        assert min(keeping) == max(least, KS[0])
    else:
        assert not keeping
    assert len(asked) <= 9, "halving takes about log2 of the values"
    assert len(asked) == len({t.key for t in asked})


def test_halving_goes_on_between_the_declared_values() -> None:
    settings, limits = Settings(grouping((3, 10, 40)), 1), [Limit(LINKAGE, 1 / 17)]
    answered(bisect(settings, limits), one_in_k)
    assert min(p.value for p in settings.points.values() if p.keeps(limits)) == 17


def test_a_value_too_strong_for_the_file_is_not_the_end() -> None:
    settings, limits = Settings(grouping(), 1), [Limit(LINKAGE, 1 / 7)]

    def trial(task: Task) -> Trial:
        if k_of(task) > 20:
            return Trial(task, reason="more than there are records")
        return Trial(task, {"distance-linkage": 1 / k_of(task)})

    answered(bisect(settings, limits), trial)
    assert min(p.value for p in settings.points.values() if p.keeps(limits)) == 7


def test_all_values_if_asked_for() -> None:
    settings = Settings(grouping((3, 4, 5)), 3)
    asked = answered(sweep(settings), lambda t: Trial(t, {"distance-linkage": 0.1}))
    assert [k_of(task) for task in asked] == [3, 4, 5], "MDAV draws nothing and runs once"


def test_what_draws_is_repeated() -> None:
    noise = Candidate(({"additive-noise": {}},), Axis((0, "additive-noise", "alpha"), (0.1, 0.2)))
    asked = answered(sweep(Settings(noise, 4)), lambda t: Trial(t, {"distance-linkage": 0.1}))
    assert [task.repeat for task in asked] == [0, 1, 2, 3] * 2


def test_a_lucky_draw_does_not_win() -> None:
    goal = measure("sse-sst")
    lucky, steady = (
        Settings(Candidate(({"additive-noise": {"alpha": alpha}},)), 1) for alpha in (0.1, 0.2)
    )

    def trial(task: Task) -> Trial:
        alpha = task.steps[0]["additive-noise"]["alpha"]
        loss = 0.2 if alpha == 0.2 else 0.1 if task.repeat == 0 else 0.4
        return Trial(task, {"sse-sst": loss})

    both = [lucky, steady]

    def outcome() -> Exploration:
        points = tuple(p for s in both for p in s.points.values())
        return Exploration(points, (), (goal,))

    for settings in both:
        answered(sweep(settings), trial)
    assert outcome().ranked[0].candidate is lucky.candidate
    answered(confirm(both, lambda: outcome().ranked[:3], 10), trial)
    assert outcome().ranked[0].candidate is steady.candidate
    assert [len(p.trials) for p in outcome().points] == [10, 10]


def test_an_unlucky_draw_does_not_lose() -> None:
    goal, limits = measure("sse-sst"), (Limit(LINKAGE, 0.05),)
    better, worse, above = (
        Settings(Candidate(({"additive-noise": {"alpha": alpha}},)), 3) for alpha in (0.1, 0.2, 0.3)
    )
    # Three draws of the better one leave an interval up to 0.056, ten one up to 0.044; the third
    # would lose even less, but is above the limit on average.
    risks = {0.1: (0.03, 0.04, 0.05), 0.2: (0.01,), 0.3: (0.06, 0.05, 0.07)}
    losses = {0.1: 0.2, 0.2: 0.4, 0.3: 0.1}

    def trial(task: Task) -> Trial:
        alpha = task.steps[0]["additive-noise"]["alpha"]
        risk = risks[alpha][task.repeat % len(risks[alpha])]
        return Trial(task, {"sse-sst": losses[alpha], "distance-linkage": risk})

    every = [better, worse, above]

    def outcome() -> Exploration:
        points = tuple(p for s in every for p in s.points.values())
        return Exploration(points, limits, (goal,))

    for settings in every:
        answered(sweep(settings), trial)
    assert [p.candidate for p in outcome().ranked] == [worse.candidate]
    assert [p.candidate for p in outcome().undecided] == [better.candidate]
    answered(confirm(every, lambda: [*outcome().ranked, *outcome().undecided], 10), trial)
    assert [p.candidate for p in outcome().ranked] == [better.candidate, worse.candidate]
    assert [len(p.trials) for p in outcome().points] == [10, 10, 3]
    assert outcome().undecided == []


def test_a_first_look_is_at_the_middle_and_once() -> None:
    noise = Candidate(
        ({"additive-noise": {}},), Axis((0, "additive-noise", "alpha"), (0.1, 0.2, 0.3))
    )
    settings = Settings(noise, 4)
    asked = answered(scout(settings), lambda t: Trial(t, {"distance-linkage": 0.1}))
    assert [task.steps[0]["additive-noise"]["alpha"] for task in asked] == [0.2]
    assert len(settings.points) == 1


def test_a_first_look_goes_on_to_the_most_protective_value_if_a_limit_is_exceeded() -> None:
    for bound, looks in ((1 / 10, [10]), (1 / 40, [10, 40])):
        settings = Settings(grouping((3, 10, 40)), 1)
        asked = answered(scout(settings, [Limit(LINKAGE, bound)]), one_in_k)
        assert [k_of(task) for task in asked] == looks


def test_what_had_no_time_for_a_first_look_is_not_taken_for_a_failure() -> None:
    settings, limits = Settings(grouping((3, 10, 40)), 1), [Limit(LINKAGE, 1 / 12)]
    stopped = Trial(Task(({},)), reason="it took longer", stopped="seconds")
    answered(scout(settings), lambda task: stopped)
    assert not settings.points
    answered(bisect(settings, limits), one_in_k)
    assert min(p.value for p in settings.points.values() if p.keeps(limits)) == 12


def test_halving_starts_in_the_middle() -> None:
    settings, limits = Settings(grouping(), 1), [Limit(LINKAGE, 1 / 7)]
    asked = answered(bisect(settings, limits), one_in_k)
    assert k_of(asked[0]) == KS[len(KS) // 2]


NOISE = Candidate(({"additive-noise": {}},), Axis((0, "additive-noise", "alpha"), (0.1, 0.2, 0.3)))


def risk_of(task: Task, risks: list[float]) -> Trial:
    return Trial(task, {"distance-linkage": risks[task.repeat]})


def test_what_exceeds_the_limit_in_any_case_is_not_repeated() -> None:
    limits = (Limit(LINKAGE, 0.05),)
    for risks, runs in (
        ([0.21, 0.0, 0.0, 0.0], 1),
        ([0.2, 0.01, 0.0, 0.0], 2),
        ([0.08, 0.08, 0.08, 0.0], 3),
        ([0.05, 0.05, 0.05, 0.05], 4),
        ([0.01, 0.01, 0.01, 0.01], 4),
    ):
        settings = Settings(NOISE, 4, limits)
        asked = answered(scout(settings), lambda t, r=risks: risk_of(t, r))  # type: ignore[misc]
        assert len(asked) == 1
        asked += answered(settings.tried(0.2), lambda t, r=risks: risk_of(t, r))  # type: ignore[misc]
        assert [task.repeat for task in asked] == list(range(runs)), risks
        (point,) = settings.points.values()
        assert point.keeps(limits) == (runs == 4), risks


def test_a_figure_matters_up_to_what_decides() -> None:
    settings = Settings(NOISE, 3, (Limit(LINKAGE, 0.05), Limit(measure("k-anonymity"), 3)))
    asked = answered(settings.tried(0.2), lambda t: risk_of(t, [0.06, 0.02, 0.01]))
    # Of 0.15 altogether; whatever the first one is, k-anonymity has no largest value.
    assert [dict(task.enough) for task in asked] == [
        {"distance-linkage": pytest.approx(0.15)},
        {"distance-linkage": pytest.approx(0.09)},
        {"distance-linkage": pytest.approx(0.09)},
    ]
    assert not any(task.enough for task in answered(sweep(Settings(NOISE, 2)), one_risk))


def one_risk(task: Task) -> Trial:
    return risk_of(task, [0.1, 0.1, 0.1, 0.1])


@given(
    st.lists(st.lists(st.floats(0, 0.3), min_size=3, max_size=3), min_size=9, max_size=9),
    st.floats(0.01, 0.2),
)
def test_fewer_repetitions_find_the_same(drawn: list[list[float]], bound: float) -> None:
    alphas = tuple(float(n) for n in range(1, 10))
    noise = Candidate(({"additive-noise": {}},), Axis((0, "additive-noise", "alpha"), alphas))
    limits = (Limit(LINKAGE, bound),)

    def trial(task: Task) -> Trial:
        alpha = task.steps[0]["additive-noise"]["alpha"]
        return risk_of(task, [figure / alpha for figure in drawn[int(alpha) - 1]])

    kept = []
    for settings in (Settings(noise, 3), Settings(noise, 3, limits)):
        answered(bisect(settings, limits), trial)
        points = settings.points.values()
        kept.append({p.value: p.scores["distance-linkage"] for p in points if p.keeps(limits)})
        assert {p.value for p in points} >= kept[-1].keys()
    assert kept[0] == kept[1]
