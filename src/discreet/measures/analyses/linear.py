"""Linear regression as an analyst declares it."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Spec
from discreet.measures.analyses.regression import Regression
from discreet.microdata import Microdata, Numbers
from discreet.models import weighted_regression
from discreet.models.formula import Formula
from discreet.models.survey_design import SurveyDesign


class Linear(Regression):
    """A linear regression by its formula, with weights and design-based errors.

    See `discreet.models.formula` for the syntax of formulas.

    >>> import discreet
    >>> data = discreet.read({"pay": [10, 30, 20, 40], "age": [1, 2, 3, 4]})
    >>> found = Linear("pay ~ age").figures(data)
    >>> found.labels, found.estimates.round(6)
    (('pay ~ age: intercept', 'pay ~ age: age'), array([5., 8.]))
    """

    spec: ClassVar[Spec] = Spec(
        name="linear",
        title="Linear regression",
        citation="Binder (1983), On the variances of asymptotically normal estimators from complex "
        "surveys",
        missing="records without a value in one of the columns are left out",
        formula="Σ w (y − xβ) x = 0",
        cost="n·p² time for p terms",
    )

    def fitted(
        self, formula: Formula, data: Microdata, matrix: Numbers, design: SurveyDesign
    ) -> tuple[Numbers, Numbers]:
        """Return coefficients and their errors."""
        return weighted_regression.linear(matrix, formula.numbers(data), design)
