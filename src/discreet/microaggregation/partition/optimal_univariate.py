"""Optimal univariate: the groups of one column with the least possible loss."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Spec
from discreet.contracts.ordering import Room
from discreet.microaggregation.partition.ranking import KINDS, MISSING, Ranking


class OptimalUnivariate(Ranking):
    """Groups of k to 2k − 1 records with the least sum of squares in one column.

    No groups of at least k records have a lower within-group sum of squares in that column;
    categories of an ordinal column count as 0, 1, 2, … The other columns are ignored, so use this
    partition for one column at a time (individual ranking, or microaggregation with
    `attributes_at_a_time=1`), or where one column leads all others. It takes about half a second
    for a million records. Equal values are kept in the order of the file.

    >>> import discreet
    >>> from discreet.contracts import Context
    >>> data = discreet.read({"age": [80, 21, 40, 41, 22, 23, 82]},
    ...                      roles={"age": "quasi-identifier"})
    >>> OptimalUnivariate(k=2).groups(data, ["age"], Context()).labels
    array([2, 0, 1, 1, 0, 0, 2])
    """

    spec: ClassVar[Spec] = Spec(
        name="optimal-univariate",
        title="Optimal univariate: least loss in one column",
        citation="Hansen and Mukherjee (2003), A polynomial algorithm for optimal univariate "
        "microaggregation; Domingo-Ferrer, A survey of inference control methods, §2",
        missing=MISSING,
        kinds=KINDS,
        guarantees=("k-anonymity",),
        formula="f(j) = min f(i) + c(i, j) over j − 2k + 1 ≤ i ≤ j − k,\n"
        "f(j) the least sum of squares of the first j values, c(i, j) that of values i + 1 to j",
        cost="n·log n time to sort, n·log k for the cuts; memory n",
    )

    def sizes(self, values: NDArray[np.float64], room: Room = np.empty) -> NDArray[np.int64]:
        """Return the sizes of the optimal groups of ascending values, from the lowest up."""
        from discreet.kernels.univariate import optimal_sizes

        return optimal_sizes(values, self.k, room)
