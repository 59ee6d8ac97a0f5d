"""Weighted quantiles, of the whole file or by domain."""

from __future__ import annotations

from statistics import NormalDist
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Spec, param
from discreet.measures.analyses.numbers import NumbersByDomain
from discreet.microdata import Kind, Numbers
from discreet.models.survey_design import SurveyDesign

REACH = NormalDist().inv_cdf(0.975)
ROUNDING = 1e-12
"""Sums of weights that fall short by no more than this share have reached a quantile."""


class Quantile(NumbersByDomain):
    """A weighted quantile of columns, the median or another, within each domain if `by` names some.

    The quantile p is the smallest value that records with a share p of the weights do not exceed.
    Its error is about a quarter of the length of Woodruff's 95 % interval: the interval of the
    share below it, carried over to the values.

    >>> import discreet
    >>> data = discreet.read({"pay": [10, 20, 30, 50], "w": [1, 1, 1, 3]}, roles={"w": "weight"})
    >>> found = Quantile(["pay"], at=0.25).figures(data)
    >>> found.labels, found.estimates, Quantile(["pay"]).figures(data).labels
    (('0.25 quantile of pay',), array([20.]), ('median of pay',))
    """

    spec: ClassVar[Spec] = Spec(
        name="quantile",
        title="Weighted quantiles",
        citation="Woodruff (1952), Confidence intervals for medians and other position measures; "
        "Särndal, Swensson & Wretman (1992), Model Assisted Survey Sampling, §5.11",
        missing="records without the value, or without a domain, are left out",
        kinds=(Kind.CONTINUOUS,),
        formula="q = min {y: F(y) ≥ p},  F(y) = Σ_{yᵢ ≤ y} w / Σ w",
        cost="n log n time for each column",
    )

    at: float = param(
        default=0.5, help="the share of the weights at or below the quantile", above=0, below=1
    )

    def named(self, column: str) -> str:
        """Return what the figure of a column is called."""
        return f"{'median' if self.at == 0.5 else f'{self.at:g} quantile'} of {column}"

    def estimated(
        self, values: Numbers, codes: NDArray[np.int64], domains: int, design: SurveyDesign
    ) -> tuple[Numbers, Numbers]:
        """Return the quantile in each domain and its error."""
        codes = np.where(design.weights > 0, codes, -1)
        ordered = _Ordered(values, codes, domains, design.weights)
        quantiles = ordered.at(np.full(domains, self.at))
        below = np.where(values <= np.append(quantiles, np.nan)[codes], 1 - self.at, -self.at)
        parts = np.where(codes >= 0, design.weights * below, 0.0)
        off = design.domain_errors(parts, codes, domains) / ordered.totals
        reach = REACH * np.nan_to_num(off)
        low, high = ordered.at(self.at - reach), ordered.at(self.at + reach)
        return quantiles, (high - low) / (2 * REACH)


class _Ordered:
    """The values of each domain in order, with their weights added up."""

    def __init__(
        self, values: Numbers, codes: NDArray[np.int64], domains: int, weights: Numbers
    ) -> None:
        order = np.lexsort((values, codes))
        order = order[codes[order] >= 0]
        counts = np.bincount(codes[order], minlength=domains)
        self.values, self.ends = values[order], np.cumsum(counts)
        self.starts = self.ends - counts
        self.sums = np.cumsum(weights[order])
        before = np.append(0.0, self.sums)
        self.below = before[self.starts]
        with np.errstate(invalid="ignore"):
            self.totals = np.where(counts > 0, before[self.ends] - self.below, np.nan)

    def at(self, shares: Numbers) -> Numbers:
        """Return the quantile of each domain; NaN where it has no records."""
        wanted = self.below + np.clip(shares, 0.0, 1.0) * np.nan_to_num(self.totals)
        place = np.searchsorted(self.sums, wanted * (1 - ROUNDING), side="left")
        place = np.clip(place, self.starts, np.maximum(self.ends - 1, self.starts))
        return np.append(self.values, np.nan)[np.where(np.isnan(self.totals), -1, place)]
