"""Exploring: which method with which parameters loses least within a limit on risk."""

from __future__ import annotations

import logging
import math
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from discreet.contracts import Analysis, Measure, Progress, Seed
from discreet.contracts.progress import for_terminal
from discreet.contracts.registry import build
from discreet.errors import UsageError
from discreet.exploring.asking import Measures, limits_of, measure_of, seconds_of
from discreet.exploring.candidates import Candidate, from_list, from_registry
from discreet.exploring.compositions import for_kinds
from discreet.exploring.exploration import Exploration
from discreet.exploring.point import EITHER, MASKED, SYNTHETIC, Limit, Point
from discreet.exploring.search import Settings, bisect, confirm, scout, sweep
from discreet.exploring.searching import Effort, Search
from discreet.io.columns import Kinds
from discreet.io.reading import read
from discreet.io.stated_roles import Roles
from discreet.microdata import Microdata
from discreet.release.declared import analyses_of, declared
from discreet.release.gate import refuse_overlooked_identifiers, refuse_unusable

CONFIRMED = 10
LOOK = 10.0
"""Seconds for a first look at a candidate; most need less than one."""
LEADERS = 3
"""This many settings of each kind of records are repeated until luck decides none of them."""
EARLY = ("cart-synthesis", "microaggregation")
"""What is tried first: two quick methods, one of which keeps most limits. Synthetic records are
nobody's in particular, and groups of k have at least k members; the largest k is tried, too, if the
middle one exceeds a limit.
"""
STRONGEST, USUAL_LIMIT = "strongest-linkage", 0.05
"""The measure that is limited, and its limit, if nobody asks for anything else."""

LOG = logging.getLogger(__name__)


def explore(
    data: Any,
    risk: Mapping[Any, float] | None = None,
    utility: Measures | Sequence[Measures] = ("propensity",),
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
    records: str = MASKED,
    allow: Sequence[str] = (),
) -> Exploration:
    """Try methods and parameters, and recommend the release that loses least within the limits.

    `risk` bounds measures, such as `{"distance-linkage": 0.05}`: from above where less is better,
    from below where more is; without it, the strongest linkage is kept at 5 %. `utility` names the
    measures to optimise, or has them as objects. The first decides; among settings that it cannot
    distinguish the next one does, and then the association between columns. The trade-off score is
    one choice, `analyses` another, with the computations of the release's users given as
    `analyses`. Without `candidates` (a list of steps with values to try, see
    `discreet.exploring.candidates`) or `methods` (names), every method that declares values to try
    is tried; one that treats only some kinds of columns gets a partner for the others. A parameter
    with a direction is bisected towards the limit; `every` tries all its values. Random methods are
    run `repeats` times, and the worse end of the 95 % interval must stay within the limits. Without
    `every`, a setting is not repeated, and the strongest linkage not looked for further, once it is
    certain that a limit is exceeded; the interval then reaches up to the largest value. The leaders
    are run ten times, and so are settings that would lead if their intervals were narrower: a lucky
    draw does not win, and an unlucky one does not lose. A release in which a column has lost
    everything, or the columns more than half of their association, is not recommended unless
    `may_lose` is set, and one that `protect` would refuse is not a release: `allow` names the
    columns that may be released as they are although they give back a protected one.

    The best masking is recommended, and the best synthesis is the alternative, if one of each is
    within the limits; `records="synthetic"` recommends the synthesis, and `"either"` whichever has
    the better figures.

    The middle of every candidate's values is tried first, with little time for each, so that fast
    methods answer early and continue first.

    `budget` limits the search ("10m", or seconds), `trial_budget` and `trial_megabytes` limit each
    trial; one that exceeds them is a row with its reason. With `store`, a file, an interrupted
    search resumes where it stopped.

    >>> import discreet
    >>> data = discreet.read({"age": [20, 21, 40, 41, 60, 61]}, roles={"age": "quasi-identifier"})
    >>> exploration = discreet.explore(data, {"k-anonymity": 2}, ["sse-sst"], cores=1,
    ...                          candidates=[{"microaggregation": {"partition": {"mdav": {
    ...                              "k": {"try": [2, 3]}}}}}])
    >>> exploration.recommended.value
    2
    """
    # On a busy machine even loading the methods takes a part of the budget.
    began = time.monotonic()
    if not isinstance(data, Microdata):
        data = read(data, roles=roles, kinds=kinds)
    elif roles is not None or kinds is not None:
        raise UsageError("the data already have their roles and kinds; give them when reading")
    if records not in (MASKED, SYNTHETIC, EITHER):
        raise UsageError(
            f"the records to recommend are masked, synthetic or either, but {records!r} was given"
        )
    refuse_unusable(data)
    refuse_overlooked_identifiers(data)
    for_users = analyses_of(analyses)
    for analysis in for_users:
        analysis.columns(data)  # reports a column that the data lack, which every trial would do
    limits = tuple(
        Limit(declared(limit.measure, for_users), limit.bound)
        for limit in limits_of({STRONGEST: USUAL_LIMIT} if risk is None else risk)
    )
    goals = tuple(
        declared(measure_of(name), for_users)
        for name in ([utility] if isinstance(utility, str | Measure | Mapping) else utility)
    )
    if not goals:
        raise UsageError("a search needs a measure to optimise; name one with utility=[…]")
    users = build("measure", "analyses")
    if for_users and users.spec.name not in {goal.spec.name for goal in goals}:
        # What the winner costs the known users of the file is always reported.
        assert isinstance(users, Measure)
        goals = (*goals, declared(users, for_users))
    made = candidates_of(candidates, methods, data)
    effort = Effort(repeats, cores, trial_budget, trial_megabytes, budget, began)
    kept = None if store is None else Path(store)
    shows = for_terminal() if progress is None else progress
    with Search(
        data, made, limits, goals, effort, kept, seed, shows, allow, may_lose, every, records
    ) as search:
        look, looking = _looks(trial_budget, budget)
        with search.pool.limited(look):
            early, others = _early_first(search.settings)
            looks = [scout(s, limits) for s in early] + [scout(s) for s in others]
            search.go(looks, time.monotonic() + looking)
        # A candidate that had no time to answer continues last; the outcome lists all as given, or
        # which of two comes first would depend on the machine.
        quickest = sorted(search.settings, key=_expected_seconds)
        search.go([sweep(s) if every else bisect(s, limits) for s in quickest])
        if not search.unfinished:
            search.go([confirm(search.settings, lambda: _leading(search.outcome()), CONFIRMED)])
        LOG.info("%d settings tried", len(search.outcome().points))
        return search.outcome()


def _leading(outcome: Exploration) -> list[Point]:
    """Return the best points of each kind within the limits, and those that only a wide interval
    keeps out.
    """
    leading = []
    for kind in map(outcome.only, (MASKED, SYNTHETIC)):
        leading += [*kind.ranked[:LEADERS], *kind.undecided[:LEADERS]]
    return leading


def _looks(trial: float | str, budget: float | str | None) -> tuple[float, float]:
    """Return how long a first look at one candidate may take, and the first looks at all of them.

    A tenth and half of the budget: a look that ends before a worker has started shows nothing.

    >>> _looks("2m", "1m"), _looks("2m", None)
    ((6.0, 30.0), (10.0, inf))
    """
    whole = math.inf if budget is None else seconds_of(budget)
    return min(seconds_of(trial), LOOK, max(1.0, whole / 10)), whole / 2


def _early_first(settings: Sequence[Settings]) -> tuple[list[Settings], list[Settings]]:
    """Return one form of each early method, which are tried first, and the other candidates.

    >>> made = [Settings(c, 1) for c in from_registry(["microaggregation", "cart-synthesis"])]
    >>> early, others = _early_first(made)
    >>> [settings.candidate.label for settings in early]
    ['cart-synthesis', 'microaggregation (mdav)']
    >>> [settings.candidate.label for settings in others]
    ['microaggregation (mdav, attributes_at_a_time 3)',
     'microaggregation (mdav, attributes_at_a_time 4)']
    """
    forms: dict[str, Settings] = {}
    for form in settings:
        for step in form.candidate.steps:
            forms.setdefault(next(iter(step)), form)
    early = list(dict.fromkeys(forms[name] for name in EARLY if name in forms))
    return early, [form for form in settings if form not in early]


def _expected_seconds(settings: Settings) -> float:
    """Return how long a trial of the candidate takes; infinite if none finished."""
    points = settings.points.values()
    return min((p.seconds for p in points if p.scores), default=math.inf)


def candidates_of(
    given: Sequence[Any] | None, methods: Sequence[str] | None, data: Microdata
) -> list[Candidate]:
    """Return the candidates that are listed, or those of the methods of these names."""
    if given is not None and methods is not None:
        raise UsageError("give either candidates or methods, not both")
    made = from_list(given) if given is not None else for_kinds(from_registry(methods), data)
    if not made:
        raise UsageError("there is no candidate to try; name one in candidates=[…]")
    return made
