"""Exact moments: synthetic values with exactly the mean and covariance matrix of each group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Groups, Replacement, Spec, param
from discreet.contracts.progress import Advance
from discreet.microaggregation.replacement.centroid import group_means
from discreet.microdata import Column, Kind, Microdata, Numbers
from discreet.microdata.numeric_coding import columns_from
from discreet.models.exact_moments import put_exact_moments

ROUND = (
    "bring columns of whole numbers back to whole numbers; means and covariances are then kept "
    "only approximately"
)
CONFIDENTIAL = (
    "synthesise the confidential columns together with the others, which keeps how they depend on "
    "one another; probabilistic k-anonymity is claimed only if all columns that differ within a "
    "group are synthetic"
)


class ExactMoments(Replacement):
    """Normal draws for each group, adjusted to its mean and covariance matrix exactly.

    The mean and the covariance matrix of the whole file, and of every union of groups, are then
    kept exactly too, and with them every linear regression. A group with few records, constant or
    collinear columns is synthesised in the subspace that its records span; groups of fewer than
    three records are refused, since two would come back unchanged. Where columns depend on one
    another nearly linearly, synthetic records can come close to original ones: look at the record
    linkage of the release.

    >>> import discreet
    >>> data = discreet.read({"age": [21.0, 23.0, 28.0], "pay": [2.0, 1.0, 6.0]})
    >>> groups = Groups(np.zeros(3, dtype=np.int64), least_size=3)
    >>> age, pay = ExactMoments().replace(data, ["age", "pay"], groups, Context())
    >>> round(float(age.values.mean()), 9), np.cov(age.values, pay.values).round(9)
    (24.0, array([[13. ,  8.5],
           [ 8.5,  7. ]]))
    """

    spec: ClassVar[Spec] = Spec(
        name="exact-moments",
        title="Exact moments: synthetic values with each group's mean and covariance",
        citation="Oganian & Domingo-Ferrer, Local synthesis for disclosure limitation that "
        "satisfies probabilistic k-anonymity criterion (2017), §4; Burridge (2003)",
        missing="synthesised like any other value, and taken to be the mean of the present "
        "values of the group, which is kept; a group without any value stays missing",
        kinds=(Kind.CONTINUOUS,),
        random=True,
        guarantees=("probabilistic-k-anonymity",),
        formula="x̄′_g = x̄_g and S′_g = S_g in every group g",
        cost="n·c² time, memory n·c",
    )

    draws: ClassVar[bool] = True

    round: bool = param(default=False, help=ROUND)

    def replace(
        self, data: Microdata, columns: Sequence[str], groups: Groups, context: Context
    ) -> list[Column]:
        """Return the columns with synthetic values."""
        values = filled(data, columns, groups)
        put_synthetic(values, groups, context)
        return columns_from(data, columns, values, whole=self.round)


def filled(data: Microdata, columns: Sequence[str], groups: Groups) -> Numbers:
    """Return the values with missing ones at the mean of their group; NaN if it has none.

    >>> import discreet
    >>> data = discreet.read({"age": [20.0, 30.0, None]})
    >>> filled(data, ["age"], Groups(np.zeros(3, dtype=np.int64)))
    array([[20.],
           [30.],
           [25.]])
    """
    # Column by column, and columns in one piece: nothing else of the size of the file is made.
    values = np.empty((len(data), len(columns)), order="F")
    for j, name in enumerate(columns):
        values[:, j] = data[name]
        gaps = np.isnan(values[:, j])
        if gaps.any():
            present = ~gaps
            means = group_means(groups.labels[present], values[present, j], groups.count)
            values[gaps, j] = means[groups.labels[gaps]]
    return values


def put_synthetic(
    values: Numbers,
    groups: Groups,
    context: Context,
    put: Callable[
        [Numbers, NDArray[np.int64], np.random.Generator, Advance], None
    ] = put_exact_moments,
) -> None:
    """Put synthetic records in the place of these; a column that a group lacks stays NaN."""
    lacking = put_aside(values)
    with context.task("synthesising groups", len(values)) as advance:
        put(values, groups.labels, context.generator("synthesis"), advance)
    for j, rows in lacking.items():
        values[rows, j] = np.nan


def put_aside(values: Numbers) -> dict[int, NDArray[np.int64]]:
    """Set missing values to zero; return where they were, for each column that has any.

    >>> values = np.array([[1.0, np.nan], [2.0, 3.0]])
    >>> put_aside(values), values[0]
    ({1: array([0])}, array([1., 0.]))
    """
    lacking = {}
    for j in range(values.shape[1]):
        rows = np.flatnonzero(np.isnan(values[:, j]))
        if len(rows):
            lacking[j] = rows
            values[rows, j] = 0.0
    return lacking
