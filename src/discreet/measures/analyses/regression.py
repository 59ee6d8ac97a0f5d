"""What linear and logistic regressions share: the formula, and a figure for each coefficient."""

from __future__ import annotations

from typing import Self

from discreet.contracts import Analysis, Figures, param
from discreet.microdata import Microdata, Numbers
from discreet.models.formula import Formula
from discreet.models.survey_design import SurveyDesign


class Regression(Analysis):
    """A regression that is declared by its formula."""

    formula: str = param(
        help="what is explained by what, as 'income ~ age + sex'; a:b is a product, a*b both and "
        "their product, log(a) a logarithm, a^2 a square"
    )

    @classmethod
    def example(cls) -> Self:
        """Return an instance for docs and checks."""
        return cls("pay ~ age")

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        Formula.parse(self.formula)

    def columns(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns of the formula."""
        formula = Formula.parse(self.formula)
        formula.require(data)
        return formula.columns

    def figures(self, data: Microdata, like: Microdata | None = None) -> Figures:
        """Return the coefficients."""
        self.columns(data)
        formula = Formula.parse(self.formula)
        labels, matrix = formula.matrix(data, data if like is None else like)
        fit = self.fitted(formula, data, matrix, SurveyDesign.of(data))
        return Figures(tuple(f"{self.formula}: {label}" for label in labels), *fit)

    def fitted(
        self, formula: Formula, data: Microdata, matrix: Numbers, design: SurveyDesign
    ) -> tuple[Numbers, Numbers]:
        """Return coefficients and their errors."""
        raise TypeError(f"{type(self).__name__} does not say how to fit")
