"""R-microhybrid: exact moments in each group, for groups that are large and regular enough."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Groups, Replacement, Spec, param
from discreet.errors import DataError
from discreet.microaggregation.replacement.exact_moments import (
    ROUND,
    ExactMoments,
    filled,
    put_synthetic,
)
from discreet.microdata import Column, Kind, Microdata, Numbers
from discreet.microdata.numeric_coding import columns_from

SINGULAR = 1e-10
"""Singular values below this share of the largest, of columns on one scale, count as none."""


class RMicrohybrid(Replacement):
    """Synthetic values with exactly the mean and covariance matrix of each group.

    The method needs a covariance matrix of full rank in every group: more records than columns,
    and no column constant or a linear function of others. Binary columns and columns of few
    different values seldom leave one. Groups without it are refused, unless the fallback is
    asked for by name: `fallback="subspace"` synthesises them in the subspace that their records
    span, still with exact mean and covariance, as the replacement exact-moments does.

    >>> import discreet
    >>> data = discreet.read({"age": [21.0, 23.0, 28.0], "sex": [0, 0, 0]})
    >>> groups = Groups(np.zeros(3, dtype=np.int64), least_size=3)
    >>> RMicrohybrid().replace(data, ["age", "sex"], groups, Context())
    Traceback (most recent call last):
    discreet.errors.DataError: r-microhybrid needs a covariance matrix of full rank in every group,
    but in 1 of 1 groups it is singular: column 'sex' is constant in 1; ...
    >>> _, sex = RMicrohybrid(fallback="subspace").replace(data, ["age", "sex"], groups, Context())
    >>> sex.values
    array([0., 0., 0.])
    """

    spec: ClassVar[Spec] = Spec(
        name="r-microhybrid",
        title="R-microhybrid: synthetic values from groups of full rank",
        citation="Domingo-Ferrer & González-Nicolás (2010), as described by Li & Sarkar (2013), §2",
        missing=ExactMoments.spec.missing,
        kinds=(Kind.CONTINUOUS,),
        random=True,
        guarantees=("probabilistic-k-anonymity",),
        formula="x̄′_g = x̄_g and S′_g = S_g in every group g",
        cost="n·c² time, memory n·c",
    )

    draws: ClassVar[bool] = True

    fallback: str = param(
        default="none",
        help="what is done with a group that is too small or whose covariance matrix is singular: "
        "none refuses it, subspace synthesises it in the subspace that its records span",
        choices=("none", "subspace"),
    )
    round: bool = param(default=False, help=ROUND)

    @classmethod
    def example(cls) -> Self:
        """Return an instance that takes any group; the default refuses groups that are common."""
        return cls(fallback="subspace")

    def replace(
        self, data: Microdata, columns: Sequence[str], groups: Groups, context: Context
    ) -> list[Column]:
        """Return the columns with synthetic values; raise if a group is not of full rank."""
        values = filled(data, columns, groups)
        if self.fallback == "none":
            _require_full_rank(values, columns, groups)
        put_synthetic(values, groups, context)
        return columns_from(data, columns, values, whole=self.round)


def _require_full_rank(values: Numbers, columns: Sequence[str], groups: Groups) -> None:
    needed = values.shape[1] + 1
    small = groups.sizes < needed
    ways_out = (
        "form larger groups, treat fewer columns, or ask for fallback='subspace' (or use the "
        "replacement microperturbation, which needs neither)"
    )
    if small.any():
        raise DataError(
            f"r-microhybrid of {len(columns)} columns needs groups of at least {needed} records, "
            f"but {small.sum()} of {groups.count} groups have fewer (the smallest "
            f"{groups.sizes.min()}); {ways_out}"
        )
    singular = _singular(values, groups)
    if singular.any():
        raise DataError(
            "r-microhybrid needs a covariance matrix of full rank in every group, but in "
            f"{singular.sum()} of {groups.count} groups it is singular: "
            f"{_reason(values, columns, groups)}; {ways_out}"
        )


def _singular(values: Numbers, groups: Groups) -> NDArray[np.bool_]:
    """Return which groups have columns that are constant or linear functions of others."""
    singular = np.zeros(groups.count, dtype=bool)
    order = np.argsort(groups.labels, kind="stable")
    starts = np.cumsum(groups.sizes) - groups.sizes
    for size in np.unique(groups.sizes):
        alike = np.flatnonzero(groups.sizes == size)
        part = np.nan_to_num(values[order[starts[alike, None] + np.arange(size)]])
        deviations = part - part.mean(axis=1, keepdims=True)
        unit = np.abs(deviations).max(axis=1, keepdims=True)
        spectrum = np.linalg.svd(deviations / np.where(unit > 0, unit, 1.0), compute_uv=False)
        constant = (part.min(axis=1) == part.max(axis=1)).any(axis=1)
        singular[alike] = constant | (spectrum[:, -1] <= SINGULAR * spectrum[:, 0])
    return singular


def _reason(values: Numbers, columns: Sequence[str], groups: Groups) -> str:
    """Name the column that is constant in most groups, or say that columns are collinear."""
    low = np.full((groups.count, values.shape[1]), np.inf)
    high = np.full((groups.count, values.shape[1]), -np.inf)
    np.minimum.at(low, groups.labels, np.nan_to_num(values))
    np.maximum.at(high, groups.labels, np.nan_to_num(values))
    constant = (low == high).sum(axis=0)
    if not constant.any():
        return "some columns are linear functions of others there"
    worst = int(constant.argmax())
    return f"column '{columns[worst]}' is constant in {constant[worst]}"
