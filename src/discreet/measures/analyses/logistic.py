"""Logistic regression as an analyst declares it."""

from __future__ import annotations

from typing import ClassVar, Self

from discreet.contracts import Spec
from discreet.measures.analyses.regression import Regression
from discreet.microdata import Microdata, Numbers
from discreet.models import weighted_regression
from discreet.models.formula import Formula
from discreet.models.survey_design import SurveyDesign


class Logistic(Regression):
    """A logistic regression by its formula, with weights and design-based errors.

    See `discreet.models.formula` for the syntax of formulas.

    >>> import discreet
    >>> data = discreet.read({"smoker": ["no", "no", "yes", "no", "yes", "yes"],
    ...                       "sex": ["f", "f", "f", "m", "m", "m"]})
    >>> Logistic("smoker == yes ~ sex").figures(data).estimates.round(6)
    array([-0.693147,  1.386294])
    """

    spec: ClassVar[Spec] = Spec(
        name="logistic",
        title="Logistic regression",
        citation="Binder (1983), On the variances of asymptotically normal estimators from complex "
        "surveys",
        missing="records without a value in one of the columns are left out",
        formula="Σ w (y − 1/(1 + exp(−xβ))) x = 0",
        cost="n·p² time for p terms, for each of some ten steps",
    )

    @classmethod
    def example(cls) -> Self:
        """Return an instance for docs and checks."""
        return cls("sex ~ age")

    def fitted(
        self, formula: Formula, data: Microdata, matrix: Numbers, design: SurveyDesign
    ) -> tuple[Numbers, Numbers]:
        """Return coefficients and their errors."""
        return weighted_regression.logistic(matrix, formula.successes(data), design)
