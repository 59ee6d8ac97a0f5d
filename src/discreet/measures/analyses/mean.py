"""Weighted means, of the whole file or by domain."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Analysis, Columns, Figures, Spec, param
from discreet.measures.analyses.domains import Domains, require
from discreet.measures.analyses.numbers import present_numbers
from discreet.microdata import Kind, Microdata
from discreet.models.survey_design import SurveyDesign


class Mean(Analysis):
    """Weighted means of columns, within each domain if `by` names some.

    >>> import discreet
    >>> data = discreet.read({"pay": [10, 20, 30, 50], "sex": ["f", "f", "m", "m"]})
    >>> found = Mean(["pay"], by=["sex"]).figures(data)
    >>> found.labels, found.estimates
    (('mean of pay (sex = f)', 'mean of pay (sex = m)'), array([15., 40.]))
    """

    spec: ClassVar[Spec] = Spec(
        name="mean",
        title="Weighted means",
        citation="Särndal, Swensson & Wretman (1992), Model Assisted Survey Sampling, §5.7",
        missing="records without the value, or without a domain, are left out",
        kinds=(Kind.CONTINUOUS,),
        formula="ȳ = Σ w·y / Σ w over the records of the domain",
        cost="n log n time for each column",
    )

    of: tuple[str, ...] = param(help="the columns whose means are wanted")
    by: Columns = param(default=None, help="the columns whose categories are the domains")

    @classmethod
    def example(cls) -> Mean:
        """Return an instance for docs and checks."""
        return cls(("pay",))

    def columns(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns that are used."""
        names = (*self.of, *(self.by or ()))
        require(data, names)
        return names

    def figures(self, data: Microdata, like: Microdata | None = None) -> Figures:
        """Return the mean of each column in each domain."""
        self.columns(data)
        design = SurveyDesign.of(data)
        domains = Domains.of(data, self.by or (), data if like is None else like)
        count = len(domains.labels)
        labels: list[str] = []
        estimates, errors = [], []
        for name in self.of:
            values, present = present_numbers(data, name)
            codes = np.where(present, domains.codes, -1)
            inside = codes >= 0
            weights = np.bincount(codes[inside], design.weights[inside], count)
            sums = np.bincount(codes[inside], (design.weights * values)[inside], count)
            with np.errstate(invalid="ignore", divide="ignore"):
                mean = sums / weights
                parts = np.where(
                    inside, design.weights * (values - np.append(mean, 0.0)[codes]), 0.0
                )
                errors.append(design.domain_errors(parts, codes, count) / weights)
            labels += domains.named(f"mean of {name}")
            estimates.append(mean)
        return Figures(tuple(labels), np.concatenate(estimates), np.concatenate(errors))
