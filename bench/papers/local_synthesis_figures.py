"""What is computed of every release of THYROID, seed by seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np

from bench.papers.local_synthesis_models import (
    STOPPED,
    TRIED,
    by_measure,
    propensity_by,
    propensity_stopped,
)
from bench.papers.thyroid import CONTINUOUS, Release, seeded
from discreet.contracts import Measure, Pairing
from discreet.errors import NotApplicable
from discreet.measures.risk.distance_linkage import DistanceLinkage
from discreet.measures.risk.interval_disclosure import IntervalDisclosure
from discreet.measures.utility.propensity import Propensity
from discreet.measures.utility.regression_fit import RegressionFit
from discreet.microdata import Microdata
from discreet.microdata.arrays import Numbers

STATED = Propensity(model="logistic", powers=1)
"""What the paper's words say at least: main effects and products of up to three attributes."""
SOME, FEW = 10, 3
"""Seeds for what takes a while, and for what takes longest."""
BATCH = 6
"""Realisations that are averaged before a change is taken, when it is to be seen how it varies."""


@dataclass(frozen=True)
class Outcome:
    """One method: every figure by seed, shares in percent; `found` lacks what is not defined."""

    method: str
    seeds: int
    clusters: str
    found: dict[str, list[float]]

    def mean(self, what: str) -> float | None:
        """Return the mean of a figure over the seeds."""
        return float(np.mean(self.found[what])) if what in self.found else None


def score(measure: Measure, data: Microdata, made: Microdata, pairing: Pairing | None) -> Any:
    """Return a score, or None where the measure is not defined."""
    try:
        return measure.score(data, made, seeded(0), pairing)
    except NotApplicable:
        return None


def on_grid(data: Microdata, made: Microdata) -> Microdata:
    """Return a release whose numbers are the nearest that the file has.

    >>> import discreet
    >>> file, made = discreet.read({"age": [20.0, 30.0]}), discreet.read({"age": [24.9, 26.0]})
    >>> on_grid(file, made)["age"]
    array([20., 30.])
    """
    columns = []
    for name in made.schema.names:
        values, new = np.unique(data[name]), made[name]
        above = np.clip(np.searchsorted(values, new), 1, max(len(values) - 1, 1))
        below, above = values[above - 1], values[np.minimum(above, len(values) - 1)]
        columns.append(
            made.column(name).with_values(np.where(new - below < above - new, below, above))
        )
    return made.replace(columns)


def moments(x: Numbers, order: int, distinct: bool) -> Numbers:
    """Return the moments of one order about zero: of products of different columns, or all.

    >>> moments(np.array([[1.0, 2.0], [3.0, 4.0]]), 2, distinct=True)
    array([7.])
    """
    pick = combinations if distinct else combinations_with_replacement
    return np.array([x[:, t].prod(axis=1).mean() for t in pick(range(x.shape[1]), order)])


def change(before: Numbers, after: Numbers) -> float:
    """Return the mean relative change, in percent.

    >>> change(np.array([1.0, 2.0]), np.array([2.0, 2.0]))
    50.0
    """
    return 100 * float(np.mean(np.abs(after / before - 1)))


def coefficients(x: Numbers) -> tuple[Numbers, Numbers]:
    """Return the coefficients of every column regressed on all others, and their t values."""
    found, ts = [], []
    for j in range(x.shape[1]):
        design = np.column_stack([np.ones(len(x)), np.delete(x, j, axis=1)])
        inverse = np.linalg.inv(design.T @ design)
        beta = inverse @ design.T @ x[:, j]
        residuals = x[:, j] - design @ beta
        variance = residuals @ residuals / (len(x) - design.shape[1])
        found.append(beta)
        ts.append(beta / np.sqrt(variance * np.diag(inverse)))
    return np.concatenate(found), np.concatenate(ts)


def outcome(data: Microdata, name: str, seeds: int, clusters: str, release: Release) -> Outcome:
    """Return one method over its seeds."""
    before = data.matrix(CONTINUOUS)
    own, t = coefficients(before)
    found: dict[str, list[float]] = {}
    drawn: dict[tuple[int, bool], list[Numbers]] = {}

    def keep(what: str, value: float) -> None:
        found.setdefault(what, []).append(value)

    for seed in range(seeds):
        made, pairing = release(seed)
        after = made.matrix(CONTINUOUS)
        for order in (3, 4):
            for distinct in (True, False):
                drawn.setdefault((order, distinct), []).append(moments(after, order, distinct))
        if seed < SOME:
            for what, value in zip(
                ("printed", "printed, null"), by_measure(STATED, data, made, pairing), strict=True
            ):
                keep(what, value)
            fit = score(RegressionFit(), data, made, pairing)
            keep("coefficients", 100 * fit.value)
            keep("errors", 100 * fit.detail["standard errors"])
            clear = np.abs(t) > 2
            keep("clear", change(own[clear], coefficients(after)[0][clear]))
            for what, measure in (("linkage", DistanceLinkage()), ("ID", IntervalDisclosure())):
                risk = score(measure, data, made, pairing)
                if risk is not None:
                    keep(what, 100 * risk.value)
        if seed < FEW:
            for model, terms in TRIED.items():
                keep(model, propensity_by(before, after, terms))
            for model, steps in STOPPED.items():
                keep(model, propensity_stopped(before, after, steps))
            keep("default, null", by_measure(Propensity(), data, made, pairing)[1])
            same = by_measure(Propensity(), data, on_grid(data, made), pairing)[1]
            keep("default on the file's values, null", same)
    for (order, distinct), made_moments in drawn.items():
        original = moments(before, order, distinct)
        if distinct:
            found[f"distinct {order}, single"] = [change(original, one) for one in made_moments]
            found[f"distinct {order}"] = [change(original, np.mean(made_moments, axis=0))]
            found[f"distinct {order}, by batch"] = [
                change(original, np.mean(made_moments[i : i + BATCH], axis=0))
                for i in range(0, len(made_moments), BATCH)
            ]
        else:
            found[f"all {order}"] = [change(original, one) for one in made_moments]
    return Outcome(name, seeds, clusters, found)


def margins(lower: Sequence[float], higher: Sequence[float]) -> list[float]:
    """Return by how much one method is below another, run by run; a single run stands for all.

    >>> margins([1.0, 2.0], [3.0])
    [2.0, 1.0]
    """
    size = max(len(lower), len(higher))
    first, second = (np.resize(np.asarray(one, float), size) for one in (lower, higher))
    return [float(gap) for gap in second - first]
