"""Interval overlap: how far confidence intervals from the release and the original agree."""

from __future__ import annotations

from statistics import NormalDist
from typing import ClassVar

import numpy as np

from discreet.contracts import (
    Better,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Ruin,
    Score,
    Side,
    param,
)
from discreet.errors import NotApplicable
from discreet.measures.utility.file_regressions import Estimate, FileRegressions, file_regressions
from discreet.measures.utility.words import lost, weighted
from discreet.measures.view import decoded
from discreet.microdata import Microdata, Numbers
from discreet.models.combining import combine
from discreet.models.design_matrix import ANALYSED

EXACT = 1 - 1e-10


class IntervalOverlap(Measure):
    """The mean overlap of confidence intervals of means and of regression coefficients.

    The overlap of two intervals is the length of what they share over the length of each, the two
    shares averaged: 1 if they are the same, 0 if they have nothing in common. Means are those of
    the continuous columns; coefficients those of each continuous column regressed on all other
    columns, intercepts apart; a column that is an exact function of others has no intervals. The
    value is the average of the two kinds. Labels are drawn from several times, and what the draws
    differ by widens the interval, as with values that are missing. In weighted files means and
    coefficients are weighted; the errors of means are those of the survey's design, and those of
    coefficients robust ones.

    >>> import discreet
    >>> original = discreet.read({"x": [0, 4, 0, 4]})
    >>> released = discreet.read({"x": [2, 6, 2, 6]})
    >>> round(IntervalOverlap().score(original, released, Context()).value, 6)   # 2 ± 2.263
    0.558142
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="interval-overlap",
        title="Overlap of confidence intervals",
        citation="Karr, Kohnen, Oganian, Reiter & Sanil (2006), A framework for evaluating the "
        "utility of data altered to protect confidentiality, §2",
        missing="means are taken over the values present; a missing predictor stands at the mean "
        "with an indicator",
        random=True,
        side=Side.UTILITY,
        better=Better.HIGHER,
        low=0,
        high=1,
        at_identity=1,
        percent=True,
        on_all_cores=True,
        formula="½ (|A ∩ B|/|A| + |A ∩ B|/|B|) for the intervals A, B of a figure in the two files",
        cost="n·p² time for the p terms of the regressions, once more for each column with missing"
        " values",
        sees=(Ruin.STARRED, Ruin.NUMBER_DROPPED),
        blind_to=(Ruin.CATEGORY_DROPPED,),
    )

    level: float = param(
        default=0.95, help="the level of confidence of the intervals", above=0, below=1
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the average overlap; detail has that of every mean and of every regression."""
        names = original.having(*ANALYSED)
        numbers = [name for name in names if original.schema[name].continuous]
        if not numbers:
            raise NotApplicable("no column is continuous")
        reach = NormalDist().inv_cdf((1 + self.level) / 2)
        view = decoded(original, released, names, pairing, context)
        fitted = file_regressions(original, released, names, context, pairing)
        means = {}
        for name, old in fitted.means_before.items():
            if not np.isnan(old[0]).any():
                new = [draw[name] for draw in fitted.means_after]
                means[name] = float(_overlap(old, new, reach)[0])
        regressions = _regressions(fitted, reach) if len(original) and len(released) else {}
        kinds = [np.mean(list(part.values())) for part in (means, regressions) if part]
        if not kinds:
            raise NotApplicable("no continuous column of the original has two values")
        notes = [lost(view), weighted(original)]
        if fitted.design.joined:
            joined = ", ".join(fitted.design.joined)
            notes.append(f"rare categories count as one in {joined}")
        return Score(
            float(np.mean(kinds)),
            detail={"means": means, "regressions": regressions},
            note="; ".join(filter(None, notes)),
            parts={(name,): value for name, value in means.items()},
        )


def _overlap(old: Estimate, new: list[Estimate], reach: float) -> Numbers:
    """Return the overlaps of an original's intervals with those of all draws together.

    Several draws are combined by the rules of multiple imputation, so that what is drawn widens
    the interval. What the release does not have is lost: its interval has nothing in common.
    """
    estimates, errors = new[0]
    if len(new) > 1:
        both = [np.array([draw[i] for draw in new]) for i in (0, 1)]
        combined = combine(both[0], both[1] ** 2, "missing")
        estimates, errors = combined.estimates, combined.errors
    shares = overlaps(old[0], old[1], estimates, errors, reach)
    gone = np.isnan(estimates) | np.isnan(errors)
    return np.where(np.isnan(old[0]), np.nan, np.where(gone, 0.0, shares))


def _regressions(fitted: FileRegressions, reach: float) -> dict[str, float]:
    """Return for each response the mean overlap of its coefficients that the original has."""
    fits = {}
    for name, old in fitted.before.items():
        # A column that is an exact function of the others has coefficients without error.
        if old.explained > EXACT or not len(old.coefficients):
            continue
        nothing = np.full(len(old.coefficients), np.nan)
        new = [
            (draw[name].coefficients, draw[name].errors) if name in draw else (nothing, nothing)
            for draw in fitted.after
        ]
        every = _overlap((old.coefficients, old.errors), new, reach)
        every = every[~np.isnan(every)]
        if len(every):
            fits[name] = float(every.mean())
    return fits


def overlaps(
    first: Numbers, one_error: Numbers, other: Numbers, other_error: Numbers, reach: float
) -> Numbers:
    """Return the overlap of intervals of `reach` standard errors about each pair of estimates.

    >>> overlaps(*(np.array([v]) for v in (0.0, 1.0, 1.0, 1.0)), reach=1.0)
    array([0.5])
    """
    low = np.maximum(first - reach * one_error, other - reach * other_error)
    high = np.minimum(first + reach * one_error, other + reach * other_error)
    shared = np.maximum(high - low, 0.0)
    shares = []
    for error in (one_error, other_error):
        length = 2 * reach * error
        # An interval that is a point lies in the other one or does not.
        point = np.where(high >= low, 1.0, 0.0)
        share = np.divide(shared, length, out=point, where=~(length == 0))
        shares.append(np.minimum(share, 1.0))
    return np.asarray((shares[0] + shares[1]) / 2)
