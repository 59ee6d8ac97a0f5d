"""Columns in order: how a method treats columns one at a time, by the ranks of their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.claim import Claim
from discreet.microdata import Attribute

Room = Callable[[int, Any], NDArray[Any]]
"""Makes an array of a given length and type, in memory or in a file."""


@dataclass(frozen=True, eq=False)
class InOrder:
    """The known values of a column in ascending order; they may be in a file.

    `rows` are their rows, and `gaps` is the number of records without a value. `room` allocates
    more arrays in the same place.
    """

    attribute: Attribute
    values: NDArray[Any]
    rows: NDArray[np.int64]
    gaps: int
    room: Room = np.empty

    def __len__(self) -> int:
        return len(self.values)


@dataclass(frozen=True, eq=False)
class Reordered:
    """The new values of a column, in the order of the old ones, piece by piece.

    `of_gaps` replaces missing values; if it is None, they stay missing.
    """

    pieces: Iterable[NDArray[Any]]
    of_gaps: float | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class OfColumns:
    """What holds for all columns together that a method treats one at a time.

    Afterwards at least `least_size` records agree in the columns `alike`.
    """

    names: tuple[str, ...]
    claims: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    least_size: int = 1
