"""Partition: a way of dividing the records into groups."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts.context import Context
from discreet.contracts.parameters import Component
from discreet.contracts.spec import Needs
from discreet.errors import TooFewRecords
from discreet.microdata import Microdata

GROUP_SIZES = (3, 4, 5, 7, 10, 15, 20, 30, 50)
"""Minimum group sizes that a search for the best release tries, the safest last."""


@dataclass(frozen=True, eq=False)
class Groups:
    """A group label for every record, in the order of the input.

    `least_size` is the minimum group size that the partition promises, and `proves` what else it
    guarantees, as bounds on measures (such as t-closeness); `detail` describes how the groups were
    formed. A record that was left out before groups were formed has the label −1.

    `drawn` says that all quasi-identifiers were drawn afresh for each group: a released record then
    stands for any member of its group and has no single original. `drawn_columns` names the columns
    whose released values were drawn for a group regardless of which of its records is which; any
    other column that differs within a group may distinguish its records.

    >>> groups = Groups(np.array([0, 0, 1, 1, 1]), least_size=2)
    >>> groups.sizes
    array([2, 3])
    >>> groups.count
    2
    """

    labels: NDArray[np.int64]
    least_size: int = 1
    detail: dict[str, Any] = field(default_factory=dict)
    proves: dict[str, float] = field(default_factory=dict)
    drawn: bool = False
    drawn_columns: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        labels = np.array(self.labels, dtype=np.int64)
        labels.flags.writeable = False
        object.__setattr__(self, "labels", labels)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of records in each group."""
        grouped = self.labels[self.labels >= 0]
        return np.bincount(grouped) if len(grouped) else np.zeros(0, dtype=np.int64)

    @property
    def count(self) -> int:
        """The number of groups."""
        return len(self.sizes)

    def seen_from(self, origin: NDArray[np.int64], rows: int) -> Groups | None:
        """Return the groups in the order of an earlier table that this one is part of.

        `origin` names the earlier row of each record. None if a record came from no earlier row, or
        two came from the same row.

        >>> Groups(np.array([0, 0, 1])).seen_from(np.array([3, 0, 1]), 4).labels
        array([ 0,  1, -1,  0])
        """
        if len(origin) and (origin.min() < 0 or np.bincount(origin, minlength=rows).max() > 1):
            return None
        labels = np.full(rows, -1, dtype=np.int64)
        labels[origin] = self.labels
        return replace(self, labels=labels)


def detail_lines(detail: dict[str, Any]) -> list[str]:
    """Return what a partition reports about its groups as lines of text; shares are in percent.

    >>> detail_lines({"SSE/SST": 0.0473, "blocks": 4, "certificate": "within 1 % of the best"})
    ['SSE/SST: 4.7300 %', 'blocks: 4', 'certificate: within 1 % of the best']
    """
    lines = []
    for word, value in detail.items():
        if isinstance(value, tuple | list):
            value = ", ".join(map(str, value))
        lines.append(
            f"{word}: {100 * value:.4f} %" if isinstance(value, float) else f"{word}: {value}"
        )
    return lines


class Partition(Component):
    """Divides the records into groups that are alike in the given columns."""

    family: ClassVar[str] = "partition"

    @property
    def needs(self) -> Needs:
        """What the partition needs of a file larger than memory, with its parameters as set."""
        return self.spec.needs

    def groups(self, data: Microdata, columns: Sequence[str], context: Context) -> Groups:
        """Return the group of every record."""
        raise TypeError(f"{type(self).__name__} does not say how to form groups")

    def groups_within(
        self,
        data: Microdata,
        columns: Sequence[str],
        strata: NDArray[np.int64],
        context: Context,
    ) -> Groups | None:
        """Return groups that lie within strata; None where each stratum has to be a table."""
        return None


def require_records(data: Sized, k: int, partition: str) -> None:
    """Refuse a table that cannot be cut into groups of k."""
    if len(data) < k:
        raise TooFewRecords(
            f"{partition} with k = {k} needs at least {k} records, but the data have {len(data)}; "
            "choose a smaller k or more records"
        )
