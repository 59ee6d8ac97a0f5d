"""Columns in order: how a method treats the values of one column after the other by their ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.claim import Claim
from discreet.microdata import Attribute

Room = Callable[[int, Any], NDArray[Any]]
"""Makes an array of so many numbers of a type: in memory, or in a file."""


@dataclass(frozen=True, eq=False)
class InOrder:
    """The known values of a column from the lowest to the highest, which may be in a file.

    `rows` are their rows, and `gaps` is how many records have no value. `room` makes more arrays in
    the same place.
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
    """What becomes of a column: new values in the order of the old, piece by piece.

    `of_gaps` is what a missing value becomes; without it, it stays missing.
    """

    pieces: Iterable[NDArray[Any]]
    of_gaps: float | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class OfColumns:
    """What holds of all columns together that a method treats one after the other.

    Afterwards at least `least_size` records agree in the columns `alike`.
    """

    names: tuple[str, ...]
    claims: tuple[Claim, ...] = ()
    notes: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    least_size: int = 1
