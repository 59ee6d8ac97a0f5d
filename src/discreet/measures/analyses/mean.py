"""Weighted means, of the whole file or by domain."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Spec
from discreet.measures.analyses.numbers import NumbersByDomain
from discreet.microdata import Kind, Numbers
from discreet.models.survey_design import SurveyDesign


class Mean(NumbersByDomain):
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

    word: ClassVar[str] = "mean"

    def estimated(
        self, values: Numbers, codes: NDArray[np.int64], domains: int, design: SurveyDesign
    ) -> tuple[Numbers, Numbers]:
        """Return the mean in each domain and its error."""
        inside = codes >= 0
        weights = np.bincount(codes[inside], design.weights[inside], domains)
        sums = np.bincount(codes[inside], (design.weights * values)[inside], domains)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = sums / weights
            residuals = values - np.append(mean, 0.0)[codes]
            parts = np.where(inside, design.weights * residuals, 0.0)
            return mean, design.domain_errors(parts, codes, domains) / weights
