"""Along a parameter that is declared to protect more and more, utility gets weakly worse.

Every method with such a parameter is run on an invented survey at some of the parameter's declared
values, and each measure's share of its range that is lost is compared from rung to rung, averaged
over two seeds for methods that draw at random.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from discreet.contracts import (
    Analysis,
    Context,
    Measure,
    MeasureSpec,
    Progress,
    Randomness,
    Side,
    share_lost,
)
from discreet.contracts.registry import build, entries, find
from discreet.errors import NotApplicable
from discreet.exploring.candidates import Candidate, from_registry
from discreet.exploring.search import is_random
from discreet.microdata import Microdata
from discreet.release import protecting
from discreet.release.declared import analyses_of, declared
from discreet.release.protecting import protect
from discreet.testing.surveys import mixed
from tests.few_models import FEW

TOLERANCE = 0.07
"""By how much of a measure's range a rung may lose less than one below it: groups of another size
fall otherwise, and draws differ."""
RUNGS = 4
SLOW = ("forest-synthesis", "local-synthesis")
"""Of these the first and the last rung only: a release takes seconds."""
BRIEF: dict[str, Any] = {"local-synthesis": FEW, "local-suppression": {"steps": 30_000}}
"""Of models few are tried, and of cells to be suppressed few other choices."""
RECORDS = 160
LEFT_OUT = {
    "model-accuracy": "of so few records it is chance, and it costs more than all others together",
}
QUICK = {"propensity": {"propensity": {"model": "logistic", "order": 1}}}
MEASURES: tuple[Any, ...] = tuple(
    QUICK.get(entry.spec.name, entry.spec.name)
    for entry in entries("measure")
    if isinstance(entry.spec, MeasureSpec)
    and entry.spec.side is Side.UTILITY
    and entry.spec.name not in LEFT_OUT
)
MOMENTS = "third and fourth moments of so few records hang on one or two of them"
GROUPS = "so few records make few groups, and which of them fall together decides a covariance"
PARTS = "where cells are gone, coefficients are those of the records that are complete by chance"
NEAR_ZERO = "errors in percent hang on a few predictions near zero"
EXCEPT = {
    ("ama", "mape"): (0.1, NEAR_ZERO),
    ("bootstrap", "abisd"): (0.1, "who is drawn decides it, not how far he is moved"),
    ("bootstrap", "higher-moments"): (0.22, MOMENTS),
    ("camp-crest", "higher-moments"): (0.22, MOMENTS),
    ("k-anonymised-crest", "abico"): (0.18, GROUPS),
    ("k-anonymised-crest", "eigenvalues"): (0.12, GROUPS),
    ("local-suppression", "mape"): (0.08, NEAR_ZERO),
    ("local-suppression", "regression-fit"): (0.23, PARTS),
    ("microaggregation", "mape"): (0.4, NEAR_ZERO),
    ("post-masking-optimisation", "regression-fit"): (0.15, GROUPS),
    ("risk-suppression", "regression-fit"): (0.15, PARTS),
    ("sampling", "higher-moments"): (0.31, "the smallest sample has eight records"),
    ("t-closeness-benchmark", "abico"): (0.18, GROUPS),
    ("t-closeness-benchmark", "eigenvalues"): (0.1, GROUPS),
    ("t-closeness-benchmark", "mape"): (0.61, NEAR_ZERO),
}
"""By how much a measure may fall along one ladder, and why."""
TURNS = {"regression-protection": 1.0}
"""Where distributions are kept best: noise of the residuals' own size gives back the spread that
predictions without noise lack. Below that value only the records get farther from their own."""
BY_RECORD = ("sse-sst",)
NO_LADDER = {
    "dp-synthesis": "it needs the declared domain of each column; its ε is stated, not searched",
    "dp-microaggregation": "it needs the declared bounds of each column",
    "fully-synthetic": "its numbers say how many records and copies there are",
    "partially-synthetic": "what it protects is chosen by columns and conditions",
    "data-shuffling": "it has no parameter of strength",
    "gaussian-copula": "it has no parameter of strength",
    "ipso": "it has no parameter of strength",
    "sequential-regression": "it has no parameter of strength",
    "iterative-proportional-fitting": "it changes weights only",
    "linked-suppression": "it follows the gaps of another step",
    "matrix-masking": "its strength is in matrices of the user's",
    "massc": "its numbers bound the loss; the design under them is optimised",
    "rounding": "its base is in the unit of a column",
    "random-rounding": "its base is in the unit of a column",
    "top-bottom-coding": "its two ends are separate choices, of columns that have a tail",
}


@pytest.fixture(autouse=True)
def _nothing_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """What unprotected columns give back is not asked here, and takes a third of the time."""
    monkeypatch.setattr(protecting, "look_for_given_back", lambda *_: [])


def ladders() -> list[Candidate]:
    """Return one candidate with a declared axis for each method."""
    found: dict[str, Candidate] = {}
    for candidate in from_registry():
        if candidate.axis is not None:
            found.setdefault(method(candidate), candidate)
    return list(found.values())


def method(candidate: Candidate) -> str:
    return str(next(iter(candidate.steps[0])))


def survey(name: str) -> Microdata:
    """Return a table of the kinds that a method treats, with a number and a class to be kept."""
    kinds = find("method", name).spec.kinds
    data = mixed(RECORDS)
    treated = ("amount0", "amount1", "amount2", "grade0", "grade1", "word1", "word2")
    # Partitions that are restricted by class take no number for one.
    by_class = "crest" in name or name == "t-closeness-benchmark"
    kept = [n for n in treated if data.schema[n].kind in kinds]
    return Microdata(data.column(n) for n in (*kept, *([] if by_class else ["amount5"]), "word8"))


def steps(candidate: Candidate, value: Any) -> list[Any]:
    """Return the candidate at a value; one that searches does not search for long."""
    name = method(candidate)
    first, *others = candidate.at(value)
    return [{name: {**first[name], **BRIEF.get(name, {})}}, *others]


def declared_for(data: Microdata) -> tuple[Analysis, ...]:
    """Return means of all numbers by a class, and tables of all other classes with it."""
    numbers = [n for n in data.schema.names if data.schema[n].continuous]
    classes = [n for n in data.schema.names if n not in (*numbers, "word8")]
    means = [{"mean": {"of": numbers, "by": ["word8"]}}] if numbers else []
    return analyses_of([*means, *({"table": {"of": [n, "word8"]}} for n in classes)])


def losses(candidate: Candidate, data: Microdata, value: Any) -> dict[str, float]:
    """Return the share that each measure sees lost, averaged over the seeds."""
    found: dict[str, list[float]] = {}
    analyses = declared_for(data)
    for seed in (1, 2) if is_random(candidate) else (1,):
        release = protect(data, steps(candidate, value), seed, progress=Progress())
        for recipe in MEASURES:
            built = build("measure", recipe)
            assert isinstance(built, Measure)
            measure = declared(built, analyses)
            if measure.spec.paired and release.pairing is None:
                continue
            try:
                context = Context(Randomness(seed))
                score = measure.score(data, release.data, context, release.pairing)
            except NotApplicable:
                continue
            share = share_lost(measure.spec, score)
            if measure.spec.name == "mape":
                # Errors have no upper end.
                share = score.value / (1 + score.value)
            if share is not None:
                found.setdefault(measure.spec.name, []).append(share)
    return {name: float(np.mean(shares)) for name, shares in found.items()}


@pytest.mark.parametrize("candidate", ladders(), ids=method)
def test_utility_gets_worse_along_the_ladder(candidate: Candidate) -> None:
    name = method(candidate)
    data = survey(name)
    assert candidate.axis is not None
    values = [v for v in candidate.axis.values if not isinstance(v, int) or v <= 100]
    count = 2 if name in SLOW else RUNGS
    rungs = [values[i] for i in np.unique(np.linspace(0, len(values) - 1, count).astype(int))]
    ladder = [losses(candidate, data, value) for value in rungs]
    measured = set.intersection(*map(set, ladder))
    assert {"marginals", "association", "analyses"} <= measured
    fell, needed = {}, set()
    for measure in measured:
        first = 0 if measure in BY_RECORD or name not in TURNS else rungs.index(TURNS[name])
        shares = [rung[measure] for rung in ladder[first:]]
        # What is lost in the end counts twice: a ladder that only fell is none.
        fall = max((np.maximum.accumulate(shares) - shares).max(), 2 * (shares[0] - shares[-1]))
        if fall > TOLERANCE:
            needed.add((name, measure))
        if fall > EXCEPT.get((name, measure), (TOLERANCE,))[0]:
            fell[measure] = [round(share, 3) for share in shares]
    assert not fell
    assert {pair for pair in EXCEPT if pair[0] == name} <= needed, "an exception is no longer one"


def test_a_method_without_a_ladder_says_why() -> None:
    without = {e.spec.name for e in entries("method")} - {method(c) for c in ladders()}
    assert without == set(NO_LADDER)
