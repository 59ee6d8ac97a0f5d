"""Condensation: groups of k, synthetic records along each group's eigenvectors."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import ClassVar

import numpy as np

from discreet.contracts import Claim, Columns, Context, Groups, Masked, Method, Spec, param
from discreet.contracts.partition import GROUP_SIZES
from discreet.microaggregation.partition.mdav import MDAV
from discreet.microaggregation.replacement.exact_moments import CONFIDENTIAL, filled
from discreet.microaggregation.units import groups_of_units
from discreet.microdata import Kind, Microdata, Numbers
from discreet.microdata.dates import day_of
from discreet.microdata.numeric_coding import columns_from


class Condensation(Method):
    """Replaces each group of k records by as many synthetic ones with its mean and covariance.

    Only the mean and the covariance matrix of a group are used. A synthetic record is the mean plus
    a step along each eigenvector of the covariance matrix, the steps independent and uniform with
    the variance of their eigenvalue. So the covariance matrix of the file is kept on average;
    HybridMicro keeps it exactly, with normal steps. Groups are MDAV's. A record is hidden among
    those of its group; the columns that are not treated stay with their records and may distinguish
    them.

    >>> import discreet
    >>> data = discreet.read({"age": [21, 22, 29, 40, 41, 48.0], "pay": [3, 1, 2, 8, 5, 7.0]},
    ...                      roles={"age": "quasi-identifier", "pay": "quasi-identifier"})
    >>> masked = Condensation(k=3).protect(data, Context())
    >>> masked.claims
    (Claim(probabilistic-k-anonymity: 3 claimed),)
    """

    spec: ClassVar[Spec] = Spec(
        name="condensation",
        title="Condensation",
        citation="Aggarwal & Yu, A condensation approach to privacy preserving data mining (2004); "
        "Domingo-Ferrer, A survey of inference control methods, §5, k-anonymity",
        missing="in distances a category of its own; synthesised like any other value, and taken "
        "to be the mean of its group; a group without any value stays missing",
        kinds=(Kind.CONTINUOUS,),
        random=True,
        guarantees=("probabilistic-k-anonymity",),
        formula="x′ᵢ = x̄_g + Σⱼ uᵢⱼ √λⱼ vⱼ,  uᵢⱼ uniform on [−√3, √3]\n"
        "λⱼ, vⱼ the eigenvalues and eigenvectors of (1/n_g) Σ_{i∈g} (xᵢ − x̄_g)(xᵢ − x̄_g)ᵀ,  n_g "
        "≥ k",
        cost="as the partition mdav, and n·c² time for the synthesis",
    )

    k: int = param(
        default=20,
        help="minimum number of records in a group",
        at_least=2,
        trials=GROUP_SIZES,
        monotone=True,
    )
    round: bool = param(
        default=False, help="round the released values of columns that hold whole numbers only"
    )
    confidential: bool = param(default=False, help=CONFIDENTIAL)
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with synthetic values in the treated columns."""
        names = self.treated(data, self.columns, self.confidential)
        groups = MDAV(k=self.k).groups(data, names, context.within("partition"))
        groups, notes = groups_of_units(data, names, groups)
        values = filled(data, names, groups)
        empty = np.isnan(values)
        # Beside microseconds other columns would be lost in rounding: moments count in days too.
        units = np.array([day_of(data, name) or 1.0 for name in names])
        made = units * _along_eigenvectors(np.where(empty, 0.0, values / units), groups, context)
        made[empty] = np.nan
        claims: tuple[Claim, ...] = ()
        if set(data.quasi_identifiers) and set(data.quasi_identifiers) <= set(names):
            claims = (Claim("probabilistic-k-anonymity", float(groups.sizes.min())),)
            groups = replace(groups, drawn=True)
        groups = replace(groups, drawn_columns=frozenset(names))
        return Masked(
            data.replace(columns_from(data, names, made, whole=self.round)), groups, claims, notes
        )


def _along_eigenvectors(values: Numbers, groups: Groups, context: Context) -> Numbers:
    """Return records drawn for each group, groups of one size at a time."""
    rng = context.generator("synthesis")
    made = np.empty(values.shape)
    order = np.argsort(groups.labels, kind="stable")
    starts = np.cumsum(groups.sizes) - groups.sizes
    with context.task("synthesising groups", len(values)) as advance:
        for size in np.unique(groups.sizes).tolist():
            rows = order[starts[groups.sizes == size, None] + np.arange(size)]
            means = values[rows].mean(axis=1, keepdims=True)
            # The right singular vectors of the deviations are the eigenvectors of the covariance
            # matrix, the squares of the singular values n times its eigenvalues.
            _, singular, vectors = np.linalg.svd(values[rows] - means, full_matrices=False)
            deviations = singular / math.sqrt(size)
            # A uniform variable on ±√3 has the variance 1.
            steps = rng.uniform(-math.sqrt(3), math.sqrt(3), (*rows.shape, singular.shape[1]))
            made[rows] = means + (steps * deviations[:, None, :]) @ vectors
            advance(rows.size)
    return made
