"""Rank swapping: each value is exchanged with another of nearly the same rank."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Columns,
    Context,
    InOrder,
    Masked,
    Method,
    Needs,
    OfColumns,
    Reordered,
    Spec,
    param,
)
from discreet.microdata import Column, Microdata
from discreet.microdata.equivalence import classes
from discreet.microdata.ranks import ranked


class RankSwapping(Method):
    """Exchanges each value with one whose rank differs by at most p percent of the records.

    Each column is treated on its own: its values are ranked (equal ones in random order), and each
    is exchanged once with a value drawn at random from within the window. A column has the same
    values as before, on other records. Numbers are ranked as such, ordinal values by the order of
    their categories, nominal ones alphabetically.

    A small window changes little and protects little; a column without partners, because p
    percent of its values is less than one, stays as it is, and the notes say so.

    >>> import discreet
    >>> data = discreet.read({"age": list(range(20, 40))}, roles={"age": "quasi-identifier"})
    >>> masked = RankSwapping(p=5).protect(data, Context()).data
    >>> masked["age"][:6]
    array([21., 20., 23., 22., 25., 24.])
    """

    spec: ClassVar[Spec] = Spec(
        name="rank-swapping",
        title="Rank swapping",
        citation="Domingo-Ferrer, A survey of inference control methods, §2, Example 1.2; Moore "
        "(1996)",
        missing="a missing value is not ranked and stays missing; a missing stratum is a stratum "
        "of its own",
        random=True,
        formula="|rank(x′) − rank(x)| ≤ p/100 · n",
        cost="n·log n time for each column, whatever the window; memory n",
        needs=Needs.ORDER,
        nearest="additive-noise",
        anew="which values are exchanged",
    )

    p: float = param(
        default=5.0,
        help="how far apart the ranks of two exchanged values may lie, in percent of the ranked "
        "values of the column (of the stratum, if there are strata): 5 is 50 ranks among 1,000",
        above=0,
        at_most=100,
        trials=(1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0, 100.0),
        monotone=True,
    )
    strata: Columns = param(
        default=None,
        help="columns that a value may not cross: it is exchanged only between records that agree "
        "in them",
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the values of each treated column swapped."""
        names = self.treated(data, self.columns)
        strata = strata_of(data, self.strata)
        columns, notes = [], []
        with context.task("rank swapping", len(names)) as advance:
            for name in names:
                # By name, so that a column's exchanges do not depend on which others are treated.
                column, still = self._swapped(data, name, strata, context.generator(f"swap {name}"))
                columns.append(column)
                if name in (self.strata or ()):
                    notes.append(f"column '{name}' is one of the strata and stays as it is")
                else:
                    notes += self._on_still(name, still)
                advance(1)
        return Masked(data.replace(columns), notes=tuple(notes))

    @property
    def needs(self) -> Needs:
        """The order of each column, unless there are strata."""
        return Needs.FILE if self.strata else Needs.ORDER

    @property
    def whole_because(self) -> str:
        """Only strata need the whole file."""
        return "since values are ranked within strata"

    def ordered(self, head: Microdata) -> OfColumns:
        """Each treated column is swapped separately."""
        return OfColumns(self.treated(head, self.columns))

    def ties(self, name: str, context: Context) -> np.random.Generator:
        """Equal values are ranked at random."""
        return context.generator(f"swap {name}")

    def in_order(
        self, column: InOrder, generator: np.random.Generator | None, context: Context
    ) -> Reordered:
        """Return a column with the values of nearby ranks exchanged."""
        from discreet.kernels.rank_swapping import PIECE, swap_partners

        assert generator is not None
        width = window(len(column), self.p)
        starts, windows = np.array([0, len(column)]), np.array([width])
        partners = swap_partners(starts, windows, generator, column.room)
        pieces = (
            column.values[partners[first : first + PIECE]] for first in range(0, len(column), PIECE)
        )
        still = 0 if width else len(column)
        return Reordered(pieces, notes=tuple(self._on_still(column.attribute.name, still)))

    def _on_still(self, name: str, values: int) -> list[str]:
        """Return the note on values without a partner in their window."""
        swapped = f"{self.p:g} percent is less than one rank for {values} values of column '{name}'"
        return [f"{swapped}, which were not swapped"] if values else []

    def _swapped(
        self,
        data: Microdata,
        name: str,
        strata: NDArray[np.int64] | None,
        generator: np.random.Generator,
    ) -> tuple[Column, int]:
        """Return the column after swapping, and how many values had no partner in their window."""
        from discreet.kernels.rank_swapping import swap_partners

        column = data.column(name)
        rows = ranked(column, generator, data)
        sizes = np.array([len(rows)])
        if strata is not None:
            rows = rows[np.argsort(strata[rows], kind="stable")]
            sizes = np.bincount(strata[rows])
        windows = np.array([window(int(size), self.p) for size in sizes])
        starts = np.concatenate([[0], np.cumsum(sizes)])
        partners = swap_partners(starts, windows, generator)
        values = column.values.copy()
        values[rows] = column.values[rows[partners]]
        return column.with_values(values), int(sizes[windows == 0].sum())


def window(values: int, percent: float) -> int:
    """Return the largest number of ranks between two values that are exchanged.

    >>> window(1000, 5), window(10, 10), window(19, 5)
    (50, 1, 0)
    """
    return math.floor(percent * values / 100 + 1e-9)


def strata_of(data: Microdata, columns: Columns) -> NDArray[np.int64] | None:
    """Return the number of each record's stratum, or None where there are no strata."""
    for name in columns or ():
        data.column(name)
    return classes(data, columns) if columns else None


def is_rank_swap(original: Sequence[Any], swapped: Sequence[Any], p: float) -> bool:
    """Whether a column could have come from the other by rank swapping with this window.

    That is: whether the values can be ranked, equal ones in some order, so that each is either
    where it was or was exchanged once, with one whose rank is within the window. Both are in the
    order of the records and without missing values. (In Table 1.2 of the survey the first column
    was not swapped at all, which this allows.)

    >>> is_rank_swap([10, 20, 30, 40], [20, 10, 40, 30], 25)
    True
    >>> is_rank_swap([10, 20, 30, 40], [30, 20, 10, 40], 25)
    False
    """
    if len(original) != len(swapped):
        return False
    before = np.unique(np.asarray([*original, *swapped]), return_inverse=True)[1].astype(np.int64)
    now, before = before[len(original) :], before[: len(original)]
    # A value a that became b needs a b that became a. Those of the a's that went farthest down are
    # ranked lowest, those that went farthest up highest: no other ranking brings partners nearer.
    by_original, by_swapped = np.lexsort((now, before)), np.lexsort((before, now))
    exchanged = np.array_equal(before[by_original], now[by_swapped]) and np.array_equal(
        now[by_original], before[by_swapped]
    )
    if not exchanged:
        return False
    rank, partner = np.empty_like(by_original), np.empty_like(by_original)
    rank[by_original] = partner[by_swapped] = np.arange(len(by_original))
    apart = np.abs(rank - partner).max(initial=0)
    return bool(apart <= window(len(original), p))
