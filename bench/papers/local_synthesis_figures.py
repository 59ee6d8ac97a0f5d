"""The figures that are computed for every release of THYROID, seed by seed."""

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
"""What the paper's words say at the least: main effects and products of up to three attributes."""
SOME, FEW = 10, 3
"""Seeds for what takes a while, and for what takes longest."""
BATCH = 6
"""Realisations that are averaged before a change is computed, to see how it varies."""


@dataclass(frozen=True)
class Outcome:
    """One method: every figure by seed, shares in percent; undefined figures are left out."""

    method: str
    seeds: int
    clusters: str
    figures: dict[str, list[float]]

    def mean(self, figure: str) -> float | None:
        """Return the mean of a figure over the seeds."""
        return float(np.mean(self.figures[figure])) if figure in self.figures else None


def score(measure: Measure, data: Microdata, made: Microdata, pairing: Pairing | None) -> Any:
    """Return a score, or None where the measure is not defined."""
    try:
        return measure.score(data, made, seeded(0), pairing)
    except NotApplicable:
        return None


def on_grid(data: Microdata, made: Microdata) -> Microdata:
    """Return a release with each number replaced by the nearest in the file.

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
    betas, ts = [], []
    for j in range(x.shape[1]):
        design = np.column_stack([np.ones(len(x)), np.delete(x, j, axis=1)])
        inverse = np.linalg.inv(design.T @ design)
        beta = inverse @ design.T @ x[:, j]
        residuals = x[:, j] - design @ beta
        variance = residuals @ residuals / (len(x) - design.shape[1])
        betas.append(beta)
        ts.append(beta / np.sqrt(variance * np.diag(inverse)))
    return np.concatenate(betas), np.concatenate(ts)


def outcome(data: Microdata, name: str, seeds: int, clusters: str, release: Release) -> Outcome:
    """Return one method over its seeds."""
    before = data.matrix(CONTINUOUS)
    before_betas, t = coefficients(before)
    figures: dict[str, list[float]] = {}
    drawn: dict[tuple[int, bool], list[Numbers]] = {}

    def keep(figure: str, value: float) -> None:
        figures.setdefault(figure, []).append(value)

    for seed in range(seeds):
        made, pairing = release(seed)
        after = made.matrix(CONTINUOUS)
        for order in (3, 4):
            for distinct in (True, False):
                drawn.setdefault((order, distinct), []).append(moments(after, order, distinct))
        if seed < SOME:
            for figure, value in zip(
                ("printed", "printed, null"), by_measure(STATED, data, made, pairing), strict=True
            ):
                keep(figure, value)
            fit = score(RegressionFit(), data, made, pairing)
            keep("coefficients", 100 * fit.value)
            keep("errors", 100 * fit.detail["standard errors"])
            clear = np.abs(t) > 2
            keep("clear", change(before_betas[clear], coefficients(after)[0][clear]))
            for figure, measure in (("linkage", DistanceLinkage()), ("ID", IntervalDisclosure())):
                risk = score(measure, data, made, pairing)
                if risk is not None:
                    keep(figure, 100 * risk.value)
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
            figures[f"distinct {order}, single"] = [
                change(original, realised) for realised in made_moments
            ]
            figures[f"distinct {order}"] = [change(original, np.mean(made_moments, axis=0))]
            figures[f"distinct {order}, by batch"] = [
                change(original, np.mean(made_moments[i : i + BATCH], axis=0))
                for i in range(0, len(made_moments), BATCH)
            ]
        else:
            figures[f"all {order}"] = [change(original, realised) for realised in made_moments]
    return Outcome(name, seeds, clusters, figures)


def margins(lower: Sequence[float], higher: Sequence[float]) -> list[float]:
    """Return by how much one method is below another, run by run; a single run counts for all.

    >>> margins([1.0, 2.0], [3.0])
    [2.0, 1.0]
    """
    size = max(len(lower), len(higher))
    first, second = (np.resize(np.asarray(runs, float), size) for runs in (lower, higher))
    return [float(gap) for gap in second - first]
