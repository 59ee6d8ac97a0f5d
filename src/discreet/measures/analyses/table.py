"""Cross tables: the weighted share of each combination of categories."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Analysis, Figures, Spec, param
from discreet.measures.analyses.domains import Domains, require
from discreet.microdata import Kind, Microdata
from discreet.models.survey_design import SurveyDesign


class Table(Analysis):
    """The weighted share of the records in each cell of a table of one or more columns.

    >>> import discreet
    >>> data = discreet.read({"sex": ["f", "f", "m", "m"], "smoker": ["no", "yes", "no", "no"]})
    >>> found = Table(["sex", "smoker"]).figures(data)
    >>> found.labels[-1], found.estimates
    ('share (sex = m, smoker = no)', array([0.25, 0.25, 0.5 ]))
    """

    spec: ClassVar[Spec] = Spec(
        name="table",
        title="Cross tables",
        citation="Särndal, Swensson & Wretman (1992), Model Assisted Survey Sampling, §5.7",
        missing="records without a value in one of the columns are left out",
        kinds=(Kind.ORDINAL, Kind.NOMINAL),
        formula="p = Σ w over the records of the cell / Σ w over the table",
        cost="n log n time",
    )

    of: tuple[str, ...] = param(help="the columns that are tabulated against each other")

    @classmethod
    def example(cls) -> Table:
        """Return an instance for docs and checks."""
        return cls(("sex",))

    def columns(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns that are used."""
        require(data, self.of)
        return self.of

    def figures(self, data: Microdata, like: Microdata | None = None) -> Figures:
        """Return the share of each cell that the table has."""
        self.columns(data)
        design = SurveyDesign.of(data)
        cells = Domains.of(data, self.of, data if like is None else like)
        count = len(cells.labels)
        inside = cells.codes >= 0
        weights = np.bincount(cells.codes[inside], design.weights[inside], count)
        whole = weights.sum()
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = weights / whole
            errors = design.domain_errors(design.weights, cells.codes, count, less=shares)
            return Figures(tuple(cells.named("share")), shares, errors / whole)
