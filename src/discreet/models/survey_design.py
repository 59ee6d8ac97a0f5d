"""Survey design: weights, strata and households, and the standard errors that follow from them.

Errors are those of Taylor linearisation: an estimate is a sum over the records of what each adds to
it, records of one household are added up first, and the variance of the sum is taken between
the households of a stratum as if they had been drawn with replacement (Särndal, Swensson &
Wretman 1992, Model Assisted Survey Sampling, §5.5 and §4.2). With neither weights nor strata nor
households the error of a mean is s/√n, and that of a regression is robust against
unequal variances.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError
from discreet.microdata import Column, Microdata, Numbers, Role
from discreet.microdata.clusters import clusters_of
from discreet.microdata.equivalence import coded, numbered

Labels = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class SurveyDesign:
    """The weight of each record, its stratum and its cluster (a household, or the record).

    >>> import discreet
    >>> data = discreet.read({"w": [1, 1, 3], "pay": [10, 20, 30]}, roles={"w": "weight"})
    >>> SurveyDesign.of(data).weights
    array([1., 1., 3.])
    """

    weights: Numbers
    strata: Labels
    clusters: Labels

    @classmethod
    def of(cls, data: Microdata) -> SurveyDesign:
        """Take the design from the columns whose roles say so; the first weight column counts."""
        names = data.having(Role.WEIGHT)
        weights = np.ones(len(data)) if not names else _weights(data.column(names[0]))
        strata = np.zeros(len(data), dtype=np.int64)
        for name in data.having(Role.STRATUM):
            strata = _crossed(strata, data[name])
        homes = clusters_of(data)
        clusters = np.arange(len(data)) if homes is None else homes.labels
        # A household that two strata share, as masking may leave it, is one cluster in each.
        return cls(weights, strata, _crossed(strata, clusters))

    def covariance(self, added: Numbers) -> Numbers:
        """Return the covariance of column sums, where a row holds what its record adds to each.

        >>> import discreet
        >>> data = discreet.read({"x": [1.0, 2.0, 6.0]})
        >>> mean_parts = (data["x"] - 3) / 3
        >>> SurveyDesign.of(data).covariance(mean_parts[:, None])   # s²/n = 7/3
        array([[2.33333333]])
        """
        count = int(self.clusters.max(initial=-1)) + 1
        sums = np.column_stack([np.bincount(self.clusters, part, count) for part in added.T])
        stratum = np.zeros(count, dtype=np.int64)
        stratum[self.clusters] = self.strata
        size = np.bincount(stratum)
        total = np.column_stack([np.bincount(stratum, part) for part in sums.T])
        centre = total / np.maximum(size, 1)[:, None]
        # A stratum of one household shows no spread: it is compared with all others instead.
        centre[size == 1] = sums.sum(axis=0) / max(count, 1)
        raised = np.where(size > 1, size / np.maximum(size - 1, 1), 1.0)
        apart = (sums - centre[stratum]) * np.sqrt(raised)[stratum, None]
        return np.asarray(apart.T @ apart)

    def domain_errors(
        self, added: Numbers, domain: Labels, domains: int, less: Numbers | None = None
    ) -> Numbers:
        """Return the standard error of the sum within each domain; −1 is in no domain.

        With `less`, a share for each domain, it is that of the sum within the domain minus this
        share of the sum over all domains. Gives what `covariance` would for one column per
        domain, without their zeros.
        """
        share = np.zeros(domains) if less is None else less
        inside = domain >= 0
        pair = self.clusters[inside] * domains + domain[inside]
        pairs, place = np.unique(pair, return_inverse=True)
        sums: Numbers = np.bincount(place, added[inside], len(pairs)).astype(np.float64)
        count = int(self.clusters.max(initial=-1)) + 1
        whole = np.bincount(self.clusters[inside], added[inside], count)
        stratum = np.zeros(count, dtype=np.int64)
        stratum[self.clusters] = self.strata
        size = np.bincount(stratum)
        cell = stratum[pairs // domains] * domains + pairs % domains

        def by_stratum(values: Numbers) -> Numbers:
            sums_by_cell = np.bincount(cell, values, len(size) * domains)
            return np.asarray(sums_by_cell.reshape(len(size), domains))

        first = by_stratum(sums) - np.bincount(stratum, whole)[:, None] * share
        second = by_stratum(sums**2) - 2 * share * by_stratum(sums * whole[pairs // domains])
        second += np.bincount(stratum, whole**2)[:, None] * share**2
        many = size > 1
        n = size[many, None]
        variance = (n / (n - 1) * (second[many] - first[many] ** 2 / n)).sum(axis=0)
        overall = first.sum(axis=0) / max(count, 1)
        variance += ((first[size == 1] - overall) ** 2).sum(axis=0)
        return np.asarray(np.sqrt(np.maximum(variance, 0.0)))


def _weights(column: Column) -> Numbers:
    if not column.attribute.continuous:
        raise DataError(
            f"a weight must be a number, but the column '{column.name}' is "
            f"{column.attribute.kind}; declare it continuous, or give it the role other"
        )
    # A record without a weight represents nobody.
    return np.where(column.missing, 0.0, np.maximum(column.values, 0.0))


def _crossed(first: Labels, second: NDArray[np.number]) -> Labels:
    """Return a number from 0 on for each pair of labels that occurs."""
    if second.dtype.kind == "f":
        codes = coded(second.astype(np.float64, copy=False))[0]
    else:
        least = int(second.min(initial=0))
        whole = second.astype(np.int64) - least
        codes, _ = numbered(whole, int(whole.max(initial=0)) + 1)
    width = int(codes.max(initial=0)) + 1
    return numbered(first * width + codes, (int(first.max(initial=0)) + 1) * width)[0]
