"""Weighted totals, of the whole file or by domain."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Spec
from discreet.measures.analyses.numbers import NumbersByDomain
from discreet.microdata import Kind, Numbers
from discreet.models.survey_design import SurveyDesign


class Total(NumbersByDomain):
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

    word: ClassVar[str] = "total"

    def estimated(
        self, values: Numbers, codes: NDArray[np.int64], domains: int, design: SurveyDesign
    ) -> tuple[Numbers, Numbers]:
        """Return the total in each domain and its error."""
        inside = codes >= 0
        parts = design.weights * values
        totals: Numbers = np.bincount(codes[inside], parts[inside], domains).astype(np.float64)
        return totals, design.domain_errors(parts, codes, domains)
