"""Exploring: which method with which parameters loses least within a limit on risk."""

from __future__ import annotations

import hashlib
import math
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from discreet.contracts import Analysis, Measure, MeasureSpec, Progress, Randomness, Seed
from discreet.contracts.claim import claim_bound
from discreet.contracts.progress import for_terminal
from discreet.contracts.registry import build, entries
from discreet.errors import DataError, UsageError, nearest
from discreet.exploring.candidates import Candidate, from_list, from_registry
from discreet.exploring.compositions import for_kinds
from discreet.exploring.exploration import Exploration
from discreet.exploring.point import Limit, Point
from discreet.exploring.pool import Pool
from discreet.exploring.search import Asking, Settings, bisect, confirm, scout, sweep
from discreet.exploring.store import Store
from discreet.exploring.trial import Task, Trial
from discreet.io.frames import Kinds
from discreet.io.reading import read
from discreet.io.stated_roles import Roles
from discreet.microdata import Microdata, Role
from discreet.release.assessment import shown
from discreet.release.declared import analyses_of, declared
from discreet.release.gate import refuse_overlooked_identifiers, refuse_unusable
from discreet.version import version

CONFIRMED = 10
LOOK = 10.0
"""Seconds for a first look at a candidate; most need less than one."""
LEADERS = 3
STRONGEST, USUAL_LIMIT = "strongest-linkage", 0.05
"""What is kept within which limit where nobody asks for anything else."""
UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def explore(
    data: Any,
    risk: Mapping[str, float] | None = None,
    utility: Sequence[str] | str = ("propensity",),
    *,
    candidates: Sequence[Any] | None = None,
    methods: Sequence[str] | None = None,
    budget: float | str | None = None,
    trial_budget: float | str = "2m",
    trial_megabytes: float = 4096.0,
    repeats: int = 3,
    every: bool = False,
    cores: int | None = None,
    store: str | os.PathLike[str] | None = None,
    seed: Seed = None,
    roles: Roles | None = None,
    kinds: Kinds | None = None,
    progress: Progress | None = None,
    analyses: Sequence[Analysis | Mapping[str, Any]] | None = None,
    may_lose: bool = False,
    allow: Sequence[str] = (),
) -> Exploration:
    """Try methods and parameters, and recommend the release that loses least within the limits.

    `risk` bounds measures, such as `{"distance-linkage": 0.05}`: from above where less is better,
    from below where more is; without it, the strongest linkage is kept at 5 %. `utility` names the
    measures to optimise, the first deciding, and among settings that it does not tell apart the
    next and then the association between columns; the trade-off score is one choice, `analyses`
    another, with the computations of the release's users given as `analyses`. Without `candidates`
    (a list
    of steps with values to try, see `discreet.exploring.candidates`) or `methods` (names), every
    method that declares values to try is tried; one that treats only some kinds of columns gets a
    partner for the others. A parameter with a direction is bisected towards the limit; `every`
    tries all its values. Random methods are run `repeats` times, the leaders ten times, and the
    worse end of the 95 % interval must stay within the limits: a lucky draw does not win. A release
    in which a column has lost everything, or the columns more than half of their association, is
    not recommended unless `may_lose` is set, and one that
    `protect` would refuse is not a release: `allow` names the columns that may be released as they
    are although they give back a protected one.

    The middle of every candidate's values is tried first, with little time for each, so that fast
    methods answer early and continue first.

    `budget` limits the search ("10m", or seconds), `trial_budget` and `trial_megabytes` limit each
    trial; one that exceeds them is a row with its reason. With `store`, a file, an interrupted
    search resumes where it stopped.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 21, 40, 41, 60, 61]}, roles={"age": "quasi-identifier"})
    >>> found = discreet.explore(data, {"k-anonymity": 2}, ["sse-sst"], cores=1,
    ...                          candidates=[{"microaggregation": {"partition": {"mdav": {
    ...                              "k": {"try": [2, 3]}}}}}])
    >>> found.recommended.value
    2
    """
    if not isinstance(data, Microdata):
        data = read(data, roles=roles, kinds=kinds)
    elif roles is not None or kinds is not None:
        raise UsageError("the data already have their roles and kinds; give them when reading")
    refuse_unusable(data)
    refuse_overlooked_identifiers(data)
    for_users = analyses_of(analyses)
    limits = tuple(
        Limit(declared(limit.measure, for_users), limit.bound)
        for limit in _limits({STRONGEST: USUAL_LIMIT} if risk is None else risk)
    )
    goals = tuple(
        declared(_measure(name), for_users)
        for name in ([utility] if isinstance(utility, str) else utility)
    )
    if not goals:
        raise UsageError("a search needs a measure to optimise; name one with utility=[…]")
    users = build("measure", "analyses")
    if for_users and users.spec.name not in {goal.spec.name for goal in goals}:
        # What the winner costs the known users of the file is always reported.
        assert isinstance(users, Measure)
        goals = (*goals, declared(users, for_users))
    for name, number in (("repeats", repeats), ("cores", 1 if cores is None else cores)):
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise UsageError(
                f"{name} must be a whole number of at least 1, but {number!r} was given"
            )
    if not trial_megabytes > 0:
        raise UsageError(
            f"trial_megabytes must be a number above 0, but {trial_megabytes!r} was given"
        )
    made = _candidates(candidates, methods, data)
    plain = Microdata(data.drop(data.having(Role.IDENTIFIER)))
    kept = Store(Path(store) if store is not None else None)
    try:
        allowed = [name for name in allow if name in plain.schema]
        measures = [*(limit.measure for limit in limits), *goals]
        secret = _secret(kept, plain, seed, measures, allowed)
        names = [measure.recipe() for measure in measures]
        names = list({next(iter(recipe)): recipe for recipe in names}.values())
        with Pool(
            plain,
            secret,
            names,
            allowed,
            cores=cores or os.cpu_count() or 1,
            seconds=_seconds(trial_budget),
            megabytes=trial_megabytes,
        ) as pool:
            run = _Run(kept, pool, None if budget is None else time.monotonic() + _seconds(budget))
            all_settings = [Settings(candidate, repeats) for candidate in made]
            shows = for_terminal() if progress is None else progress

            def outcome() -> Exploration:
                return Exploration(_points(all_settings), limits, goals, run.unfinished, may_lose)

            look, looking = _looks(trial_budget, budget)
            with pool.limited(look):
                run.go([scout(s) for s in all_settings], shows, outcome, time.monotonic() + looking)
            # A candidate that had no time to answer continues last.
            all_settings.sort(key=_expected_seconds)
            searches = [sweep(s) if every else bisect(s, limits) for s in all_settings]
            run.go(searches, shows, outcome)
            if not run.unfinished:
                confirmation = confirm(all_settings, lambda: outcome().ranked, CONFIRMED, LEADERS)
                run.go([confirmation], shows, outcome)
            return outcome()
    finally:
        kept.close()


class _Run:
    """Runs several searches side by side: while one waits, another uses the workers."""

    def __init__(self, store: Store, pool: Pool, deadline: float | None) -> None:
        self._store, self._pool, self._deadline = store, pool, deadline
        self.unfinished = ""
        self._best = ""

    def go(
        self,
        searches: Sequence[Asking],
        progress: Progress,
        outcome: Callable[[], Exploration],
        until: float = math.inf,
    ) -> None:
        """Run the searches to completion, or until the budget ends; the first have priority.

        After the time `until` no further trial is started.
        """
        queue: list[tuple[int, int, Task]] = []
        asked: dict[int, list[Task]] = {}
        done: dict[str, Trial] = {}
        running: set[str] = set()
        arrival = count()

        def advance_search(number: int, answer: list[Trial] | None) -> None:
            """Hand a search the trials it waited for, and let it ask for more until it must
            wait."""
            search = searches[number]
            while True:
                try:
                    tasks = next(search) if answer is None else search.send(answer)
                except StopIteration:
                    asked.pop(number, None)
                    return
                for task in tasks:
                    if task.key in done:
                        continue
                    stored = self._store.find(task)
                    if stored is not None and not self._pool.would_go_further(stored):
                        done[task.key] = stored
                    elif task.key not in running:
                        running.add(task.key)
                        heappush(queue, (number, next(arrival), task))
                if any(task.key not in done for task in tasks):
                    asked[number] = tasks
                    return
                answer = [done[task.key] for task in tasks]

        with progress.task("trying settings", len(searches)) as advance:
            left = len(searches)
            for number in range(len(searches)):
                advance_search(number, None)
            while asked:
                if self._deadline is not None and time.monotonic() > self._deadline:
                    self.unfinished = (
                        "time ran out before all settings were tried, so better ones may exist"
                    )
                    return
                while queue and self._pool.idle and time.monotonic() < until:
                    self._pool.start(heappop(queue)[2])
                if time.monotonic() >= until and not self._pool.busy:
                    return
                for trial in self._pool.wait():
                    self._store.add(trial)
                    done[trial.task.key] = trial
                for number, tasks in list(asked.items()):
                    if all(task.key in done for task in tasks):
                        advance_search(number, [done[task.key] for task in tasks])
                self._tell(progress, outcome())
                advance(left - len(asked))
                left = len(asked)

    def _tell(self, progress: Progress, outcome: Exploration) -> None:
        """Report how far the search is; in a log only when there is a better release."""
        text = _so_far(outcome, self._deadline)
        progress.status(text)
        best = outcome.recommended
        if best is not None and best.label != self._best:
            self._best = best.label
            progress.say(text)


def _so_far(exploration: Exploration, deadline: float | None) -> str:
    """Return the state of the search: settings tried, the best so far, the time left."""
    tried = sum(bool(point.trials) for point in exploration.points)
    best = exploration.recommended
    parts = [f"{tried} settings tried"]
    if best is not None:
        goal = exploration.goals[0].spec
        value = shown(best.scores[goal.name].mean, goal)
        parts.append(f"best so far {best.label} ({goal.name} {value})")
    if deadline is not None:
        parts.append(f"{max(0.0, deadline - time.monotonic()):,.0f} s left")
    return "; ".join(parts)


def _looks(trial: float | str, budget: float | str | None) -> tuple[float, float]:
    """Return how long a first look at one candidate may take, and those at all of them together.

    A tenth and half of the budget: a look that ends before a worker has started shows nothing.

    >>> _looks("2m", "1m"), _looks("2m", None)
    ((6.0, 30.0), (10.0, inf))
    """
    whole = math.inf if budget is None else _seconds(budget)
    return min(_seconds(trial), LOOK, max(1.0, whole / 10)), whole / 2


def _expected_seconds(settings: Settings) -> float:
    """Return how long a trial of the candidate takes; infinite if none finished."""
    points = settings.points.values()
    return min((p.seconds for p in points if p.scores), default=math.inf)


def _points(all_settings: Sequence[Settings]) -> tuple[Point, ...]:
    return tuple(point for settings in all_settings for point in settings.points.values())


def _candidates(
    given: Sequence[Any] | None, methods: Sequence[str] | None, data: Microdata
) -> list[Candidate]:
    if given is not None and methods is not None:
        raise UsageError("give either candidates or methods, not both")
    made = from_list(given) if given is not None else for_kinds(from_registry(methods), data)
    if not made:
        raise UsageError("there is no candidate to try; name one in candidates=[…]")
    return made


def _measure(name: str) -> Measure:
    """Return a measure by its name, or by a word in the name of only one of the usual measures."""
    known = entries("measure")
    names = [entry.spec.name for entry in known]
    word = name.strip().lower().replace("_", "-")
    if word not in names:
        having = [entry for entry in known if word in entry.spec.name.split("-")]
        usual = [e for e in having if isinstance(e.spec, MeasureSpec) and e.spec.default]
        matching = usual if len(usual) == 1 else having
        if len(matching) > 1:
            listed = ", ".join(entry.spec.name for entry in matching)
            raise UsageError(f"several measures are called '{name}': {listed}; name one of them")
        if not matching:
            raise UsageError(
                f"there is no measure '{name}'{nearest(name, names)} (known: {', '.join(names)})"
            )
        word = matching[0].spec.name
    measure = build("measure", word)
    assert isinstance(measure, Measure)
    return measure


def _limits(risk: Mapping[str, float]) -> tuple[Limit, ...]:
    """Return the limits, or report why one makes no sense."""
    limits: dict[str, Limit] = {}
    for name, bound in risk.items():
        measure = _measure(name)
        spec, number = measure.spec, claim_bound(name, bound)
        if not spec.low <= number <= spec.high:
            top = "" if math.isinf(spec.high) else f" and at most {spec.high:g}"
            share = (
                f"; {number:g} percent is {number / 100:g}" if spec.percent and number > 0 else ""
            )
            raise UsageError(
                f"the limit of {spec.name} must be at least {spec.low:g}{top}, but {number:g} was "
                f"given{share}"
            )
        if spec.name in limits:
            raise UsageError(f"the measure '{spec.name}' is given two limits; give only one")
        limits[spec.name] = Limit(measure, number)
    return tuple(limits.values())


def _seconds(budget: float | str) -> float:
    """Return a time such as "10m" in seconds.

    >>> _seconds("1.5m"), _seconds(20)
    (90.0, 20.0)
    """
    match = re.fullmatch(r"\s*([0-9.]+)\s*(s|m|min|h)?\s*", str(budget))
    try:
        seconds = float(match[1]) * UNITS[match[2] or ""] if match else 0.0
    except ValueError:
        seconds = 0.0
    if seconds <= 0:
        raise UsageError(f"a budget is a time such as 90s, 10m or 2h, but {budget!r} was given")
    return seconds


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
    for name, what in (
        ("data", "on other data or roles"),
        ("measures", "with other measures"),
        ("allow", "with other columns allowed to give back a protected one"),
        # Its methods may draw differently: the map would mix two versions.
        ("version", "with another version of discreet"),
    ):
        if about[name] != wished[name]:
            raise DataError(
                f"the store '{store.path}' belongs to a search {what}; choose another place, or "
                "remove it"
            )
    if seed is not None and about["seed"] != wished["seed"]:
        raise DataError(
            f"the store '{store.path}' belongs to a search with another seed; choose another place"
        )
    return int(about["seed"])
