"""Weighted totals, of the whole file or by domain."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Analysis, Columns, Figures, Spec, param
from discreet.measures.analyses.domains import Domains, require
from discreet.measures.analyses.numbers import present_numbers
from discreet.microdata import Kind, Microdata
from discreet.models.survey_design import SurveyDesign


class Total(Analysis):
    """Weighted totals of columns, within each domain if `by` names some.

    >>> import discreet
    >>> data = discreet.read({"pay": [10, 20, 30], "w": [1, 2, 1]}, roles={"w": "weight"})
    >>> Total(["pay"]).figures(data).estimates
    array([80.])
    """

    spec: ClassVar[Spec] = Spec(
        name="total",
        title="Weighted totals",
        citation="Särndal, Swensson & Wretman (1992), Model Assisted Survey Sampling, §2.8",
        missing="a record without the value, or without a domain, adds nothing",
        kinds=(Kind.CONTINUOUS,),
        formula="t = Σ w·y over the records of the domain",
        cost="n log n time for each column",
    )

    of: tuple[str, ...] = param(help="the columns whose totals are wanted")
    by: Columns = param(default=None, help="the columns whose categories are the domains")

    @classmethod
    def example(cls) -> Total:
        """Return an instance for docs and checks."""
        return cls(("pay",))

    def columns(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns that are used."""
        names = (*self.of, *(self.by or ()))
        require(data, names)
        return names

    def figures(self, data: Microdata, like: Microdata | None = None) -> Figures:
        """Return the total of each column in each domain."""
        self.columns(data)
        design = SurveyDesign.of(data)
        domains = Domains.of(data, self.by or (), data if like is None else like)
        count = len(domains.labels)
        labels: list[str] = []
        estimates, errors = [], []
        for name in self.of:
            values, _ = present_numbers(data, name)
            inside = domains.codes >= 0
            parts = design.weights * values
            estimates.append(np.bincount(domains.codes[inside], parts[inside], count))
            errors.append(design.domain_errors(parts, domains.codes, count))
            labels += domains.named(f"total of {name}")
        return Figures(tuple(labels), np.concatenate(estimates), np.concatenate(errors))
