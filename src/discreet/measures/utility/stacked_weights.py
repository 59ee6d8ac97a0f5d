"""The weights of an original and a release stacked one on the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Microdata, Numbers
from discreet.microdata.weights import weights_of

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class StackedWeights:
    """The weights of the records of both files; None where each counts once."""

    original: Numbers | None
    released: Numbers | None

    @classmethod
    def of(cls, original: Microdata, released: Microdata) -> StackedWeights:
        """Take the weights of both files.

        >>> import discreet
        >>> file = discreet.read({"w": [1, 3], "age": [20, 40]}, roles={"w": "weight"})
        >>> StackedWeights.of(file, file.drop(["w"])).stacked(2, 2)
        array([0.5, 1.5, 1. , 1. ])
        """
        return cls(weights_of(original), weights_of(released))

    def take(self, rows: tuple[Rows, Rows]) -> StackedWeights:
        """Return those of some rows of each file."""
        return StackedWeights(
            None if self.original is None else self.original[rows[0]],
            None if self.released is None else self.released[rows[1]],
        )

    def stacked(self, originals: int, released: int) -> Numbers | None:
        """Return the weights of both files, one under the other."""
        if self.original is None and self.released is None:
            return None
        first = np.ones(originals) if self.original is None else self.original
        return np.concatenate(
            [first, np.ones(released) if self.released is None else self.released]
        )
