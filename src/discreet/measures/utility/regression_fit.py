"""Regression fit: what an analyst's regressions lose in coefficients and standard errors."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side
from discreet.errors import NotApplicable
from discreet.microdata import Microdata
from discreet.microdata.concatenation import fractional
from discreet.models.design_matrix import DesignMatrix, analysed
from discreet.models.regression import ColumnRegression, column_regressions

ROUNDING = 1e-10


class RegressionFit(Measure):
    """The mean relative change of the coefficients when each column is regressed on all others.

    Every continuous column in turn is the response, all other columns are its predictors. The
    intercepts are not counted: they change with the zero point of a scale. A coefficient or error
    that is zero, or that one of the two files does not determine, is left out and counted. The
    change of the standard errors stands in the detail.

    >>> import discreet
    >>> original = discreet.read({"x": [1, 2, 3, 4], "y": [1, 3, 2, 4]})
    >>> released = discreet.read({"x": [1, 2, 3, 4], "y": [2, 3, 2, 3]})
    >>> found = RegressionFit().score(original, released, Context())
    >>> round(found.value, 6)   # y on x: 0.8 became 0.2; x on y: 0.8 became 1
    0.5
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="regression-fit",
        title="Change of regression coefficients",
        citation="Oganian & Domingo-Ferrer (2017), §5, Table 2",
        missing="a missing predictor stands at the mean with an indicator; records without the "
        "response are left out",
        side=Side.UTILITY,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=0,
        percent=True,
        formula="mean over responses and coefficients of |b′ − b| / |b|",
        cost="n·p² time for the p terms of the regressions, once more for each column with missing"
        " values",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean change of the coefficients; detail has that of the errors, and each."""
        names, other_scale, released = analysed(original, released)
        names += fractional(original, released, other_scale)
        other_scale = [name for name in other_scale if name not in names]
        responses = [name for name in names if original.schema[name].continuous]
        if not responses or len(names) < 2:
            raise NotApplicable(
                "it needs a continuous column and another one, both released on their original "
                "scale"
            )
        if not len(original) or not len(released):
            raise NotApplicable("one of the files has no records")
        design = DesignMatrix.fit(original, names, also=released)
        before = column_regressions(original, design, responses)
        after = {r.response: r for r in column_regressions(released, design, responses)}
        pairs = [(b, after[b.response]) for b in before if b.response in after]
        pairs = [(b, a) for b, a in pairs if b.free > 0 and a.free > 0 and b.labels]
        coefficients = [_changes(b.coefficients, a.coefficients) for b, a in pairs]
        errors = [_changes(b.errors, a.errors) for b, a in pairs]
        every = np.concatenate([np.empty(0), *coefficients])
        if np.isnan(every).all():
            raise NotApplicable(
                "there are too few records, or too little differs between them, for a regression "
                "of a column on all others"
            )
        left_out = int(np.isnan(every).sum())
        return Score(
            float(np.nanmean(every)),
            detail={
                "coefficients": float(np.nanmean(every)),
                "standard errors": _mean(np.concatenate(errors)),
                "regressions": {
                    b.response: _parts(b, a, c, e)
                    for (b, a), c, e in zip(pairs, coefficients, errors, strict=True)
                },
                "left out": left_out,
                "columns left out": [*other_scale, *design.left_out],
            },
            note=_note(_mean(np.concatenate(errors)), left_out, [*other_scale, *design.left_out]),
        )


def _changes(old: NDArray[np.float64], new: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return |new − old| / |old|, NaN where that does not exist."""
    exists = np.isfinite(old) & np.isfinite(new) & (np.abs(old) > ROUNDING)
    changes = np.full(len(old), np.nan)
    changes[exists] = np.abs((new[exists] - old[exists]) / old[exists])
    return changes


def _mean(changes: NDArray[np.float64]) -> float | None:
    found = changes[~np.isnan(changes)]
    return float(found.mean()) if len(found) else None


def _parts(
    before: ColumnRegression,
    after: ColumnRegression,
    coefficients: NDArray[np.float64],
    errors: NDArray[np.float64],
) -> dict[str, float | None]:
    return {
        "coefficients": _mean(coefficients),
        "standard errors": _mean(errors),
        "R² before": None if np.isnan(before.explained) else before.explained,
        "R² after": None if np.isnan(after.explained) else after.explained,
    }


def _note(errors: float | None, left_out: int, columns: list[str]) -> str:
    told = [] if errors is None else [f"standard errors change by {100 * errors:.2f} %"]
    if left_out:
        told.append(f"{left_out} coefficients left out: zero, or not determined")
    if columns:
        told.append(f"not in the regressions: {', '.join(columns)}")
    return "; ".join(told)
