"""A search in progress: trials are handed to workers, kept in a store, and reported."""

from __future__ import annotations

import hashlib
import math
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Self

import numpy as np

from discreet.contracts import Measure, Progress, Randomness, Seed
from discreet.errors import DataError, UsageError
from discreet.exploring.asking import seconds_of
from discreet.exploring.candidates import Candidate
from discreet.exploring.exploration import Exploration
from discreet.exploring.point import MASKED, Limit
from discreet.exploring.search import Asking, Settings
from discreet.exploring.trial import Task, Trial
from discreet.exploring.trial_store import Store
from discreet.exploring.worker_pool import Pool
from discreet.microdata import Microdata, Role
from discreet.release.assessment import shown
from discreet.release.describing import counted
from discreet.version import version


@dataclass(frozen=True)
class Effort:
    """How much is tried, on how many cores, and the limits on each trial and on the whole
    search.
    """

    repeats: int
    cores: int | None
    trial_budget: float | str
    trial_megabytes: float
    budget: float | str | None = None
    began: float = field(default_factory=time.monotonic)
    """When the budget began to run."""

    def __post_init__(self) -> None:
        cores = 1 if self.cores is None else self.cores
        for name, number in (("repeats", self.repeats), ("cores", cores)):
            if isinstance(number, bool) or not isinstance(number, int) or number < 1:
                raise UsageError(
                    f"{name} must be a whole number of at least 1, but {number!r} was given"
                )
        if not self.trial_megabytes > 0:
            raise UsageError(
                f"trial_megabytes must be a number above 0, but {self.trial_megabytes!r} was given"
            )


class Search:
    """Settings of one file, and the workers and the store that they are tried with.

    Several searches run side by side: while one waits, another uses the workers.
    """

    def __init__(
        self,
        data: Microdata,
        candidates: Sequence[Candidate],
        limits: Sequence[Limit],
        goals: Sequence[Measure],
        effort: Effort,
        store: Path | None,
        seed: Seed,
        progress: Progress,
        allow: Sequence[str] = (),
        may_lose: bool = False,
        every: bool = False,
        records: str = MASKED,
    ) -> None:
        self._limits, self._goals = tuple(limits), tuple(goals)
        self._may_lose, self._records = may_lose, records
        # Those who ask for every value want the whole map, not only what a search needs.
        bounds = () if every else self._limits
        self.settings = [Settings(candidate, effort.repeats, bounds) for candidate in candidates]
        self.unfinished = ""
        self._progress, self._best = progress, ""
        budget, seconds = effort.budget, seconds_of(effort.trial_budget)
        self._deadline = None if budget is None else effort.began + seconds_of(budget)
        plain = Microdata(data.drop(data.having(Role.IDENTIFIER)))
        allowed = [name for name in allow if name in plain.schema]
        measures = [*(limit.measure for limit in limits), *goals]
        named = {next(iter(recipe)): recipe for recipe in (m.recipe() for m in measures)}
        self._store = Store(store)
        try:
            secret = _secret(self._store, plain, seed, measures, allowed)
            self.pool = Pool(
                plain,
                secret,
                list(named.values()),
                allowed,
                cores=effort.cores or os.cpu_count() or 1,
                seconds=seconds,
                megabytes=effort.trial_megabytes,
            )
        except BaseException:
            self._store.close()
            raise

    def __enter__(self) -> Self:
        self.pool.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.pool.__exit__(*error)
        self._store.close()

    def outcome(self) -> Exploration:
        """Return the outcome of what was tried so far."""
        points = tuple(point for settings in self.settings for point in settings.points.values())
        return Exploration(
            points, self._limits, self._goals, self.unfinished, self._may_lose, self._records
        )

    def go(self, searches: Sequence[Asking], until: float = math.inf) -> None:
        """Run the searches to completion, or until the budget ends; the first have priority.

        After the time `until` no further trial is started.
        """
        queue: list[tuple[int, int, Task]] = []
        asked: dict[int, list[Task]] = {}
        done: dict[str, Trial] = {}
        running: set[str] = set()
        arrival = count()

        def advance_search(number: int, answer: list[Trial] | None) -> None:
            """Give a search the trials it was waiting for, and let it ask for more until it must
            wait."""
            search = searches[number]
            while True:
                try:
                    tasks = next(search) if answer is None else search.send(answer)
                except StopIteration:
                    asked.pop(number, None)
                    return
                for task in tasks:
                    if task.key in done and done[task.key].answers(task):
                        continue
                    done.pop(task.key, None)
                    stored = self._store.find(task)
                    if (
                        stored is not None
                        and stored.answers(task)
                        and not self.pool.would_go_further(stored)
                    ):
                        done[task.key] = stored
                    elif task.key not in running:
                        running.add(task.key)
                        heappush(queue, (number, next(arrival), task))
                if any(task.key not in done for task in tasks):
                    asked[number] = tasks
                    return
                answer = [done[task.key] for task in tasks]

        outcome: Exploration | None = None
        with self._progress.task("trying settings", len(searches)) as advance:
            left = len(searches)
            for number in range(len(searches)):
                advance_search(number, None)
            while asked:
                if self._deadline is not None and time.monotonic() > self._deadline:
                    self.unfinished = (
                        "time ran out before all settings were tried, so better ones may exist"
                    )
                    return
                while queue and self.pool.idle and time.monotonic() < until:
                    self.pool.start(heappop(queue)[2])
                if time.monotonic() >= until and not self.pool.busy:
                    return
                ended = self.pool.wait()
                for trial in ended:
                    self._store.add(trial)
                    done[trial.task.key] = trial
                    running.discard(trial.task.key)
                for number, tasks in list(asked.items()):
                    if all(task.key in done for task in tasks):
                        advance_search(number, [done[task.key] for task in tasks])
                if ended or outcome is None:
                    outcome = self.outcome()
                self._report(outcome)
                advance(left - len(asked))
                left = len(asked)

    def _report(self, outcome: Exploration) -> None:
        """Report the progress of the search; in a log only when there is a better release."""
        text = _so_far(outcome, self._deadline)
        self._progress.status(text)
        best = outcome.recommended if outcome.limits else None
        if best is not None and best.label != self._best:
            self._best = best.label
            self._progress.say(text)


def _so_far(exploration: Exploration, deadline: float | None) -> str:
    """Return the state of the search: settings tried, the best so far, the time left."""
    tried = sum(bool(point.trials) for point in exploration.points)
    # A comparison has no limits, and seeks no best.
    best = exploration.recommended if exploration.limits else None
    parts = [f"{counted(tried, 'setting')} tried"]
    if best is not None:
        goal = exploration.goals[0].spec
        value = shown(best.scores[goal.name].mean, goal)
        parts.append(f"best so far {best.label} ({goal.name} {value})")
    if deadline is not None:
        parts.append(f"{max(0.0, deadline - time.monotonic()):,.0f} s left")
    return "; ".join(parts)


def _secret(
    store: Store, data: Microdata, seed: Seed, measures: Sequence[Measure], allow: Sequence[str]
) -> int:
    """Return the seed of the search: a store keeps its seed, and belongs to one file."""
    print_of_data = hashlib.sha256()
    for column in data:
        print_of_data.update(repr(column.attribute).encode())
        print_of_data.update(np.ascontiguousarray(column.values).tobytes())
    wished = {
        "data": print_of_data.hexdigest(),
        "measures": repr(sorted(str(measure.recipe()) for measure in measures)),
        "allow": repr(sorted(allow)),
        "version": version(),
        "seed": str(Randomness.of(seed).reveal()),
    }
    about = store.about(wished)
    for name, difference in (
        ("data", "on other data or roles"),
        ("measures", "with other measures"),
        ("allow", "with other columns allowed to give back a protected one"),
        # Its methods may draw differently: the map would mix two versions.
        ("version", "with another version of discreet"),
    ):
        if about[name] != wished[name]:
            raise DataError(
                f"the store '{store.path}' belongs to a search {difference}; choose another "
                "place, or remove it"
            )
    if seed is not None and about["seed"] != wished["seed"]:
        raise DataError(
            f"the store '{store.path}' belongs to a search with another seed; choose another place"
        )
    return int(about["seed"])
