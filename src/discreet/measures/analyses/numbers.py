"""What means and totals share: a figure for each column of numbers in each domain."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Analysis, Columns, Figures, param
from discreet.errors import DataError
from discreet.measures.analyses.domains import Domains, require
from discreet.microdata import Microdata, Numbers
from discreet.models.survey_design import SurveyDesign


class NumbersByDomain(Analysis):
    """A weighted figure of columns, within each domain if `by` names some."""

    word: ClassVar[str]
    of: tuple[str, ...] = param(help="the columns of numbers whose figures are wanted")
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
        """Return the figure of each column in each domain."""
        self.columns(data)
        design = SurveyDesign.of(data)
        domains = Domains.of(data, self.by or (), data if like is None else like)
        labels: list[str] = []
        estimates, errors = [], []
        for name in self.of:
            values, present = present_numbers(data, name)
            codes = np.where(present, domains.codes, -1)
            estimate, error = self.estimated(values, codes, len(domains.labels), design)
            labels += domains.named(self.named(name))
            estimates.append(estimate)
            errors.append(error)
        return Figures(tuple(labels), np.concatenate(estimates), np.concatenate(errors))

    def named(self, column: str) -> str:
        """Return what the figure of a column is called."""
        return f"{self.word} of {column}"

    def estimated(
        self, values: Numbers, codes: NDArray[np.int64], domains: int, design: SurveyDesign
    ) -> tuple[Numbers, Numbers]:
        """Return estimate and error in each domain; the code of a domain is −1 for none."""
        raise TypeError(f"{type(self).__name__} does not say what it estimates")


def present_numbers(data: Microdata, name: str) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return the values of a column, 0 where there is none, and where there is one.

    >>> import discreet
    >>> present_numbers(discreet.read({"pay": [10, None]}), "pay")
    (array([10.,  0.]), array([ True, False]))
    """
    column = data.column(name)
    if not column.attribute.continuous:
        raise DataError(
            f"a mean, total or quantile needs numbers, but column '{name}' is "
            f"{column.attribute.kind}; declare it continuous, or ask for a table of it"
        )
    present = ~column.missing
    return np.where(present, column.values, 0.0), present
