"""Weighted quantiles, of the whole file or by domain."""

from __future__ import annotations

from statistics import NormalDist
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Analysis, Columns, Figures, Spec, param
from discreet.measures.analyses.domains import Domains, require
from discreet.measures.analyses.numbers import present_numbers
from discreet.microdata import Kind, Microdata, Numbers
from discreet.models.survey_design import SurveyDesign

REACH = NormalDist().inv_cdf(0.975)
ROUNDING = 1e-12
"""Sums of weights that fall short by this share have reached a quantile."""


class Quantile(Analysis):
    """A weighted quantile of columns, the median or another, within each domain if `by` names some.

    The quantile p is the least value that records with a share p of the weights do not exceed. Its
    error is a quarter of the length of Woodruff's interval of 95 %, nearly: the interval of the
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

    of: tuple[str, ...] = param(help="the columns of numbers whose quantiles are wanted")
    at: float = param(
        default=0.5, help="the share of the weights at or below the quantile", above=0, below=1
    )
    by: Columns = param(default=None, help="the columns whose categories are the domains")

    @classmethod
    def example(cls) -> Self:
        """Return an instance for docs and checks."""
        return cls(("pay",))

    def columns(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns that are used."""
        names = (*self.of, *(self.by or ()))
        require(data, names)
        return names

    def figures(self, data: Microdata, like: Microdata | None = None) -> Figures:
        """Return the quantiles of each column in each domain."""
        self.columns(data)
        design = SurveyDesign.of(data)
        domains = Domains.of(data, self.by or (), data if like is None else like)
        labels: list[str] = []
        word = "median" if self.at == 0.5 else f"{self.at:g} quantile"
        estimates, errors = [], []
        for name in self.of:
            values, present = present_numbers(data, name)
            codes = np.where(present & (design.weights > 0), domains.codes, -1)
            ordered = _Ordered(values, codes, len(domains.labels), design.weights)
            labels += domains.named(f"{word} of {name}")
            found = ordered.at(np.full(len(domains.labels), self.at))
            below = np.where(values <= np.append(found, np.nan)[codes], 1 - self.at, -self.at)
            parts = np.where(codes >= 0, design.weights * below, 0.0)
            off = design.domain_errors(parts, codes, len(found)) / ordered.totals
            reach = REACH * np.nan_to_num(off)
            low, high = ordered.at(self.at - reach), ordered.at(self.at + reach)
            estimates.append(found)
            errors.append((high - low) / (2 * REACH))
        return Figures(tuple(labels), np.concatenate(estimates), np.concatenate(errors))


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
