"""Latin hypercube sampling with rank-correlation refinement."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Columns, Context, Masked, Method, Spec, param
from discreet.contracts.threads import one_thread
from discreet.microdata import Column, Kind, Microdata, Numbers
from discreet.microdata.numeric_coding import columns_from
from discreet.models.conditional_normal import ConditionalNormal, given_columns, notes_on_fit
from discreet.models.design_matrix import ANALYSED


class LatinHypercube(Method):
    """Redraws every column from its own distribution, with the rank correlations of the file.

    The range of a column is cut into as many parts of equal probability as it has values, and one
    value is drawn from each: a Latin hypercube sample. Iman and Conover's reordering then says
    which record gets which value: normal scores are drawn that correlate as the original's ranks
    do, and each column's values follow the ranks of its scores. Ranking moves correlations a
    little; each refinement brings the ranks back to the original's correlations and ranks them
    again, and the best order is kept. The columns that are not treated stay with their records and
    take part in the correlations; nominal ones by an indicator for each category.

    Released values lie between neighbouring original ones, so the largest and the smallest are
    nearly the original ones; an extreme value is pulled in a little, and so are the means of skewed
    columns. With `points` the distribution is known at a few quantiles only.

    >>> import discreet
    >>> rng = np.random.default_rng(1)
    >>> age = rng.uniform(20, 60, 300)
    >>> data = discreet.read({"age": age, "pay": np.exp(age / 20 + rng.normal(0, 0.3, 300))},
    ...                      roles={"age": "quasi-identifier", "pay": "quasi-identifier"})
    >>> made = LatinHypercube().protect(data, Context()).data
    >>> from scipy.stats import spearmanr
    >>> before, after = spearmanr(age, data["pay"]), spearmanr(made["age"], made["pay"])
    >>> bool(abs(before.statistic - after.statistic) < 0.01)
    True
    """

    spec: ClassVar[Spec] = Spec(
        name="latin-hypercube",
        title="Latin hypercube sampling with rank correlations",
        citation="Dandekar, Cohen & Kirkendall (2002); Iman & Conover (1982); Domingo-Ferrer, A "
        "survey of inference control methods, §4, Latin hypercube sampling",
        missing="a missing value stays missing; correlations are those of the records without "
        "missing values in the treated columns; a missing value of another column is set to the "
        "middle and has an indicator",
        kinds=(Kind.CONTINUOUS,),
        random=True,
        formula="the values of a column are F⁻¹(u₁) … F⁻¹(u_n),  u_r uniform on [(r − 1)/n, r/n]\n"
        "in an order with corr(ranks of x′) ≈ corr(ranks of x)",
        cost="n·log n time for each column and refinement, n·p² for the p terms that correlations "
        "are kept with; memory n·p",
        whole_because="since all columns are ranked together, repeatedly",
        nearest="rank-swapping",
        anew="the order of the values, and the points that are drawn",
    )

    points: int | None = param(
        default=None,
        help="the number of quantiles that describe a column's distribution, smallest and "
        "largest value included, with straight lines between them: fewer hide single values and "
        "change means and variances; all values if not given",
        at_least=2,
        trials=(None, 1000, 300, 100, 30, 10),
        monotone=True,
    )
    refinements: int = param(
        default=5, help="how often the rank correlations are refined; 0 for not at all", at_least=0
    )
    given: Columns = param(
        default=None,
        help="the columns whose correlations with the treated ones are kept; all quasi-"
        "identifiers, confidential and other columns that are not treated if not given",
    )
    round: bool = param(
        default=False, help="round the released values of columns that hold whole numbers only"
    )
    columns: Columns = param(
        default=None, help="the columns to synthesise; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with sampled values in the treated columns."""
        names = self.treated(data, self.columns)
        owner = type(self).__name__
        given = given_columns(data, self.given, data.having(*ANALYSED), names, owner)
        ranked = [c for c in map(data.column, given) if c.attribute.kind is Kind.CONTINUOUS]
        by_rank = data.replace(c.with_values(_ranks(c.values)) for c in ranked)
        ranks = np.column_stack([_ranks(data[name]) for name in names])
        model = ConditionalNormal.fit(by_rank, given, ranks, owner)
        placed, off = self._placed(model, context)
        placed[np.isnan(ranks)] = np.nan
        made = np.column_stack(
            [
                self._sampled(data.column(name), placed[:, j], context.generator(f"values {name}"))
                for j, name in enumerate(names)
            ]
        )
        note = f"rank correlations are off by {off:.1g} at most"
        return Masked(
            data.replace(columns_from(data, names, made, whole=self.round)),
            notes=(note, *notes_on_fit(model, names)),
        )

    def _placed(self, model: ConditionalNormal, context: Context) -> tuple[Numbers, float]:
        """Return scores whose ranks correlate as the original's, and how far these are off."""
        drawn = model.drawn("covariance", context.generator("scores"))
        wanted = np.column_stack([model.fitted[model.complete] + model.residuals, model.basis])
        best, least = drawn, np.inf
        steps = self.refinements + 1
        with one_thread(), context.task("refining rank correlations", steps) as advance:
            for _ in range(steps):
                ranked = np.column_stack([_ranks(column) for column in drawn.T])
                current = np.column_stack([ranked[model.complete], model.basis])
                off = float(np.abs(_correlations(current) - _correlations(wanted)).max())
                if off < least:
                    best, least = drawn, off
                drawn = ranked.copy()
                drawn[model.complete] = model.brought_back(ranked[model.complete])
                advance(1)
        return best.copy(), least

    def _sampled(self, column: Column, scores: Numbers, rng: np.random.Generator) -> Numbers:
        """Return a Latin hypercube sample of the column's values in the order of the scores."""
        from scipy.stats import qmc

        rows = np.flatnonzero(~np.isnan(scores))
        values = np.full(len(scores), np.nan)
        if len(rows):
            shares = np.sort(qmc.LatinHypercube(1, seed=rng).random(len(rows))[:, 0])
            ordered = np.sort(column.values[rows])
            known = np.linspace(0, 1, len(rows))
            if self.points is not None and self.points < len(rows):
                few = np.linspace(0, 1, self.points)
                ordered, known = np.interp(few, known, ordered), few
            order = np.argsort(scores[rows], kind="stable")
            values[rows[order]] = np.interp(shares, known, ordered)
        return values


def _ranks(values: Numbers) -> Numbers:
    """Return the ranks of the values as shares of their number, equal values at one rank."""
    ranks = np.full(len(values), np.nan)
    present = ~np.isnan(values)
    # SciPy's ranks, before 1.14, are NaN where the sum of the numbers overflows.
    _, at, counts = np.unique(values[present], return_inverse=True, return_counts=True)
    ranks[present] = (np.cumsum(counts) - (counts - 1) / 2)[at] / (present.sum() + 1)
    return ranks


def _correlations(values: Numbers) -> Numbers:
    about = values - values.mean(axis=0)
    lengths = np.sqrt((about**2).sum(axis=0))
    about = about / np.where(lengths > 0, lengths, 1.0)
    return np.asarray(about.T @ about)
