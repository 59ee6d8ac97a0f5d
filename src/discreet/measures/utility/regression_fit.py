"""Regression fit: what an analyst's regressions lose in coefficients and standard errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Better,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Ruin,
    Score,
    Side,
)
from discreet.errors import NotApplicable
from discreet.measures.utility.file_regressions import file_regressions
from discreet.measures.utility.words import lost, weighted
from discreet.measures.view import decoded
from discreet.microdata import Microdata
from discreet.models.design_matrix import ANALYSED
from discreet.models.regression import ColumnRegression

ROUNDING = 1e-10


class RegressionFit(Measure):
    """The mean relative change of the coefficients when each column is regressed on all others.

    Every continuous column in turn is the response, all other columns are its predictors. The
    intercepts are not counted: they change with the zero point of a scale. A coefficient or error
    that is zero in the original, or that it does not determine, is left out and counted; one that
    only the release does not determine counts as a change of 100 %. The change of the standard
    errors is in the detail.

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
        random=True,
        side=Side.UTILITY,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=0,
        at_loss=1,
        percent=True,
        on_all_cores=True,
        formula="mean over responses and coefficients of |b′ − b| / |b|",
        cost="n·p² time for the p terms of the regressions, once more for each column with missing"
        " values",
        sees=(Ruin.PERMUTED, Ruin.CONSTANT, Ruin.STARRED, Ruin.UNPAIRED, Ruin.NUMBER_DROPPED),
        blind_to=(),
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean change of the coefficients; detail has that of the errors, and each."""
        names = original.having(*ANALYSED)
        responses = [name for name in names if original.schema[name].continuous]
        if not responses or len(names) < 2:
            raise NotApplicable("it needs a continuous column and another one")
        if not len(original) or not len(released):
            raise NotApplicable("one of the files has no records")
        view = decoded(original, released, names, pairing, context)
        fitted = file_regressions(original, released, names, context, pairing)
        draws = [_compared(fitted.before, after) for after in fitted.after]
        coefficients = np.mean([draw.coefficients for draw in draws], axis=0)
        if np.isnan(coefficients).all():
            raise NotApplicable(
                "there are too few records, or too little differs between them, for a regression "
                "of a column on all others"
            )
        errors = np.mean([draw.errors for draw in draws], axis=0)
        left_out = int(np.isnan(coefficients).sum())
        joined = fitted.design.joined
        owner = np.array(draws[0].responses)
        return Score(
            float(np.nanmean(coefficients)),
            detail={
                "coefficients": float(np.nanmean(coefficients)),
                "standard errors": _mean(errors),
                "regressions": {
                    name: {
                        "coefficients": _mean(coefficients[owner == name]),
                        "standard errors": _mean(errors[owner == name]),
                        "R² before": draws[0].before[name],
                        "R² after": _mean(np.array([draw.after[name] for draw in draws])),
                    }
                    for name in draws[0].before
                },
                "left out": left_out,
                "rare categories joined": list(joined),
            },
            note=_note(_mean(errors), left_out, joined, [lost(view), weighted(original)]),
            parts={
                (name,): float(np.nanmean(coefficients[owner == name]))
                for name in draws[0].before
                if not np.isnan(coefficients[owner == name]).all()
            },
        )


@dataclass(frozen=True, eq=False)
class _Compared:
    """The relative changes of all coefficients and errors in one draw, and R² by response."""

    responses: list[str]
    coefficients: NDArray[np.float64]
    errors: NDArray[np.float64]
    before: dict[str, float | None]
    after: dict[str, float]


def _compared(before: dict[str, ColumnRegression], after: dict[str, ColumnRegression]) -> _Compared:
    owners: list[str] = []
    coefficients, errors = [np.empty(0)], [np.empty(0)]
    explained: dict[str, float | None] = {}
    left: dict[str, float] = {}
    for name, old in before.items():
        if old.free <= 0 or not old.labels:
            continue
        new = after.get(name)
        gone = np.full(len(old.labels), np.nan)
        fits = new is not None and new.free > 0
        coefficients.append(_changes(old.coefficients, new.coefficients if new and fits else gone))
        errors.append(_changes(old.errors, new.errors if new and fits else gone))
        owners += [name] * len(old.labels)
        explained[name] = None if np.isnan(old.explained) else old.explained
        left[name] = new.explained if new and fits else 0.0
    return _Compared(owners, np.concatenate(coefficients), np.concatenate(errors), explained, left)


def _changes(old: NDArray[np.float64], new: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return |new − old| / |old|, NaN where the original has none.

    What the original determines and the release does not is lost: it counts as changed by 100 %.
    """
    exists = np.isfinite(old) & (np.abs(old) > ROUNDING)
    changes = np.full(len(old), np.nan)
    changes[exists] = np.abs((np.nan_to_num(new[exists]) - old[exists]) / old[exists])
    return changes


def _mean(changes: NDArray[np.float64]) -> float | None:
    known = changes[~np.isnan(changes)]
    return float(known.mean()) if len(known) else None


def _note(errors: float | None, left_out: int, joined: Sequence[str], also: Sequence[str]) -> str:
    notes = [] if errors is None else [f"standard errors change by {100 * errors:.2f} %"]
    if left_out:
        notes.append(f"{left_out} coefficients left out: zero, or not determined")
    if joined:
        notes.append(f"rare categories count as one in {', '.join(joined)}")
    return "; ".join(filter(None, [*notes, *also]))
