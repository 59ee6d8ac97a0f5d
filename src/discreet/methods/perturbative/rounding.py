"""Rounding: values are replaced by the nearest point of a rounding set."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np

from discreet.contracts import (
    Columns,
    Context,
    Entries,
    Fitted,
    Grain,
    Masked,
    Method,
    Needs,
    Passes,
    Spec,
    param,
)
from discreet.contracts.named_entries import numbers
from discreet.errors import UsageError
from discreet.methods.perturbative.rounding_sets import (
    nearest_point,
    nearest_vectors,
    rounding_sets,
    vectors_of,
)
from discreet.microdata import Column, Kind, Microdata, Numbers
from discreet.microdata.dates import SPANS, day_of, first_days, unit_of
from discreet.models.moments import standard_deviations


class Rounding(Method):
    """Replaces each value by the nearest rounding point: a multiple of a base, or a given point.

    Columns are rounded one at a time, or with `together` as vectors: the n-th points of all
    columns make one rounding point in several dimensions, and a record gets the one nearest to it,
    in standard deviations of the columns.

    Rounding is not random: anyone who knows a value knows the released one. Rare values stay rare
    if the base is small compared with them.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 38, 45, None]}, roles={"age": "quasi-identifier"})
    >>> Rounding(base=5).protect(data, Context()).data["age"]
    array([20., 40., 45., nan])
    >>> Rounding(points={"age": [18, 30, 65]}).protect(data, Context()).data["age"]
    array([18., 30., 30., nan])

    Dates are rounded to days, or put on the first day of their month, quarter or year:

    >>> import datetime
    >>> born = {"born": [datetime.date(1990, 5, 17)]}
    >>> data = discreet.read(born, roles={"born": "quasi-identifier"})
    >>> Rounding(bases={"born": "quarter"}).protect(data, Context()).data.frame()["born"]
    <pyarrow.lib.ChunkedArray object at ...>
    [
      [
        1990-04-01
      ]
    ]
    """

    spec: ClassVar[Spec] = Spec(
        name="rounding",
        title="Rounding",
        citation="Domingo-Ferrer, A survey of inference control methods, §2; Willenborg & de Waal "
        "(2001)",
        missing="a missing value stays missing; with together, a record with a missing value is "
        "rounded column by column to the points of each",
        kinds=(Kind.CONTINUOUS,),
        formula="x′ = b · ⌊x/b + ½⌋",
        cost="n time for each column with a base",
        needs=Needs.ROWS,
    )

    base: float = param(
        default=10.0,
        help="released values are multiples of this, in the column's own unit (days in a column of "
        "dates); values halfway between two multiples go up",
        above=0,
    )
    bases: Entries = param(
        default=None,
        public=True,
        help="bases of single columns, in place of the common one: column and base; dates may be "
        "put on the first day of their month, quarter or year",
    )
    points: Entries = param(
        default=None,
        help="rounding points of single columns, in place of multiples of a base: column and list "
        "of numbers, or of dates such as 1950-01-31",
    )
    together: bool = param(
        default=False,
        help="round all treated columns together: the n-th points of all columns make one vector, "
        "and each record becomes the nearest",
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    spreads: Entries = param(
        default=None,
        kw_only=True,
        help="the standard deviations in which distances are measured when columns are rounded "
        "together, in place of those of the file: column and number (days for dates); a frozen "
        "plan states them",
    )

    @property
    def anew(self) -> str:
        """Distances between vectors are in standard deviations of the file."""
        return "standard deviations" if self.together and self.spreads is None else ""

    @property
    def grain(self) -> Grain:
        """Equal values are rounded alike, unless whole records are."""
        return Grain.RECORD if self.together else Grain.VALUE

    @property
    def needs(self) -> Needs:
        """Rows, unless whole records are rounded: their distances need the spread of the file."""
        return Needs.FILE if self.together else Needs.ROWS

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Round any rows one by one; what cannot be rounded is refused now."""
        self.protect(file.head, context)
        return Fitted(self.treated(file.head, self.columns), self._rows)

    def _rows(self, rows: Microdata, context: Context, first: int) -> list[Column]:
        rounded = self.protect(rows, context).data
        return [rounded.column(name) for name in self.treated(rows, self.columns)]

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with rounded values."""
        names = self.treated(data, self.columns)
        spans = {name: word for name, word in (self.bases or {}).items() if word in SPANS}
        bases = {name: base for name, base in (self.bases or {}).items() if name not in spans}
        sets = rounding_sets(data, names, self.base, bases, self.points, "Rounding")
        values = data.matrix(names)
        released = np.column_stack(
            [nearest_point(values[:, j], sets[name]) for j, name in enumerate(names)]
        )
        chosen: tuple[Method, ...] = ()
        if self.together:
            vectors = vectors_of(data, self.points, names, "Rounding")
            complete = ~np.isnan(values).any(axis=1)
            spread = self._spread(data, names, values)
            chosen = self._settled(data, names, spread)
            released[complete] = vectors[nearest_vectors(values[complete], vectors, spread)]
        for name, span in spans.items():
            unit = unit_of(data, name)
            if unit is None or name not in names:
                raise UsageError(
                    f"Rounding puts the dates of a treated column on the first day of a {span}, "
                    f"but '{name}' is not such a column; give it a number"
                )
            released[:, names.index(name)] = first_days(data[name], unit, span)
        columns = [data.column(name).with_values(released[:, j]) for j, name in enumerate(names)]
        return Masked(data.replace(columns), chosen=chosen)

    def _spread(self, data: Microdata, names: tuple[str, ...], values: Numbers) -> Numbers:
        """Return the unit of distances in each column: stated, or its standard deviation."""
        if self.spreads is None:
            spread = standard_deviations(values)
            spread[spread == 0] = 1.0
            return spread
        stated = numbers(self.spreads, names, "spreads", "Rounding")
        for name in names:
            if name not in stated:
                raise UsageError(
                    "spreads of Rounding must give a number for each treated column, but do not "
                    f"for '{name}'; state it, or leave spreads out to take those of the file"
                )
        return np.array([stated[name] * (day_of(data, name) or 1.0) for name in names])

    def _settled(self, data: Microdata, names: tuple[str, ...], spread: Numbers) -> tuple[Self]:
        """Return the method with the spreads stated."""
        days = [day_of(data, name) or 1.0 for name in names]
        stated = {n: float(s / d) for n, s, d in zip(names, spread, days, strict=True)}
        return (type(self)(**{**self.values(), "columns": names, "spreads": stated}),)
