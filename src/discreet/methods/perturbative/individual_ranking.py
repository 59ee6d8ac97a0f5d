"""Individual ranking: each column is microaggregated on its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Claim,
    Columns,
    Context,
    Groups,
    InOrder,
    Masked,
    Method,
    Needs,
    OfColumns,
    Reordered,
    Replacement,
    Spec,
    param,
)
from discreet.contracts.partition import GROUP_SIZES
from discreet.errors import DataError
from discreet.methods.perturbative.microaggregation import (
    Microaggregation,
    note_on_attribute_groups,
)
from discreet.microaggregation.partition.optimal_univariate import OptimalUnivariate
from discreet.microaggregation.partition.ranking import Ranking, central_run
from discreet.microaggregation.replacement.centroid import Centroid
from discreet.microdata import Column, Kind, Microdata

PIECE = 1_000_000
"""Values that are replaced together."""


class IndividualRanking(Method):
    """Replaces the values of each column, one at a time, by averages of k neighbouring values.

    It changes values very little and protects weakly: the groups of one column are not those of
    another, so a record keeps its own combination of values and mostly remains linkable by a few
    of them. There is no k-anonymity unless there is only one quasi-identifier. Measure the risk
    (record linkage, interval disclosure) before a release, or treat several columns together with
    microaggregation.

    The groups are runs of the column's values in their order: of k to 2k − 1 values with the least
    sum of squares, or without `optimal` the classic ones of k values, the last with the rest.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 40, 41], "pay": [9, 5, 4, 8]},
    ...                      roles={"age": "quasi-identifier", "pay": "quasi-identifier"})
    >>> masked = IndividualRanking(k=2).protect(data, Context()).data
    >>> masked["age"], masked["pay"]
    (array([21.5, 21.5, 40.5, 40.5]), array([8.5, 4.5, 4.5, 8.5]))
    """

    spec: ClassVar[Spec] = Spec(
        name="individual-ranking",
        title="Individual ranking",
        citation="Defays and Nanopoulos (1993); Domingo-Ferrer, A survey of inference control "
        "methods, §2",
        missing=Ranking.spec.missing,
        kinds=(Kind.CONTINUOUS, Kind.ORDINAL),
        formula="x′₍ᵢ₎ = (1/n_g) Σ_{l∈g} x₍ₗ₎,  g the run of ranks that i is in, for each column "
        "on its own\n"
        "runs of least Σ_g Σ_{l∈g} (x₍ₗ₎ − x̄_g)²,  k ≤ n_g ≤ 2k − 1",
        cost="n·log n time for each column, memory n",
        needs=Needs.ORDER,
        nearest="microaggregation",
        anew="groups of values",
    )

    k: int = param(
        default=5,
        help="minimum number of values in a group",
        at_least=2,
        trials=GROUP_SIZES,
        monotone=True,
    )
    optimal: bool = param(
        default=True,
        help="groups of k to 2k − 1 values with the least sum of squares, instead of the classic "
        "groups of k",
    )
    replacement: Replacement = param(default="centroid", help="what replaces the values of a group")
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with each treated column replaced on its own."""
        names = self.treated(data, self.columns)
        each = Microaggregation(self._partition, self.replacement, names, attributes_at_a_time=1)
        return each.protect(data, context)

    @property
    def _partition(self) -> Ranking:
        return OptimalUnivariate(k=self.k) if self.optimal else Ranking(k=self.k)

    @property
    def needs(self) -> Needs:
        """The order of each column, where centroids of single groups replace the values."""
        centroid = self.replacement
        alone = isinstance(centroid, Centroid) and not (centroid.weighted or centroid.round)
        return Needs.ORDER if alone else Needs.FILE

    @property
    def whole_because(self) -> str:
        """Other replacements use more than a group."""
        return "since its replacement looks at all groups (plain centroids do not)"

    def ordered(self, head: Microdata) -> OfColumns:
        """Each column has its own groups; k-anonymity is that of a single quasi-identifier."""
        names, known = self.treated(head, self.columns), set(head.quasi_identifiers)
        alike = next(((name,) for name in names if known == {name}), ())
        claims = (Claim("k-anonymity", float(self.k)),) if alike else ()
        together = [(name,) for name in names]
        notes = (note_on_attribute_groups(together, bool(claims)),) if len(names) > 1 else ()
        return OfColumns(names, claims, notes, alike, self.k if alike else 1)

    def in_order(
        self, column: InOrder, generator: np.random.Generator | None, context: Context
    ) -> Reordered:
        """Return a column with each run of values replaced by its centroid."""
        name, count = column.attribute.name, len(column)
        if count < self.k:
            raise DataError(
                f"{type(self).__name__} makes groups of {self.k} values, but '{name}' has "
                f"{count} in all; choose a smaller k, or drop the column"
            )
        values = column.values
        if values.dtype != np.float64:
            values = column.room(count, np.float64)
            for first in range(0, count, PIECE):
                values[first : first + PIECE] = column.values[first : first + PIECE]
        sizes = self._partition.sizes(values, column.room)
        ends = np.cumsum(sizes)
        of_gaps = None
        if 0 < column.gaps < self.k:
            run = central_run(values, sizes)
            of_gaps = float(self._replaced(column, ends, run, run + 1, context)[0])
        return Reordered(self._pieces(column, ends, context), of_gaps)

    def _pieces(
        self, column: InOrder, ends: NDArray[np.int64], context: Context
    ) -> Iterator[NDArray[Any]]:
        lot = max(1, PIECE // self.k)
        for first in range(0, len(ends), lot):
            yield self._replaced(column, ends, first, min(first + lot, len(ends)), context)

    def _replaced(
        self, column: InOrder, ends: NDArray[np.int64], first: int, last: int, context: Context
    ) -> NDArray[Any]:
        """Return the values of some runs after replacement.

        The values of a run are added up in the order of the file, as they are in memory.
        """
        begin, end = int(ends[first - 1]) if first else 0, int(ends[last - 1])
        order = np.argsort(column.rows[begin:end])
        labels = np.repeat(np.arange(last - first), np.diff(ends[first:last], prepend=begin))
        part = Microdata([Column(column.attribute, np.array(column.values[begin:end])[order])])
        groups = Groups(labels[order], self.k)
        [made] = self.replacement.replace(part, [column.attribute.name], groups, context)
        values = np.empty_like(made.values)
        values[order] = made.values
        return values
