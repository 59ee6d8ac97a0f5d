"""A search from end to end: processes, budgets, the store, a kill in the middle, the command."""

from __future__ import annotations

import math
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import DataError, Microdata, UsageError
from discreet.contracts import Progress
from discreet.errors import DiscreetError
from discreet.exploring.candidates import from_registry
from discreet.exploring.point import Limit
from discreet.exploring.search import scout
from discreet.exploring.searching import Effort, Search
from discreet.exploring.trial import Task, Trial
from tests.trials_in_process import InProcess

ONE: list[Any] = ["individual-ranking"]
CANDIDATES: list[Any] = [
    {"microaggregation": {"partition": {"mdav": {"k": {"try": [2, 3, 5, 8]}}}}},
    {"additive-noise": {"alpha": {"try": [0.1, 0.5, 2.0]}}},
]
ROLES = {"age": "quasi-identifier", "height": "quasi-identifier", "sick": "confidential"}
IN_PROCESS = pytest.mark.usefixtures("trials_in_process")


@pytest.fixture(scope="module")
def data() -> Microdata:
    rng = np.random.default_rng(5)
    age = rng.integers(18, 90, 120).astype(float)
    frame = {"age": age, "height": 180 - 0.2 * age + rng.normal(0, 7, 120), "sick": age > 60}
    return discreet.read(frame, roles=ROLES)


def explored(data: Microdata, **options: Any) -> Any:
    given: dict[str, Any] = {"candidates": CANDIDATES, "cores": 2, "seed": 7, "repeats": 2}
    return discreet.explore(
        data, {"distance-linkage": 0.3}, ["sse-sst", "abico"], **{**given, **options}
    )


def figures(found: Any) -> dict[str, Any]:
    return {p.label: [dict(t.scores) for t in p.trials] for p in found.points}


@IN_PROCESS
def test_the_best_release_under_a_limit(data: Microdata) -> None:
    found = explored(data)
    best = found.recommended
    assert best.scores["distance-linkage"].high <= 0.3
    others = [p for p in found.measured if p.keeps(found.limits)]
    assert best.scores["sse-sst"].mean == min(p.scores["sse-sst"].mean for p in others)
    assert found.to_frame().num_rows == len(found.points)
    # The winner is what the library gives for these steps.
    release = discreet.protect(data, list(best.steps), seed=1)
    assert set(discreet.assess(data, release, ["sse-sst"]).utility) == {"sse-sst"}


@pytest.fixture
def treated(data: Microdata) -> Microdata:
    """Without a column that is released as it is, a worker need not load what grows trees."""
    return data.drop(["sick"])


def test_the_same_seed_gives_the_same_search_on_any_number_of_cores(treated: Microdata) -> None:
    found = figures(explored(treated, cores=1))
    assert found == figures(explored(treated))
    assert all(found.values())


@IN_PROCESS
def test_another_seed_gives_another_search(data: Microdata) -> None:
    assert figures(explored(data)) == figures(explored(data))
    assert figures(explored(data)) != figures(explored(data, seed=8))


@IN_PROCESS
def test_a_failed_trial_is_a_row(data: Microdata) -> None:
    found = explored(data, candidates=[*CANDIDATES[:1], {"microaggregation": {
        "partition": {"mdav": {"k": {"try": [100, 500]}}}}}])  # fmt: skip
    (failed,) = [p for p in found.points if p.value == 500]
    assert "needs at least 500 records" in failed.reason
    assert found.recommended is not None


@IN_PROCESS
def test_a_measure_that_does_not_apply_is_a_reason(data: Microdata) -> None:
    nothing_confidential = data.drop(["sick"])
    found = discreet.explore(
        nothing_confidential,
        {"l-diversity": 1},
        ["sse-sst"],
        candidates=["individual-ranking"],
        cores=1,
    )
    assert found.recommended is None
    assert "l-diversity" in found.points[0].reason


def test_a_budget_ends_the_search(data: Microdata) -> None:
    found = explored(data, budget=0.01)
    assert "time ran out" in found.unfinished
    assert "time ran out" in found.words[0]


@IN_PROCESS
def test_the_store_belongs_to_one_search(data: Microdata, tmp_path: Path) -> None:
    store = tmp_path / "trials.sqlite"
    explored(data, store=store)
    assert stat.S_IMODE(store.stat().st_mode) == 0o600
    with pytest.raises(DataError, match="another seed"):
        explored(data, store=store, seed=8)
    with pytest.raises(DataError, match="other data"):
        explored(data.take(np.arange(100)), store=store)
    with pytest.raises(DataError, match="other measures"):
        discreet.explore(
            data, {"distance-linkage": 0.3}, ["abim"], candidates=CANDIDATES, store=store
        )
    other = tmp_path / "letter.txt"
    other.write_text("Dear Sir, " * 1000)
    with pytest.raises(DataError, match="not a store"):
        explored(data, store=other)
    assert other.read_text() == "Dear Sir, " * 1000


@IN_PROCESS
def test_finished_trials_are_not_run_again(
    data: Microdata, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "trials.sqlite"
    first = explored(data, store=store)

    def no_more(self: InProcess, task: Task) -> None:
        raise AssertionError("a finished trial was started again")

    monkeypatch.setattr(InProcess, "start", no_more)
    assert figures(explored(data, store=store)) == figures(first)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"candidates": []}, "no candidate"),
        ({"candidates": CANDIDATES, "methods": ["pram"]}, "not both"),
        ({"budget": "soon"}, "a time such as"),
    ],
)
def test_wrong_use(change: dict[str, Any], words: str, data: Microdata) -> None:
    with pytest.raises(UsageError, match=words):
        explored(data, **change)


def test_measures_by_a_word(data: Microdata) -> None:
    with pytest.raises(UsageError, match="did you mean 'k-anonymity'"):
        discreet.explore(data, {"k-anonimity": 3}, ["sse-sst"])
    with pytest.raises(UsageError, match="several measures are called 'attack'"):
        discreet.explore(data, {"attack": 3}, ["sse-sst"])


@pytest.mark.parametrize(
    ("risk", "words"),
    [
        # Five percent, read as five hundred, would let anything pass.
        ({"distance-linkage": 5}, r"at least 0 and at most 1, but 5 was given; 5 percent is 0\.05"),
        ({"distance-linkage": -0.1}, "but -0.1 was given$"),
        ({"distance-linkage": math.nan}, "must be a number"),
        ({"distance-linkage": "0.1"}, "must be a number"),
        ({"k-anonymity": 0}, "at least 1, but 0 was given"),
        (
            {"distance-linkage": 0.5, "distance_linkage": 0.1},
            "'distance-linkage' is given two limits",
        ),
    ],
)
def test_limits_that_cannot_be_meant(data: Microdata, risk: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        discreet.explore(data, risk, ["sse-sst"], candidates=ONE)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"repeats": 0}, "repeats must be a whole number of at least 1, but 0"),
        ({"cores": 0}, "cores must be a whole number of at least 1, but 0"),
        ({"cores": -1}, "cores must be a whole number of at least 1, but -1"),
        ({"trial_megabytes": 0}, "trial_megabytes must be a number above 0, but 0"),
        ({"trial_megabytes": math.nan}, "trial_megabytes must be a number above 0, but nan"),
    ],
)
def test_numbers_that_leave_nothing_to_run(
    data: Microdata, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        discreet.explore(data, {"k-anonymity": 2}, ["sse-sst"], candidates=ONE, **options)


def test_a_stopped_trial_is_run_again_only_if_it_may_take_more(
    treated: Microdata, tmp_path: Path
) -> None:
    def search(**options: Any) -> Any:
        (point,) = discreet.explore(
            treated, {"k-anonymity": 1}, ["sse-sst"], candidates=ONE, cores=1, seed=1,
            store=tmp_path / "trials.sqlite", **options,
        ).points  # fmt: skip
        return point

    assert "0.01 s" in search(trial_budget=0.01).reason
    assert "0.01 s" in search(trial_budget=0.005).reason, "less time was no reason to try again"
    assert search(trial_budget=60).scores


@IN_PROCESS
def test_trials_of_another_version_are_not_taken_for_this_ones(
    data: Microdata, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "trials.sqlite"
    asked: dict[str, Any] = {"candidates": ONE, "cores": 1, "seed": 1, "store": store}
    discreet.explore(data, {"k-anonymity": 1}, ["sse-sst"], **asked)
    monkeypatch.setattr("discreet.exploring.searching.version", lambda: "99.0")
    with pytest.raises(DataError, match="with another version of discreet"):
        discreet.explore(data, {"k-anonymity": 1}, ["sse-sst"], **asked)


@IN_PROCESS
def test_what_protect_would_refuse_is_not_recommended() -> None:
    age = np.random.default_rng(3).integers(18, 90, 300)
    data = discreet.read(
        {"age": age, "born": 2026 - age, "sick": age > 60},
        roles={"age": "quasi-identifier", "born": "other", "sick": "confidential"},
    )
    candidates = [{"microaggregation": {"partition": {"mdav": {"k": {"try": [3, 5]}}}}}]
    options: dict[str, Any] = {"candidates": candidates, "cores": 1, "seed": 7}
    refused = discreet.explore(data, {"k-anonymity": 3}, ["sse-sst"], **options)
    assert refused.recommended is None
    assert "'born' is released as it is and gives back" in refused.points[0].reason
    found = discreet.explore(data, {"k-anonymity": 3}, ["sse-sst"], allow=["born"], **options)
    assert found.recommended is not None
    discreet.protect(data, list(found.recommended.steps), allow=["born"])


def test_looks_end_in_time_and_leave_the_rest_to_the_search(data: Microdata) -> None:
    class Resting:
        idle, busy = 2, False

        def start(self, task: Task) -> None:
            raise AssertionError("a trial was started after the time for looks")

        def wait(self) -> list[Trial]:
            return []

    effort = Effort(1, 1, "2m", 4096)
    candidates = from_registry(["individual-ranking"])
    search = Search(data, candidates, (), (), effort, None, 1, Progress())
    with search:
        pool, search.pool = search.pool, Resting()  # type: ignore[assignment]
        search.go([scout(search.settings[0])], until=-math.inf)
        search.pool = pool
    assert not search.outcome().points
    assert not search.unfinished


def test_an_analysis_of_a_column_that_is_not_there_is_refused_before_anything_is_tried(
    data: Microdata,
) -> None:
    with pytest.raises(DiscreetError, match=r"names column 'Age'.*did you mean 'age'"):
        explored(data, analyses=[{"linear": {"formula": "height ~ Age"}}])


@IN_PROCESS
def test_what_is_left_out_does_not_change_the_winner(
    data: Microdata, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def search(limit: float, store: Path | None = None) -> Any:
        options: dict[str, Any] = {"candidates": CANDIDATES, "seed": 7, "store": store}
        return discreet.explore(data, {"strongest-linkage": limit}, ["sse-sst"], **options)

    short = search(0.25, tmp_path / "trials.sqlite")
    assert any(trial.at_least for point in short.points for trial in point.trials)
    assert not any(p.at_least("strongest-linkage") for p in short.ranked)
    # Under a wider limit, figures that were large enough before are measured.
    wider = search(0.4, tmp_path / "trials.sqlite")
    monkeypatch.setattr(Limit, "enough", lambda *_: math.inf)
    for found, limit in ((short, 0.25), (wider, 0.4)):
        whole = search(limit)
        assert found.recommended.label == whole.recommended.label
        assert found.recommended.scores == whole.recommended.scores
        exact = {point.label: point for point in whole.points}
        assert found.points
        for point in found.points:
            assert point.keeps(found.limits) == exact[point.label].keeps(found.limits)
            for one, other in zip(point.trials, exact[point.label].trials, strict=False):
                assert one.scores["sse-sst"] == other.scores["sse-sst"]
                assert one.scores["strongest-linkage"] <= other.scores["strongest-linkage"]
                assert one.scores == other.scores or one.at_least == ("strongest-linkage",)
