"""The regressions of each number on all other columns, in the original and in a release.

Several measures compare them. They are fitted once for an assessment: one draw of a release differs
from the next in few records as a rule, and only these are processed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from discreet.contracts import Context, Pairing
from discreet.measures.view import decoded
from discreet.microdata import Column, Microdata, Numbers
from discreet.microdata.weights import weights_of
from discreet.models.design_matrix import DesignMatrix, centre_and_spread, standardised
from discreet.models.regression import ColumnRegression, Factors, column_regressions
from discreet.models.survey_design import SurveyDesign

Estimate = tuple[Numbers, Numbers]
"""Estimates and their standard errors; NaN where there is none."""


@dataclass(frozen=True, eq=False)
class FileRegressions:
    """Means and regressions of the original, and of each draw of the release, by response.

    In weighted files they are weighted: means have errors by the survey's design (strata,
    households), regressions robust ones.
    """

    design: DesignMatrix
    before: dict[str, ColumnRegression]
    after: list[dict[str, ColumnRegression]]
    means_before: dict[str, Estimate]
    means_after: list[dict[str, Estimate]]


def file_regressions(
    original: Microdata,
    released: Microdata,
    names: Sequence[str],
    context: Context,
    pairing: Pairing | None,
) -> FileRegressions:
    """Regress each number among the columns on all others.

    >>> import discreet
    >>> data = discreet.read({"x": [1, 2, 3, 4], "y": [1, 3, 2, 4]})
    >>> found = file_regressions(data, data, ["x", "y"], Context(), None)
    >>> found.before["y"].coefficients.round(6), len(found.after)
    (array([0.8]), 1)
    """
    return context.once(
        ("file regressions", original, released, tuple(names), pairing),
        lambda: _fitted(original, released, names, context, pairing),
    )


def _fitted(
    original: Microdata,
    released: Microdata,
    names: Sequence[str],
    context: Context,
    pairing: Pairing | None,
) -> FileRegressions:
    responses = [name for name in names if original.schema[name].continuous]
    view = decoded(original, released, names, pairing, context)
    # The same draws for every measure that uses them.
    draws = view.draws(context.randomness.generator("regressions", "draws"))
    first = next(draws)
    old, new = weights_of(original), weights_of(released)
    design = DesignMatrix.fit(original, names, also=first, join_rare=True, weights=old)
    scales = {name: centre_and_spread([original.column(name)]) for name in responses}
    sampled = [
        None if w is None else SurveyDesign.of(f) for w, f in ((old, original), (new, released))
    ]
    loose = view.loose
    alike = np.ones(len(released), dtype=bool)
    alike[loose] = False
    factors = Factors.of(first, design, responses, np.flatnonzero(alike), new)
    after: list[dict[str, ColumnRegression]] = []
    means: list[dict[str, Estimate]] = []
    for draw in chain([first], draws):
        whole = factors.joined(Factors.of(draw, design, responses, loose, new))
        after.append(_by_response(column_regressions(draw, design, responses, whole, new)))
        drawn = [n for n in responses if not means or view[n].random]
        drawn_means = {name: mean_of(draw.column(name), scales[name], sampled[1]) for name in drawn}
        means.append({**means[0], **drawn_means} if means else drawn_means)
    before = _by_response(column_regressions(original, design, responses, weights=old))
    means_before = {n: mean_of(original.column(n), scales[n], sampled[0]) for n in responses}
    return FileRegressions(design, before, after, means_before, means)


def _by_response(regressions: Sequence[ColumnRegression]) -> dict[str, ColumnRegression]:
    return {regression.response: regression for regression in regressions}


def mean_of(
    column: Column, scale: tuple[float, float], survey: SurveyDesign | None = None
) -> Estimate:
    """Return the mean of a column and its standard error, in the given units.

    With a survey's design both are weighted, and the error is that of the design.

    >>> import discreet
    >>> mean_of(discreet.read({"x": [1, 3, None]}).column("x"), (0.0, 1.0))
    (array([2.]), array([1.]))
    """
    values = standardised(column.values[~column.missing], scale)
    if len(values) < 2:
        return np.array([np.nan]), np.array([np.nan])
    if survey is not None:
        weights = np.where(column.missing, 0.0, survey.weights)
        if not weights.sum() > 0:
            return np.array([np.nan]), np.array([np.nan])
        everybody = standardised(column.values, scale)
        mean = float(weights @ everybody / weights.sum())
        parts = weights * (everybody - mean) / weights.sum()
        return np.array([mean]), np.sqrt(survey.covariance(parts[:, None])[0])
    error = values.std(ddof=1) / np.sqrt(len(values))
    return np.array([values.mean()]), np.array([error])
