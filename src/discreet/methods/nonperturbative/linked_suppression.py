"""Linked suppression: columns that would give a suppressed value back are suppressed with it."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np

from discreet.contracts import (
    Columns,
    Context,
    Fitted,
    Grain,
    InMemory,
    Masked,
    Method,
    Needs,
    Passes,
    Spec,
    param,
)
from discreet.errors import UsageError
from discreet.microdata import MISSING_CODE, Column, Microdata, unknown_column


class LinkedSuppression(Method):
    """Makes linked columns missing wherever a column is missing.

    A suppressed postcode can be read off the name of the town beside it. sdcMicro calls such a
    column a ghost variable of the other. This step comes after those that suppress: local
    suppression, risk suppression, recoding with suppression. A value of the column that was missing
    in the original takes the linked values along, too, since readers cannot tell which gaps are
    which.

    >>> import discreet
    >>> data = discreet.read({"sex": ["f", "f", "m"], "code": ["1", "1", "2"],
    ...                       "town": ["Ayle", "Ayle", "Bron"]},
    ...                      roles={"sex": "quasi-identifier", "code": "quasi-identifier"})
    >>> steps = [{"risk-suppression": {"threshold": 0.5, "columns": ["code"]}},
    ...          {"linked-suppression": {"where": "code", "columns": ["town"]}}]
    >>> released = discreet.protect(data, steps, seed=1, shuffle=False).data
    >>> released["code"], released["town"]
    (array([ 0,  0, -1], dtype=int32), array([ 0,  0, -1], dtype=int32))
    """

    spec: ClassVar[Spec] = Spec(
        name="linked-suppression",
        title="Suppression of linked columns (ghost variables)",
        citation="Templ, Kowarik & Meindl (2015), Statistical disclosure control for micro-data "
        "using the R package sdcMicro; its ghost variables",
        missing="where the column is missing, the linked ones become missing",
        formula="x′ᵢⱼ missing where xᵢ of the column is missing, for each linked column j",
        cost="n·c time",
        needs=Needs.ROWS,
        nearest="local-suppression",
        anew="",
    )

    where: str = param(public=True, help="the column whose gaps are taken over")
    columns: Columns = param(help="the linked columns, which become missing where that one is")

    @classmethod
    def example(cls) -> Self:
        """Return a link between columns that the contract's tables have."""
        return cls(where="height", columns=("income",))

    @property
    def grain(self) -> Grain:
        """Values stay, unless a record is suppressed."""
        return Grain.SUPPRESSION

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the gaps of the column in all linked ones."""
        fitted = self.fit(InMemory(data), context)
        return Masked(data.replace(fitted.treat(data, context, 0)), notes=fitted.notes)

    def fit(self, file: Passes, context: Context) -> Fitted:
        """Count the cells that become missing; rows are then treated one by one."""
        owner = type(self).__name__
        names = self.treated(file.head, self.columns)
        if self.where not in file.head.schema:
            raise UsageError(unknown_column(self.where, file.head.schema.names, asked_by=owner))
        if self.where in names:
            raise UsageError(
                f"{owner} links other columns to '{self.where}', but it is among them; leave it "
                "out of columns"
            )
        cells = sum(
            int((piece.column(self.where).missing & ~piece.column(name).missing).sum())
            for piece in file.pieces([self.where, *names])
            for name in names
        )
        note = f"{cells:,} cells became missing together with '{self.where}'"
        # Rows of a large file come with these columns only.
        return Fitted((self.where, *names), self._rows, notes=(note,))

    def _rows(self, rows: Microdata, context: Context, first: int) -> list[Column]:
        gone = rows.column(self.where).missing
        names = self.treated(rows, self.columns)
        return [
            column.with_values(
                np.where(
                    gone, np.nan if column.attribute.continuous else MISSING_CODE, column.values
                )
            )
            for column in map(rows.column, names)
        ]
