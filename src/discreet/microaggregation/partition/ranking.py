"""Ranking: groups of neighbours in the order of one column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Groups, Partition, Spec, param
from discreet.contracts.ordering import Room
from discreet.contracts.partition import GROUP_SIZES, require_records
from discreet.errors import DataError, UsageError
from discreet.microaggregation.grouping import sse_share
from discreet.microdata import Kind, Microdata, unknown_column
from discreet.microdata.embedding import Embedding

KINDS = (Kind.CONTINUOUS, Kind.ORDINAL)
MISSING = (
    "k or more of them form separate groups; fewer join the group whose mean is nearest to the "
    "column's mean, and if fewer than k values are present, these join a group of missing ones"
)


PIECE = 100_000
"""Runs whose values are added up together."""


class Ranking(Partition):
    """Groups of k records that follow one another in the order of one column.

    The last group, with the largest values, takes the rest: k to 2k − 1 records. Equal values
    are kept in the order of the file. The other columns are ignored, so their values within a group
    may be far apart: use this partition for one column at a time (individual ranking, or
    microaggregation with `attributes_at_a_time=1`), or where one column leads all others.

    >>> import discreet
    >>> data = discreet.read({"age": [80, 21, 40, 41, 22]}, roles={"age": "quasi-identifier"})
    >>> Ranking(k=2).groups(data, ["age"], Context()).labels
    array([1, 0, 1, 1, 0])
    """

    spec: ClassVar[Spec] = Spec(
        name="ranking",
        title="Ranking: fixed-size groups in the order of one column",
        citation="Domingo-Ferrer, A survey of inference control methods, §2; Defays and "
        "Nanopoulos (1993)",
        missing=MISSING,
        kinds=KINDS,
        guarantees=("k-anonymity",),
        formula="group of i = min(⌈rank(xᵢ)/k⌉, ⌊n/k⌋)",
        cost="n·log n time, memory n",
    )

    k: int = param(
        default=5,
        help="least number of records in a group",
        at_least=2,
        trials=GROUP_SIZES,
        monotone=True,
    )
    by: str | None = param(
        default=None,
        public=True,
        help="the continuous or ordinal column whose order decides; the first such one of the "
        "columns treated if not given",
    )

    def sizes(self, values: NDArray[np.float64], room: Room = np.empty) -> NDArray[np.int64]:
        """Return the sizes of the groups of at least k ascending values, from the lowest up.

        `room` makes what arrays are needed for that.
        """
        return fixed_sizes(len(values), self.k)

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        """Return groups of at least k records, numbered from the lowest values up."""
        require_records(data, self.k, type(self).__name__)
        name = self._deciding(data, columns)
        column = data.column(name)
        present, gaps = np.flatnonzero(~column.missing), np.flatnonzero(column.missing)
        present = present[np.argsort(column.values[present], kind="stable")]
        if len(present) < self.k:
            sizes = fixed_sizes(len(gaps), self.k)
            sizes[0] += len(present)
        else:
            ordered = column.values[present].astype(np.float64)
            sizes = self.sizes(ordered)
            few = 0 < len(gaps) < self.k
            central = central_run(ordered, sizes) if few else 0
            if len(gaps) >= self.k:
                sizes = np.concatenate([sizes, fixed_sizes(len(gaps), self.k)])
        in_order = np.concatenate([present, gaps])
        labels = np.empty(len(data), dtype=np.int64)
        labels[in_order[: sizes.sum()]] = np.repeat(np.arange(len(sizes)), sizes)
        if sizes.sum() < len(data):
            labels[gaps] = central
        points = Embedding.fit(data, columns).points(data)
        return Groups(labels, self.k, {"by": name, "SSE/SST": sse_share(points, labels)})

    def _deciding(self, data: Microdata, columns: Sequence[str]) -> str:
        owner = type(self).__name__
        if self.by is None:
            for name in columns:
                if data.schema[name].kind in KINDS:
                    return name
            raise DataError(
                f"{owner} orders the records by a continuous or ordinal column, but "
                f"{', '.join(repr(name) for name in columns)} {_are(len(columns))} nominal; name "
                "the column that decides with by=…, or take another partition, such as mdav"
            )
        if self.by not in data.schema:
            raise UsageError(unknown_column(self.by, data.schema.names, asked_by=owner))
        if data.schema[self.by].kind not in KINDS:
            raise DataError(
                f"{owner} orders the records by a continuous or ordinal column, but '{self.by}' "
                "is nominal; name another column with by=…"
            )
        return self.by


def fixed_sizes(count: int, k: int) -> NDArray[np.int64]:
    """Return the sizes of groups of k, the last with the rest; fewer than k make one group.

    >>> fixed_sizes(11, 3), fixed_sizes(2, 3)
    (array([3, 3, 5]), array([2]))
    """
    sizes = np.full(max(count // k, 1), k, dtype=np.int64)
    sizes[-1] += count - sizes.sum()
    return sizes


def central_run(values: NDArray[np.float64], sizes: NDArray[np.int64]) -> int:
    """Return the run of ascending values that is nearest to missing ones, which lie at the mean.

    >>> central_run(np.array([1.0, 2.0, 5.0, 6.0, 20.0, 21.0]), np.array([2, 2, 2]))
    1
    """
    # In units of the largest value no sum overflows.
    unit = float(max(abs(values[0]), abs(values[-1]))) or 1.0
    ends = np.cumsum(sizes)
    starts, sums = ends - sizes, np.empty(len(sizes))
    for first in range(0, len(sizes), PIECE):
        part = slice(first, first + PIECE)
        scaled = values[starts[first] : ends[part][-1]] / unit
        sums[part] = np.add.reduceat(scaled, starts[part] - starts[first])
    return int(np.argmin(np.abs(sums / sizes - sums.sum() / len(values))))


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
