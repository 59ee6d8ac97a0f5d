"""A recoding that was decided on the combinations of values, applied to any rows of the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context
from discreet.methods.nonperturbative.full_domain.hierarchy_levels import Levels, encoded
from discreet.methods.nonperturbative.known_combinations import KnownCombinations
from discreet.microdata import Column, Microdata

Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class DecidedRecoding:
    """The level of each column, and the combinations of values that are suppressed.

    `columns` are of the combinations; every value of the file occurs in them.

    >>> import discreet
    >>> from discreet.methods.nonperturbative.full_domain.automatic import automatic
    >>> data = discreet.read({"age": [21, 22, 67]}, roles={"age": "quasi-identifier"})
    >>> tens = automatic(data.column("age"), width=10)
    >>> decided = DecidedRecoding([tens], [1], np.array([False, False, True]))
    >>> [column.values for column in decided(data.take(np.array([2, 0, 2])), Context(), 0)]
    [array([-1,  0, -1], dtype=int32)]
    """

    columns: Sequence[Levels]
    node: Sequence[int]
    suppressed: NDArray[np.bool_]

    def __post_init__(self) -> None:
        object.__setattr__(self, "_number", [_numbering(c.column) for c in self.columns])
        object.__setattr__(
            self, "_gone", KnownCombinations([c.values[self.suppressed] for c in self.columns])
        )

    def __call__(self, rows: Microdata, context: Context, first: int) -> list[Column]:
        """Return the recoded columns of some rows."""
        number: list[Callable[[Column], Codes]] = vars(self)["_number"]
        listed: KnownCombinations = vars(self)["_gone"]
        columns = [rows.column(c.column.name) for c in self.columns]
        values = [of(column) for of, column in zip(number, columns, strict=True)]
        gone = listed.places(values) >= 0 if self.suppressed.any() else None
        return [
            replace(levels, column=column, values=numbers).recoded(level, gone)
            for levels, column, numbers, level in zip(
                self.columns, columns, values, self.node, strict=True
            )
        ]


@dataclass(frozen=True, eq=False)
class DecidedLabels:
    """Columns of the combinations before and after a recoding that each has for itself.

    >>> import discreet
    >>> from discreet.methods.nonperturbative.full_domain.automatic import automatic
    >>> data = discreet.read({"age": [21, 22, 67]}, roles={"age": "quasi-identifier"})
    >>> tens = automatic(data.column("age"), width=10)
    >>> decided = DecidedLabels([tens], [tens.recoded(1, None)])
    >>> decided(data.take(np.array([2, 0])), Context(), 0)[0].values
    array([1, 0], dtype=int32)
    """

    columns: Sequence[Levels]
    recoded: Sequence[Column]

    def __post_init__(self) -> None:
        object.__setattr__(self, "_number", [_numbering(c.column) for c in self.columns])
        values = [c.values for c in self.columns]
        known = KnownCombinations(values)
        first = np.zeros(len(known), dtype=np.int64)
        first[known.places(values)] = np.arange(len(values[0]))
        object.__setattr__(self, "_known", known)
        object.__setattr__(self, "_first", first)

    def __call__(self, rows: Microdata, context: Context, first: int) -> list[Column]:
        """Return the recoded columns of some rows."""
        number: list[Callable[[Column], Codes]] = vars(self)["_number"]
        columns = [rows.column(c.column.name) for c in self.columns]
        values = [of(column) for of, column in zip(number, columns, strict=True)]
        at = vars(self)["_first"][vars(self)["_known"].places(values)]
        return [
            column if recoded is levels.column else replace(recoded, values=recoded.values[at])
            for column, recoded, levels in zip(columns, self.recoded, self.columns, strict=True)
        ]


def _numbering(known: Column) -> Callable[[Column], Codes]:
    """Return how values are numbered as `encoded` numbers those of a column that has them all."""
    distinct, _ = encoded(known)
    if known.attribute.continuous:
        # A missing value comes after all others, and so does NaN.
        return lambda column: np.searchsorted(distinct, column.values).astype(np.int32)
    place = np.full(len(known.attribute.categories) + 1, len(distinct), dtype=np.int32)
    place[distinct.astype(np.int64)] = np.arange(len(distinct))
    return lambda column: place[column.values]
