"""Interval overlap: how far confidence intervals from the release and the original agree."""

from __future__ import annotations

from statistics import NormalDist
from typing import ClassVar

import numpy as np

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side, param
from discreet.errors import NotApplicable
from discreet.microdata import Microdata, Numbers
from discreet.microdata.concatenation import fractional
from discreet.models.design_matrix import (
    DesignMatrix,
    analysed,
    centre_and_spread,
    standardised,
)
from discreet.models.regression import column_regressions

EXACT = 1 - 1e-10


class IntervalOverlap(Measure):
    """The mean overlap of confidence intervals of means and of regression coefficients.

    The overlap of two intervals is the length of what they share over the length of each, the two
    shares averaged: 1 if they are the same, 0 if they have nothing in common. Means are those of
    the continuous columns; coefficients those of each continuous column regressed on all other
    columns, intercepts apart; a column that is an exact function of others has no intervals. The
    value is the average of the two kinds.

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
        side=Side.UTILITY,
        better=Better.HIGHER,
        low=0,
        high=1,
        at_identity=1,
        percent=True,
        formula="½ (|A ∩ B|/|A| + |A ∩ B|/|B|) for the intervals A, B of a figure in the two files",
        cost="n·p² time for the p terms of the regressions, once more for each column with missing"
        " values",
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
        names, other_scale, released = analysed(original, released)
        numbers = [name for name in names if original.schema[name].continuous]
        if not numbers:
            raise NotApplicable("no continuous column was released as numbers")
        reach = NormalDist().inv_cdf((1 + self.level) / 2)
        means = {}
        for name in numbers:
            scale = centre_and_spread([t.column(name) for t in (original, released)])
            sides = [_mean(table, name, scale) for table in (original, released)]
            if None not in sides:
                (a, s), (b, t) = sides  # type: ignore[misc]
                means[name] = float(overlaps(_one(a), _one(s), _one(b), _one(t), reach)[0])
        names += fractional(original, released, other_scale)
        other_scale = [name for name in other_scale if name not in names]
        design = DesignMatrix.fit(original, names, also=released)
        regressions = _regressions(original, released, design, numbers, reach)
        found = [np.mean(list(part.values())) for part in (means, regressions) if part]
        if not found:
            raise NotApplicable("no continuous column has two values in both files")
        left_out = [*other_scale, *design.left_out]
        return Score(
            float(np.mean(found)),
            detail={"means": means, "regressions": regressions, "columns left out": left_out},
            note=f"not in the regressions: {', '.join(left_out)}" if left_out else "",
        )


def _mean(data: Microdata, name: str, scale: tuple[float, float]) -> tuple[float, float] | None:
    """Return the mean of a column and its standard error, in the given units."""
    column = data.column(name)
    values = standardised(column.values[~column.missing], scale)
    if len(values) < 2:
        return None
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))


def _one(value: float) -> Numbers:
    return np.array([value])


def _regressions(
    original: Microdata,
    released: Microdata,
    design: DesignMatrix,
    numbers: list[str],
    reach: float,
) -> dict[str, float]:
    """Return for each response the mean overlap of its coefficients that both files determine."""
    if not len(original) or not len(released):
        return {}
    after = {r.response: r for r in column_regressions(released, design, numbers)}
    found = {}
    for old in column_regressions(original, design, numbers):
        new = after.get(old.response)
        # A column that is an exact function of the others has coefficients without error.
        if new is None or old.explained > EXACT:
            continue
        every = overlaps(old.coefficients, old.errors, new.coefficients, new.errors, reach)
        every = every[~np.isnan(every)]
        if len(every):
            found[old.response] = float(every.mean())
    return found


def overlaps(
    one: Numbers, one_error: Numbers, other: Numbers, other_error: Numbers, reach: float
) -> Numbers:
    """Return the overlap of intervals of `reach` standard errors about each pair of estimates.

    >>> overlaps(*(np.array([v]) for v in (0.0, 1.0, 1.0, 1.0)), reach=1.0)
    array([0.5])
    """
    low = np.maximum(one - reach * one_error, other - reach * other_error)
    high = np.minimum(one + reach * one_error, other + reach * other_error)
    shared = np.maximum(high - low, 0.0)
    shares = []
    for error in (one_error, other_error):
        length = 2 * reach * error
        # An interval that is a point lies in the other one or does not.
        point = np.where(high >= low, 1.0, 0.0)
        share = np.divide(shared, length, out=point, where=~(length == 0))
        shares.append(np.minimum(share, 1.0))
    return np.asarray((shares[0] + shares[1]) / 2)
