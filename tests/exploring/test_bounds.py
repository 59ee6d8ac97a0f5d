"""What a search is asked for: limits that can be meant, numbers of trials that can be run."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import discreet
from discreet import DataError, Microdata, UsageError
from discreet.exploring.point import Value
from discreet.exploring.store import Store
from discreet.exploring.trial import Task, Trial

ONE: list[Any] = ["individual-ranking"]


@pytest.fixture(scope="module")
def data() -> Microdata:
    age = np.random.default_rng(5).integers(18, 90, 60).astype(float)
    return discreet.read({"age": age}, roles={"age": "quasi-identifier"})


@pytest.mark.parametrize(
    ("risk", "words"),
    [
        # Five percent, read as five hundred, would let anything pass.
        ({"linkage": 5}, r"at least 0 and at most 1, but 5 was given; 5 percent is 0\.05"),
        ({"linkage": -0.1}, "but -0.1 was given$"),
        ({"linkage": math.nan}, "must be a number"),
        ({"linkage": "0.1"}, "must be a number"),
        ({"k-anonymity": 0}, "at least 1, but 0 was given"),
        ({"linkage": 0.5, "distance-linkage": 0.1}, "'distance-linkage' is given two limits"),
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


def test_equal_draws_have_no_interval() -> None:
    for count in range(1, 60):
        for value in (0.05, 0.1, 1 / 3, 0.7, 123.456):
            assert Value.of([value] * count) == Value(value, value, value, count)


def test_a_stopped_trial_is_run_again_only_if_it_may_take_more(
    data: Microdata, tmp_path: Path
) -> None:
    def search(**options: Any) -> Any:
        (point,) = discreet.explore(
            data, {"k-anonymity": 1}, ["sse-sst"], candidates=ONE, cores=1, seed=1,
            store=tmp_path / "trials.sqlite", **options,
        ).points  # fmt: skip
        return point

    assert "0.01 s" in search(trial_budget=0.01).reason
    assert "0.01 s" in search(trial_budget=0.005).reason, "less time was no reason to try again"
    assert search(trial_budget=60).scores


def test_a_store_that_is_broken_inside(data: Microdata, tmp_path: Path) -> None:
    path = tmp_path / "trials.sqlite"
    task = Task(({"individual-ranking": {}},))
    store = Store(path)
    store.add(Trial(task, {"sse-sst": 0.5}))
    store._base.execute("update trials set scores = 'nonsense'")
    store._base.commit()
    with pytest.raises(DataError, match="is damaged"):
        store.find(task)
    store._base.execute("drop table trials")
    with pytest.raises(DataError, match="is damaged"):
        store.find(task)
    with pytest.raises(DataError, match="is damaged"):
        store.add(Trial(task))
    store.close()


def test_trials_of_another_version_are_not_taken_for_this_ones(
    data: Microdata, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "trials.sqlite"
    asked: dict[str, Any] = {"candidates": ONE, "cores": 1, "seed": 1, "store": store}
    discreet.explore(data, {"k-anonymity": 1}, ["sse-sst"], **asked)
    monkeypatch.setattr("discreet.exploring.running.version", lambda: "99.0")
    with pytest.raises(DataError, match="with another version of discreet"):
        discreet.explore(data, {"k-anonymity": 1}, ["sse-sst"], **asked)
