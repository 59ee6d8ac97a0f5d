"""Predictors on the scale of normal scores, and the regression of a column on that scale.

A column of numbers enters as the scores of its values, their squares, and an indicator of each of
its point masses; so a few huge incomes do not decide a coefficient, and zero is not treated as a
small income.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.microdata import MISSING_CODE, Attribute, Column, Kind, Microdata, Numbers
from discreet.models.sequential.categorical import Codes, Multinomial
from discreet.models.sequential.linear import NormalLinear
from discreet.models.sequential.margin import Margin

SQUARE, MASS_OF = "\x00square of ", "\x00mass of "
"""Names of derived predictors; no column of a file has a zero character in its name."""
FEWEST_FOR_SQUARES = 200
"""Records below which squares would fit chance."""


@dataclass(frozen=True, eq=False)
class ScoredPredictors:
    """Turns the numbers of a table into scores by the margins of the table that it was fitted to.

    >>> import discreet
    >>> data = discreet.read({"pay": [0.0] * 10 + list(range(1, 31))})
    >>> scored = ScoredPredictors.of(data, ["pay"]).table(data)
    >>> [column.attribute.kind.value for column in scored]
    ['continuous', 'nominal']
    """

    names: tuple[str, ...]
    margins: dict[str, Margin]
    squares: bool

    @classmethod
    def of(cls, data: Microdata, names: Sequence[str]) -> ScoredPredictors:
        """Take the margins of the numbers among these columns."""
        margins = {}
        for name in names:
            column = data.column(name)
            if column.attribute.continuous:
                margins[name] = Margin.of(column.values[~column.missing])
        return cls(tuple(names), margins, len(data) >= FEWEST_FOR_SQUARES)

    def table(self, data: Microdata) -> Microdata:
        """Return the predictors of a table on the new scale."""
        columns = []
        for name in self.names:
            column = data.column(name)
            margin = self.margins.get(name)
            if margin is None:
                columns.append(column)
                continue
            missing = column.missing
            if len(margin.ordered):
                scores = np.where(missing, np.nan, margin.scores(column.values))
                columns.append(Column(Attribute(name), scores))
                if self.squares:
                    columns.append(Column(Attribute(SQUARE + name), scores**2))
            if len(margin.masses):
                labels = tuple(map(str, range(margin.classes)))
                attribute = Attribute(MASS_OF + name, kind=Kind.NOMINAL, categories=labels)
                codes = np.where(missing, MISSING_CODE, margin.codes(column.values))
                columns.append(Column(attribute, codes))
        return Microdata(columns, rows=len(data))


@dataclass(frozen=True, eq=False)
class Scored:
    """A draw for a column of numbers: first its class, then the score of what is not a mass.

    The scores that the regression draws for the records it was fitted to are its `reference`: a
    drawn score counts by its rank among them, so that the distribution of the column comes back
    whatever the distribution of the predictors is.

    >>> rng = np.random.default_rng(1)
    >>> x = rng.standard_normal((2000, 1))
    >>> y = np.where(x[:, 0] < -0.5, 0.0, np.exp(2 * x[:, 0] + rng.normal(0, 0.5, 2000)))
    >>> made = Scored.drawn(x, y, rng).draw(x, rng)
    >>> bool(abs((made == 0).mean() - (y == 0).mean()) < 0.03), bool(made.max() <= y.max())
    (True, True)
    """

    margin: Margin
    which: Multinomial
    score: NormalLinear
    reference: Numbers

    @classmethod
    def drawn(cls, x: Numbers, y: Numbers, generator: np.random.Generator) -> Scored:
        """Fit both parts and draw their parameters."""
        margin = Margin.of(y)
        codes = margin.codes(y)
        which = Multinomial.drawn(x, codes, margin.classes, generator)
        free = codes == len(margin.masses)
        score = NormalLinear.drawn(x[free], margin.scores(y[free]), generator)
        return cls(margin, which, score, np.sort(score.draw(x[free], generator)))

    def draw(self, x: Numbers, generator: np.random.Generator) -> Numbers:
        """Return a value for every row."""
        codes: Codes = self.which.draw(x, generator)
        scores = self.score.draw(x, generator)
        if not len(self.margin.ordered):
            return self.margin.masses[codes]
        ranks = (np.searchsorted(self.reference, scores) + 0.5) / (len(self.reference) + 1)
        values = np.append(self.margin.masses, 0.0)[codes]
        return np.where(codes == len(self.margin.masses), self.margin.at(ranks), values)
