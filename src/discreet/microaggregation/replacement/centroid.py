"""Centroid: every record of a group gets the group's typical values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Groups, Needs, Replacement, Spec, param
from discreet.errors import UsageError
from discreet.microdata import MISSING_CODE, Column, Kind, Microdata, Numbers
from discreet.microdata.weights import weight_column, weights_of


class Centroid(Replacement):
    """Mean or median of continuous columns, median of ordinal, mode of nominal ones.

    A missing value is replaced like any other, by the centroid of the values present in its
    group; left missing, it would single out its record. A group without any value stays missing.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 23, 40, 46], "sex": ["f", "f", "m", "f"]})
    >>> groups = Groups(np.array([0, 0, 1, 1]))
    >>> [column.values for column in Centroid().replace(data, ["age"], groups, Context())]
    [array([22., 22., 43., 43.])]
    """

    equalises = True
    spec: ClassVar[Spec] = Spec(
        name="centroid",
        title="Centroid: mean, median or mode of the group",
        citation="Domingo-Ferrer, A survey of inference control methods, §2; Torra (2004) for "
        "ordinal and nominal columns",
        missing="replaced by the centroid of the present values of the group",
        guarantees=("k-anonymity",),
        formula="x′ᵢ = x̄_g = (1/n_g) Σ_{j∈g} xⱼ",
        cost="n·c time, n·log n for each column with medians",
        needs=Needs.BLOCKS,
    )

    continuous: str = param(
        default="mean",
        help="what represents a group in a continuous column",
        choices=("mean", "median"),
    )
    weighted: bool = param(
        default=False,
        help="weigh the records of a group by the column with the role weight, so that weighted "
        "means and totals are kept (unweighted ones are then not)",
    )
    round: bool = param(
        default=False,
        help="bring the centroids of columns of whole numbers back to whole numbers; this moves "
        "means and covariances a little",
    )

    def replace(
        self, data: Microdata, columns: Sequence[str], groups: Groups, context: Context
    ) -> list[Column]:
        """Return the columns with one value per group."""
        weights = None
        if self.weighted:
            if weight_column(data) is None:
                raise UsageError(
                    "weighted centroids need a column of numbers with the role weight, but there "
                    "is none; give the role to a column, or leave out 'weighted'"
                )
            weights = weights_of(data)
        return [self._replaced(data.column(name), groups, weights) for name in columns]

    def _replaced(self, column: Column, groups: Groups, weights: Numbers | None) -> Column:
        present = ~column.missing
        labels, values = groups.labels[present], column.values[present]
        w = None if weights is None else weights[present]
        centroids: NDArray[Any]
        if column.attribute.kind is Kind.NOMINAL:
            centroids = _modes(labels, values, groups.count, len(column.attribute.categories), w)
        elif column.attribute.kind is Kind.ORDINAL:
            centroids = _medians(labels, values, groups.count, lower=True, weights=w)
            centroids[np.isnan(centroids)] = MISSING_CODE
            centroids = centroids.astype(np.int32)
        else:
            if self.continuous == "mean":
                centroids = group_means(labels, values, groups.count, w)
            else:
                centroids = _medians(labels, values, groups.count, lower=False, weights=w)
            if self.round and np.array_equal(values, np.floor(values)):
                centroids = np.rint(centroids)
        return column.with_values(centroids[groups.labels])


def group_means(
    labels: NDArray[np.int64],
    values: NDArray[np.float64],
    count: int,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return the mean of the values in each of `count` groups; NaN for a group without any.

    A group whose records all have the weight 0 has the mean of its records.

    >>> group_means(np.array([0, 0, 2]), np.array([1.0, 2.0, 7.0]), 3)
    array([1.5, nan, 7. ])
    """
    if not len(values):
        return np.full(count, np.nan)
    if weights is not None:
        weights = _never_nothing(labels, weights, count)
    sizes = np.bincount(labels, weights, count)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.bincount(labels, values if weights is None else weights * values, count) / sizes
        # A second pass corrects the rounding of the sums in the first.
        rest = values - means[labels]
        means += np.bincount(labels, rest if weights is None else weights * rest, count) / sizes
    # A group of equal values keeps them to the last bit.
    low = np.full(count, np.inf)
    high = np.full(count, -np.inf)
    np.minimum.at(low, labels, values)
    np.maximum.at(high, labels, values)
    return np.where(sizes > 0, np.clip(means, low, high), np.nan)


def _never_nothing(
    labels: NDArray[np.int64], weights: NDArray[np.float64], count: int
) -> NDArray[np.float64]:
    """Return the weights, with equal ones in groups that have none above 0."""
    return np.where(np.bincount(labels, weights, count)[labels] > 0, weights, 1.0)


def _medians(
    labels: NDArray[np.int64],
    values: NDArray[np.float64],
    count: int,
    *,
    lower: bool,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Median per group; `lower` takes the lower middle, for scales without arithmetic."""
    medians = np.full(count, np.nan)
    if not len(values):
        return medians
    order = np.lexsort((values, labels))
    ordered = values[order]
    sizes = np.bincount(labels, minlength=count)
    starts = np.cumsum(sizes) - sizes
    some = sizes > 0
    if weights is not None:
        # The first value that half of the group's weight does not exceed.
        ordered_weights = _never_nothing(labels, weights, count)[order]
        sums = np.cumsum(ordered_weights)
        ends = (starts + sizes)[some] - 1
        below = sums[starts[some]] - ordered_weights[starts[some]]
        half = (below + sums[ends]) / 2
        place = np.clip(np.searchsorted(sums, half * (1 - 1e-12)), starts[some], ends)
        medians[some] = ordered[place]
        return medians
    low = ordered[starts[some] + (sizes[some] - 1) // 2]
    high = ordered[starts[some] + sizes[some] // 2]
    medians[some] = low if lower else low + (high - low) / 2
    return medians


def _modes(
    labels: NDArray[np.int64],
    codes: NDArray[np.int32],
    count: int,
    categories: int,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.int32]:
    """Commonest category per group, the first among equals."""
    modes = np.full(count, MISSING_CODE, dtype=np.int32)
    if not len(codes):
        return modes
    pairs, place, counts = np.unique(
        labels * categories + codes, return_inverse=True, return_counts=True
    )
    times = counts if weights is None else np.bincount(place, weights)
    groups, code = np.divmod(pairs, categories)
    order = np.lexsort((-code, times, groups))
    # Later assignments win: within a group the most frequent, then the lowest code, is last.
    modes[groups[order]] = code[order]
    return modes
