"""Exact moments: synthetic values with exactly the mean and covariance matrix of each group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from discreet.contracts import Context, Groups, Replacement
from discreet.exact_moments import exact_moments_within
from discreet.microdata import Column, Microdata
from discreet.numeric_coding import Numbers, columns_from
from discreet.parameters import param
from discreet.replacement.microperturbation import means_within
from discreet.schema import Kind
from discreet.spec import Spec

ROUND = (
    "bring columns of whole numbers back to whole numbers; means and covariances are then kept "
    "approximately only"
)


class ExactMoments(Replacement):
    """Normal draws for each group, adjusted to its mean and covariance matrix exactly.

    The mean and the covariance matrix of the whole file, and of every union of groups, are then
    kept exactly too, and with them every linear regression. A group with few records, constant or
    collinear columns is synthesised in the subspace that its records span; groups of fewer than
    three records are refused, since two would come back as they are. Where columns depend on one
    another nearly linearly, synthetic records can come close to original ones: look at the record
    linkage of the release.

    >>> import discreet
    >>> data = discreet.read({"age": [21.0, 23.0, 28.0], "pay": [2.0, 1.0, 6.0]})
    >>> groups = Groups(np.zeros(3, dtype=np.int64), least_size=3)
    >>> age, pay = ExactMoments().replace(data, ["age", "pay"], groups, Context())
    >>> age.values.mean().round(9), np.cov(age.values, pay.values).round(9)
    (np.float64(24.0), array([[13. ,  8.5],
           [ 8.5,  7. ]]))
    """

    spec: ClassVar[Spec] = Spec(
        name="exact-moments",
        title="Exact moments: synthetic values with each group's mean and covariance",
        citation="Oganian & Domingo-Ferrer, Local synthesis for disclosure limitation that "
        "satisfies probabilistic k-anonymity criterion (2017), §4; Burridge (2003)",
        missing="synthesised like any other value, and taken to stand at the mean of the present "
        "values of the group, which is kept; a group without any value stays missing",
        kinds=(Kind.CONTINUOUS,),
        random=True,
        guarantees=("probabilistic-k-anonymity",),
        formula="x̄′_g = x̄_g and S′_g = S_g in every group g",
        cost="n·c² time, memory n·c",
    )

    round: bool = param(default=False, help=ROUND)

    def replace(
        self, data: Microdata, columns: Sequence[str], groups: Groups, context: Context
    ) -> list[Column]:
        """Return the columns with synthetic values."""
        values = filled(data, columns, groups)
        return columns_from(
            data, columns, synthetic_within(values, groups, context), whole=self.round
        )


def filled(data: Microdata, columns: Sequence[str], groups: Groups) -> Numbers:
    """Return the values with missing ones at the mean of their group; NaN if it has none.

    >>> import discreet
    >>> data = discreet.read({"age": [20.0, 30.0, None]})
    >>> filled(data, ["age"], Groups(np.zeros(3, dtype=np.int64)))
    array([[20.],
           [30.],
           [25.]])
    """
    values = data.matrix(columns)
    gaps = np.isnan(values)
    return np.asarray(
        np.where(gaps, means_within(values, groups), values) if gaps.any() else values
    )


def synthetic_within(values: Numbers, groups: Groups, context: Context) -> Numbers:
    """Return synthetic records group by group; a column that a group does not have stays NaN."""
    empty = np.isnan(values)
    with context.task("synthesising groups", len(values)) as advance:
        synthetic = exact_moments_within(
            np.where(empty, 0.0, values), groups.labels, context.generator("synthesis"), advance
        )
    return np.asarray(np.where(empty, np.nan, synthetic))
