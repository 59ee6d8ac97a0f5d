"""A column fitted to others: its model, and that of whether its value is missing."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.microdata import MISSING_CODE, Attribute, Column, Kind, Microdata
from discreet.microdata.dates import step_of, unit_of
from discreet.microdata.decimals import decimals_of, rounded
from discreet.models.sequential.models import Drawable, Fitter, Regression

MOST_DECIMALS = 4
"""A column with more is assumed not to be rounded."""
MOST_FITTED = 200_000
"""A model of one column is fitted to at most this many records, drawn at random."""


@dataclass(frozen=True, eq=False)
class Visit:
    """A column to synthesise, the columns that it is drawn from, and the ways of fitting it.

    `missingness` fits whether a value is missing.

    >>> Visit("pay", ("age", "sex")).predictors
    ('age', 'sex')
    """

    column: str
    predictors: tuple[str, ...]
    fit: Fitter = Regression.fit
    missingness: Fitter = Regression.fit


@dataclass(frozen=True, eq=False)
class FittedColumn:
    """What a column is drawn by: no model if it has no value at all, none of gaps if it has none.

    The generators go on from draw to draw.
    """

    visit: Visit
    model: Drawable | None
    gaps: Drawable | None
    nothing: float
    values_drawn: np.random.Generator
    gaps_drawn: np.random.Generator

    @classmethod
    def of(
        cls, data: Microdata, visit: Visit, context: Context, rounded: bool, with_gaps: bool
    ) -> FittedColumn:
        """Fit to the records of a table; `with_gaps` also whether a value is missing."""
        column = data.column(visit.column)
        values_drawn, gaps_drawn = context.generator("values"), context.generator("missingness")
        model = gaps = None
        if not column.missing.all():
            model = _model(data, visit, context, rounded)
            if with_gaps and column.missing.any():
                gaps = _missingness(data, visit, gaps_drawn)
        nothing = np.nan if column.attribute.continuous else MISSING_CODE
        return cls(visit, model, gaps, nothing, values_drawn, gaps_drawn)

    def of_stretch(self, context: Context, number: int) -> FittedColumn:
        """Return the column with the generators of a stretch of rows.

        Those of the first go on from the fit, wherever and however often it is drawn.
        """
        if number == 0:
            values, missingness = deepcopy((self.values_drawn, self.gaps_drawn))
        else:
            values, missingness = context.generator("values"), context.generator("missingness")
        return replace(self, values_drawn=values, gaps_drawn=missingness)

    def draw(
        self, given: Microdata, gaps: NDArray[np.bool_] | None = None, *, whole: bool = False
    ) -> NDArray[Any]:
        """Return a value for every row of a table of its predictors; `gaps` are given or drawn.

        `whole` says that the rows are a file like the one that the models were fitted to.
        """
        if self.model is None:
            return np.full(len(given), self.nothing)
        if gaps is None:
            gaps = np.zeros(len(given), dtype=bool)
            if self.gaps is not None:
                gaps = np.asarray(self.gaps.draw(given, self.gaps_drawn, whole=whole) == 1)
        if not gaps.any():
            return self.model.draw(given, self.values_drawn, whole=whole)
        present = np.flatnonzero(~gaps)
        drawn = self.model.draw(given.take(present), self.values_drawn, whole=whole)
        made = np.full(len(given), self.nothing, dtype=np.result_type(drawn, self.nothing))
        made[present] = drawn
        return made


@dataclass(frozen=True, eq=False)
class Rounded:
    """A model whose draws are rounded before any other use."""

    model: Drawable
    decimals: int
    step: float

    def draw(
        self, table: Microdata, generator: np.random.Generator, *, whole: bool = False
    ) -> NDArray[Any]:
        """Return a rounded value for every row."""
        drawn = np.asarray(self.model.draw(table, generator, whole=whole), dtype=np.float64)
        return rounded(drawn / self.step, self.decimals) * self.step


def _model(data: Microdata, visit: Visit, context: Context, rounded: bool) -> Drawable:
    column = data.column(visit.column)
    present = np.flatnonzero(~column.missing)
    if len(present) > MOST_FITTED:
        lots = context.generator("records")
        present = np.sort(lots.choice(present, MOST_FITTED, replace=False))
    records = data if len(present) == len(data) else data.take(present)
    column = records.column(visit.column)
    model = visit.fit(records, column, visit.predictors, context.generator("parameters"))
    # A date has no fraction; cut off only when written, it might then break a rule.
    if not (column.attribute.continuous and (rounded or unit_of(records, visit.column))):
        return model
    step = step_of(records, visit.column)
    places = decimals_of(column.values / step, MOST_DECIMALS)
    return model if places is None else Rounded(model, places, step)


def _missingness(data: Microdata, visit: Visit, generator: np.random.Generator) -> Drawable:
    attribute = Attribute(visit.column, kind=Kind.NOMINAL, categories=("present", "missing"))
    gone = Column(attribute, data.column(visit.column).missing)
    if len(data) > MOST_FITTED:
        rows = np.sort(generator.choice(len(data), MOST_FITTED, replace=False))
        data, gone = data.take(rows), gone.with_values(gone.values[rows])
    return visit.missingness(data, gone, visit.predictors, generator)
