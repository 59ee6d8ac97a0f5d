"""Calibration: weights changed as little as possible so that chosen totals hold exactly.

Deville & Särndal (1992): of all weights w with Xᵀw = T, those nearest to the given weights d. By
the squared distance Σ(w − d)²/d that is the linear method, w = d(1 + Xλ), which has one solution
and may make weights negative; by Σ w·log(w/d) − w + d it is raking, w = d·exp(Xλ), which keeps
them positive.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.errors import DataError
from discreet.microdata import Microdata, Numbers
from discreet.microdata.hierarchy import text_of

STEPS = 100
TOLERANCE = 1e-9
"""How far a total may be off, as a share of the sum of absolute terms that it is made of."""


def controls(data: Microdata, columns: Sequence[str]) -> tuple[Numbers, list[str]]:
    """Return the terms that are totalled, by record, and the names of the totals.

    The first is 1 for every record. A continuous column is totalled over its present values; of an
    ordinal or nominal one, each category that occurs is counted, missing values too.

    >>> import discreet
    >>> data = discreet.read({"pay": [5, None], "ill": ["yes", "no"]})
    >>> controls(data, ["pay", "ill"])[1]
    ['records', 'pay', 'ill = no', 'ill = yes']
    >>> controls(data, ["pay", "ill"])[0]
    array([[1., 5., 0., 1.],
           [1., 0., 1., 0.]])
    """
    terms, names = [np.ones(len(data))], ["records"]
    for name in columns:
        column = data.column(name)
        if column.attribute.continuous:
            terms.append(np.where(column.missing, 0.0, column.values))
            names.append(name)
            continue
        for code in np.unique(column.values).tolist():
            terms.append((column.values == code).astype(np.float64))
            label = "missing" if code < 0 else text_of(column.attribute.categories[code])
            names.append(f"{name} = {label}")
    return np.column_stack(terms), names


def calibrated(
    weights: Numbers, terms: Numbers, totals: Numbers, method: str = "raking"
) -> Numbers:
    """Return weights near the given ones with which the columns of `terms` have these totals.

    >>> terms = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 1.0]])
    >>> calibrated(np.ones(3), terms, np.array([6.0, 2.0]), "linear")
    array([4., 1., 1.])
    >>> calibrated(np.ones(3), terms, np.array([6.0, 2.0]), "raking").round(6)
    array([4., 1., 1.])
    """
    # In units of their own sums, terms of any size fit into one system of equations.
    sizes = np.abs(terms).T @ np.abs(weights)
    sizes = np.where(sizes > 0, sizes, 1.0)
    terms, totals = terms / sizes, totals / sizes
    adjust = _raked if method == "raking" else _linear
    result = adjust(weights, terms, totals)
    if result is None or np.abs(terms.T @ result - totals).max(initial=0.0) > TOLERANCE:
        raise DataError(
            f"calibration by the {method} method cannot reach the chosen totals with "
            f"{len(weights)} records; choose fewer totals, release more records, or use the "
            f"{'linear' if method == 'raking' else 'raking'} method"
        )
    return result


def _linear(weights: Numbers, terms: Numbers, totals: Numbers) -> Numbers:
    """Return d(1 + Xλ) with XᵀDXλ = T − Xᵀd; collinear terms share the adjustment."""
    result = weights
    for _ in range(2):  # once more, to remove what rounding left
        left = totals - terms.T @ result
        factors = np.linalg.lstsq(terms.T @ (weights[:, None] * terms), left, rcond=1e-12)[0]
        result = np.asarray(result + weights * (terms @ factors))
    return result


def _raked(weights: Numbers, terms: Numbers, totals: Numbers) -> Numbers | None:
    """Return d·exp(Xλ), by Newton's method; a step that leads away is halved."""
    factors = np.zeros(terms.shape[1])
    result = weights
    off = np.abs(terms.T @ result - totals).max(initial=0.0)
    for _ in range(STEPS):
        if off <= TOLERANCE / 100:
            return result
        slope = terms.T @ (result[:, None] * terms)
        step = np.linalg.lstsq(slope, totals - terms.T @ result, rcond=1e-12)[0]
        for _ in range(40):
            trial = weights * np.exp(np.clip(terms @ (factors + step), -500, 500))
            trial_off = np.abs(terms.T @ trial - totals).max(initial=0.0)
            if trial_off < off:
                break
            step /= 2
        else:
            break
        factors, result, off = factors + step, np.asarray(trial), trial_off
    return result if off <= TOLERANCE else None
