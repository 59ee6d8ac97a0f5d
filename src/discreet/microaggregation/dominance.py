"""The dominance rule: no record contributes more than a share of its group's total.

Confidentiality rules for business data require it besides a least group size (survey, §2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Groups
from discreet.errors import DataError
from discreet.microaggregation.grouping import sse_share
from discreet.microdata import Microdata
from discreet.microdata.embedding import Embedding

# A record of k equal ones contributes 1/k, whatever the last digit of their sum says.
_ROUNDING = 1 + 1e-12


def without_dominance(
    data: Microdata, names: Sequence[str], groups: Groups, share: float
) -> tuple[Groups, str]:
    """Merge groups until no record contributes more than `share` of its group's total.

    The rule is about magnitudes: it considers the continuous columns among `names` that have no
    negative value. A group that breaks it takes in the groups nearest to its centroid, one after
    the other, until it satisfies it in every such column. Returns the groups and a sentence for the
    notes.

    >>> import discreet
    >>> data = discreet.read({"turnover": [1, 1, 98, 2, 60, 50, 70]})
    >>> groups = Groups(np.array([0, 0, 1, 1, 2, 2, 2]), least_size=2)
    >>> merged, note = without_dominance(data, ["turnover"], groups, 0.6)
    >>> merged.labels
    array([0, 0, 1, 1, 1, 1, 1])
    >>> note
    'dominance rule of 60 % in turnover: 1 of 3 groups broke it, and 2 groups are left'
    """
    checked = magnitudes(data, names)
    values = np.nan_to_num(data.matrix(checked))
    totals = _sums(groups.labels, values)
    largest = np.zeros_like(totals)
    np.maximum.at(largest, groups.labels, values)
    points = Embedding.fit(data, names).points(data)
    sums, sizes = _sums(groups.labels, points), groups.sizes.astype(np.float64)
    into = np.arange(groups.count)
    dominated = np.flatnonzero(_broken(largest, totals, share).any(axis=1))
    for group in dominated:
        if into[group] != group:
            continue  # another one has taken it in
        others = np.flatnonzero((into == np.arange(len(into))) & (sizes > 0))
        others = others[others != group]
        gaps = sums[others] / sizes[others, None] - sums[group] / sizes[group]
        taken = np.append(group, others[np.argsort((gaps**2).sum(axis=1), kind="stable")])
        reached = np.maximum.accumulate(largest[taken], axis=0)
        still = _broken(reached, totals[taken].cumsum(axis=0), share)
        if still.any(axis=1).all():
            column = checked[int(np.flatnonzero(still[-1])[0])]
            raise DataError(
                f"the dominance rule of {share:.4g} cannot be kept: {len(dominated)} of "
                f"{groups.count} groups break it, and in column '{column}' one record contributes "
                "more than that share of all groups together; allow a larger share, or top-code "
                "the column first"
            )
        taken = taken[: int(np.argmin(still.any(axis=1))) + 1]
        largest[group], totals[group] = largest[taken].max(axis=0), totals[taken].sum(axis=0)
        sums[group], sizes[group] = sums[taken].sum(axis=0), sizes[taken].sum()
        into[np.isin(into, taken)] = group
    _, labels = np.unique(into[groups.labels], return_inverse=True)
    detail: dict[str, Any] = {
        **groups.detail,
        "groups that broke the dominance rule": len(dominated),
    }
    if len(dominated):  # the loss that the partition stated no longer holds
        detail = {key: value for key, value in detail.items() if not key.startswith("SSE/SST")}
        detail["SSE/SST"] = sse_share(points, labels)
    merged = Groups(labels, groups.least_size, detail)
    return merged, (
        f"dominance rule of {100 * share:.4g} % in {', '.join(checked)}: {len(dominated)} of "
        f"{groups.count} groups broke it, and {merged.count} groups are left"
    )


def magnitudes(data: Microdata, names: Sequence[str]) -> list[str]:
    """The columns in which a record contributes a share of a total."""
    continuous = (name for name in names if data.schema[name].continuous)
    return [name for name in continuous if not (data[name] < 0).any()]


def _sums(labels: NDArray[np.int64], table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums of each column by group."""
    sums = [np.bincount(labels, weights=column) for column in table.T]
    return np.asarray(np.stack(sums, axis=1), dtype=np.float64)


def _broken(
    largest: NDArray[np.float64], totals: NDArray[np.float64], share: float
) -> NDArray[np.bool_]:
    """Whether the largest contribution to a group exceeds its share, column by column."""
    return np.asarray(largest > share * totals * _ROUNDING)
