"""Random rounding: up or down with chances that leave the expected value as it is."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import (
    Columns,
    Context,
    Entries,
    Fitted,
    InMemory,
    Masked,
    Method,
    Needs,
    Passes,
    Spec,
    in_stretches,
    param,
)
from discreet.methods.perturbative.rounding_sets import neighbours, rounding_sets
from discreet.microdata import Column, Kind, Microdata, Numbers


class RandomRounding(Method):
    """Replaces each value by the rounding point below or above it, drawn without bias.

    The nearer point is the likelier: from 32, with base 10, a value goes to 30 with chance 0.8
    and to 40 with chance 0.2, so that totals and means are kept on average. Values outside given
    points go to the outermost one, which is not without bias, and the notes say how many.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 40, None]}, roles={"age": "quasi-identifier"})
    >>> masked = RandomRounding(base=10).protect(data, Context()).data["age"]
    >>> bool(masked[0] in (20.0, 30.0)), float(masked[1])
    (True, 40.0)
    """

    spec: ClassVar[Spec] = Spec(
        name="random-rounding",
        title="Random rounding",
        citation="Domingo-Ferrer, A survey of inference control methods, §2; Willenborg & de Waal "
        "(2001)",
        missing="a missing value stays missing",
        kinds=(Kind.CONTINUOUS,),
        random=True,
        formula="P(x′ = b·⌈x/b⌉) = x/b − ⌊x/b⌋,  else x′ = b·⌊x/b⌋",
        cost="n time for each column with a base",
        needs=Needs.ROWS,
        anew="",
    )

    base: float = param(
        default=10.0,
        help="released values are multiples of this, in the column's own unit (days in a column of "
        "dates), less than one base away from the original",
        above=0,
    )
    bases: Entries = param(
        default=None,
        public=True,
        help="bases of single columns, in place of the common one: column and base",
    )
    points: Entries = param(
        default=None,
        help="rounding points of single columns, in place of multiples of a base: column and list "
        "of numbers, or of dates such as 1950-01-31",
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with values rounded up or down at random."""
        fitted = self.fit(InMemory(data), context)
        return Masked(data.replace(fitted.treat(data, context, 0)), notes=fitted.notes)

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Count the values beyond the rounding points; rows are then rounded one by one."""
        head = file.head
        names = self.treated(head, self.columns)
        sets = rounding_sets(head, names, self.base, self.bases, self.points, "RandomRounding")
        outside = dict.fromkeys(names, 0)
        for piece in file.pieces(names):
            for name in names:
                low, high = neighbours(piece[name], sets[name])
                outside[name] += int(((piece[name] < low) | (piece[name] > high)).sum())
        notes = (
            f"{count} values of column '{name}' lie outside its rounding points and went to the "
            "outermost one"
            for name, count in outside.items()
            if count
        )
        return Fitted(names, self._rows, notes=tuple(notes))

    def _rows(self, rows: Microdata, context: Context, first: int) -> list[Column]:
        names = self.treated(rows, self.columns)
        sets = rounding_sets(rows, names, self.base, self.bases, self.points, "RandomRounding")
        columns = []
        for name in names:
            values = rows[name]
            low, high = neighbours(values, sets[name])
            gap = high - low
            # Without a gap the value is a rounding point, or lies beyond the last of them.
            with np.errstate(invalid="ignore", divide="ignore"):
                up = np.where(gap > 0, (values - low) / gap, 0.0)
            lots = in_stretches(context, f"rounding {name}", first, len(values), _lots)
            columns.append(rows.column(name).with_values(np.where(lots < up, high, low)))
        return columns


def _lots(generator: np.random.Generator, rows: int) -> Numbers:
    return generator.random(rows)
