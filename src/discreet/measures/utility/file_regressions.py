"""The regressions of each number on all other columns, in the original and in a release.

Several measures compare them. They are fitted once for an assessment: one draw of a release differs
from the next in few records as a rule, and only these are looked at again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from discreet.contracts import Context, Pairing
from discreet.measures.view import decoded
from discreet.microdata import Column, Microdata, Numbers
from discreet.models.design_matrix import DesignMatrix, centre_and_spread, standardised
from discreet.models.regression import ColumnRegression, Factors, column_regressions

Estimate = tuple[Numbers, Numbers]
"""Estimates and their standard errors; NaN where there is none."""


@dataclass(frozen=True, eq=False)
class FileRegressions:
    """Means and regressions of the original, and of each draw of the release, by response."""

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
    # The same draws for every measure that looks at them.
    draws = view.draws(context.randomness.generator("regressions", "draws"))
    first = next(draws)
    design = DesignMatrix.fit(original, names, also=first, join_rare=True)
    scales = {name: centre_and_spread([original.column(name)]) for name in responses}
    loose = view.loose
    alike = np.ones(len(released), dtype=bool)
    alike[loose] = False
    factors = Factors.of(first, design, responses, np.flatnonzero(alike))
    after: list[dict[str, ColumnRegression]] = []
    means: list[dict[str, Estimate]] = []
    for draw in chain([first], draws):
        whole = factors.joined(Factors.of(draw, design, responses, loose))
        after.append(_by_response(column_regressions(draw, design, responses, whole)))
        drawn = [n for n in responses if not means or view[n].random]
        new = {name: mean_of(draw.column(name), scales[name]) for name in drawn}
        means.append({**means[0], **new} if means else new)
    before = _by_response(column_regressions(original, design, responses))
    means_before = {name: mean_of(original.column(name), scales[name]) for name in responses}
    return FileRegressions(design, before, after, means_before, means)


def _by_response(regressions: Sequence[ColumnRegression]) -> dict[str, ColumnRegression]:
    return {regression.response: regression for regression in regressions}


def mean_of(column: Column, scale: tuple[float, float]) -> Estimate:
    """Return the mean of a column and its standard error, in the given units.

    >>> import discreet
    >>> mean_of(discreet.read({"x": [1, 3, None]}).column("x"), (0.0, 1.0))
    (array([2.]), array([1.]))
    """
    values = standardised(column.values[~column.missing], scale)
    if len(values) < 2:
        return np.array([np.nan]), np.array([np.nan])
    error = values.std(ddof=1) / np.sqrt(len(values))
    return np.array([values.mean()]), np.array([error])
