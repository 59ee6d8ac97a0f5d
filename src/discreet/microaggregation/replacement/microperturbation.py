"""Microperturbation: the group's mean, plus noise that restores the covariance that means lose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Groups, Replacement, Spec, param
from discreet.errors import DataError
from discreet.microaggregation.replacement.centroid import group_means
from discreet.microdata import Column, Microdata, Numbers
from discreet.microdata.numeric_coding import columns_from, numbers_of

ROUNDING = 1e-9
"""Share of the largest eigenvalue below which a negative one is only rounding."""


class Microperturbation(Replacement):
    """Normal noise around the mean of each group, with one covariance matrix for all groups.

    Means in place of values lose the covariance within groups. The noise has just that, pooled
    over all groups, S^Δ = (N − 1)/(N − G) · [S of the values − S of the group means] (eq. 11), so
    that the covariance matrix of the whole file is right in expectation (Theorem 2), whatever the
    kinds of the numbers and the sizes of the groups. The values within a group do not reveal which
    record is which: the groups make the file probabilistically k-anonymous.

    The noise is centred within each group, so every group keeps its mean exactly, and so does the
    file (Theorem 1). Fig. 5 of the paper, which `as_printed` follows, leaves this out; the
    means of its groups then move too, and its variances come out too large by up to a third.

    An ordinal column is perturbed by category number and takes the nearest category (the middle
    ones gain), a nominal one by 0–1 indicators and takes the largest. For these the theorems hold
    only before that step; a binary column that should keep them is best given as the numbers 0 and
    1. Numbers are released as real numbers, even where the original has whole ones, unless `round`
    is set.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 23, 40, 46]})
    >>> groups = Groups(np.array([0, 0, 1, 1]), least_size=2)
    >>> [age] = Microperturbation().replace(data, ["age"], groups, Context())
    >>> [round(float(pair.mean()), 9) for pair in (age.values[:2], age.values[2:])]
    [22.0, 43.0]
    """

    spec: ClassVar[Spec] = Spec(
        name="microperturbation",
        title="Microperturbation: group mean plus noise that restores the covariance",
        citation="Li & Sarkar, Class-restricted clustering and microperturbation for data privacy "
        "(2013), Theorems 1 and 2, eq. 11, Fig. 5",
        missing="perturbed like any other value, around the mean of the present values of the "
        "group, and taken to be that mean in S^Δ; a group without any value stays missing",
        random=True,
        guarantees=("probabilistic-k-anonymity",),
        formula="x′ᵢ = x̄_g + eᵢ − ē_g,  e ~ N(0, S^Δ),  S^Δ = (N − 1)/(N − G)·[S(x) − S(x̄_g)] "
        "(eq. 11)",
        cost="n·c² time, memory n·c",
    )

    as_printed: bool = param(
        default=False,
        help="the paper's procedure without centring, whose variances come out too large; for "
        "comparison with the paper only",
    )
    round: bool = param(
        default=False,
        help="bring columns of whole numbers back to whole numbers; this adds about 1/12 to their "
        "variances, leaves covariances as they are on average, and moves group means by up to a "
        "half",
    )

    def replace(
        self, data: Microdata, columns: Sequence[str], groups: Groups, context: Context
    ) -> list[Column]:
        """Return the columns with each group's means plus noise."""
        if not len(data):
            return [data.column(name) for name in columns]
        require_pairs(groups)
        numbers = numbers_of(data, columns)
        centres = means_within(numbers, groups)
        deviations = np.where(np.isnan(numbers), 0.0, numbers - centres)
        noise = noise_like(deviations, len(data) - groups.count, context.generator("noise"))
        if not self.as_printed:
            noise -= means_within(noise, groups)
        return columns_from(data, columns, centres + noise, whole=self.round)


def require_pairs(groups: Groups) -> None:
    """Refuse a group of one record, whose mean is the record itself."""
    if groups.sizes.min() < 2:
        raise DataError(
            "microperturbation needs groups of at least 2 records, but one has 1, whose mean is "
            "the record itself; form groups with k = 2 or more"
        )


def means_within(numbers: Numbers, groups: Groups) -> Numbers:
    """Return for each record the means of the present values of its group.

    >>> means_within(np.array([[1.0], [3.0], [np.nan], [8.0]]), Groups(np.array([0, 0, 0, 1])))
    array([[2.],
           [2.],
           [2.],
           [8.]])
    """
    means = np.empty((groups.count, numbers.shape[1]))
    for j, column in enumerate(numbers.T):
        present = ~np.isnan(column)
        means[:, j] = group_means(groups.labels[present], column[present], groups.count)
    return np.asarray(means[groups.labels])


def noise_like(deviations: Numbers, freedom: int, rng: np.random.Generator) -> Numbers:
    """Return normal noise for each record with covariance matrix DᵀD / freedom.

    With D the deviations from the group means and freedom N − G this is S^Δ of eq. 11: the sums
    of squares and products within groups are those of the values less those of the means.

    >>> noise = noise_like(np.array([[1.0], [-1.0], [2.0], [-2.0]]), 2, np.random.default_rng(1))
    >>> noise.shape
    (4, 1)
    """
    scaled, unit = in_units_of_maximum(deviations)
    root = root_of(scaled.T @ scaled / freedom)
    return np.asarray((rng.standard_normal(deviations.shape) @ root.T) * unit)


def in_units_of_maximum(deviations: Numbers) -> tuple[Numbers, NDArray[np.float64]]:
    """Return each column over its largest absolute value, and these values; 1 for a zero column.

    No square then overflows or underflows, and columns of all scales count alike in what counts as
    rounding.

    >>> in_units_of_maximum(np.array([[1e-200, 0.0], [-5e-201, 0.0]]))
    (array([[ 1. ,  0. ],
           [-0.5,  0. ]]), array([1.e-200, 1.e+000]))
    """
    unit = np.abs(deviations).max(axis=0, initial=0.0)
    unit = np.where(unit > 0, unit, 1.0)
    return deviations / unit, unit


def root_of(covariance: Numbers) -> Numbers:
    """Return a matrix R with R·Rᵀ = covariance; negative eigenvalues that are rounding become 0.

    >>> root = root_of(np.array([[4.0, 2.0], [2.0, 1.0]]))
    >>> (root @ root.T).round(12)
    array([[4., 2.],
           [2., 1.]])
    """
    eigenvalues, vectors = np.linalg.eigh(covariance)
    largest = np.abs(eigenvalues).max(initial=0.0)
    assert eigenvalues.min(initial=0.0) >= -ROUNDING * largest, "not a covariance matrix"
    return np.asarray(vectors * np.sqrt(np.maximum(eigenvalues, 0.0)))
