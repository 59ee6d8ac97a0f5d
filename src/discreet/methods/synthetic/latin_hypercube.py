"""Latin hypercube sampling with rank-correlation refinement."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar

import numpy as np

from discreet.contracts import (
    STRETCH,
    Columns,
    Context,
    InOrder,
    Masked,
    Method,
    Needs,
    Spec,
    in_stretches,
    param,
    whole_columns,
)
from discreet.contracts.rearranging import Rearranged, Sortable, SortableTable, with_ranks
from discreet.microdata import Column, Kind, Microdata, Numbers
from discreet.microdata.numeric_coding import numbers_rounded, rounded_to_whole
from discreet.models.conditional_normal import (
    ConditionalNormal,
    Residuals,
    complete_rows,
    drawn_scores,
    given_columns,
    notes_on_fit,
)
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
        "are kept with; memory n·c",
        needs=Needs.ORDER,
        anew="the order of the values, and the points that are drawn",
    )

    by_ranks: ClassVar[bool] = True

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
        default=5,
        help="how often the rank correlations are refined; 0 means not at all",
        at_least=0,
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
        made = self.rearranged(SortableTable(data), context)
        assert isinstance(made.file, SortableTable)
        return Masked(made.file.data, notes=made.notes)

    def rearranged(self, file: Sortable, context: Context) -> Rearranged:
        """Sample the values of each column, and hand them out in the order of drawn scores."""
        head, owner = file.head, type(self).__name__
        names = self.treated(head, self.columns)
        given = given_columns(head, self.given, head.having(*ANALYSED), names, owner)
        ranks = file
        for name in [*(n for n in given if head.schema[n].continuous), *names]:
            ranks = with_ranks(ranks, name)
        model = ConditionalNormal.fit(ranks, given, names, owner)
        scores, off = self._placed(model, ranks, context)
        whole = whole_columns(file, names) if self.round else None
        made = file
        for name in names:
            values = self._sampled(file.in_order(name), context.within(name))
            rounded = (rounded_to_whole(head, name, piece, whole) for piece in values)
            made = made.handed_out(scores.in_order(name), rounded, head.schema[name])
        note = f"rank correlations are off by {off:.1g} at most"
        return Rearranged(made, names, (note, *notes_on_fit(model, names)))

    def _placed(
        self, model: ConditionalNormal, ranks: Sortable, context: Context
    ) -> tuple[Sortable, float]:
        """Return scores whose ranks correlate as the original's, and how far these are off."""
        residuals = model.residuals("covariance", ranks, context, "scores")
        drawn = ranks.made(model.columns, partial(drawn_scores, residuals, context))
        best, least = drawn, np.inf
        steps = self.refinements + 1
        with context.task("refining rank correlations", steps) as advance:
            for step in range(steps):
                ranked = drawn
                for name in model.names:
                    ranked = with_ranks(ranked, name)
                turned = model.turned(partial(_with_ranks_as_draws, ranked, model), exact=True)
                assert turned.explained is not None
                apart = turned.explained.correlations - model.linear.correlations
                off = float(np.abs(apart).max())
                if off < least:
                    if best is not drawn:
                        best.forget(model.names)
                    best, least = drawn, off
                if step + 1 < steps:
                    after = ranked.made(model.columns, partial(_brought_back, turned))
                    if best is not drawn:
                        drawn.forget(model.names)
                    drawn = after
                ranked.forget(model.names)
                advance(1)
        return best, least

    def _sampled(self, column: InOrder, context: Context) -> Iterator[Numbers]:
        """Yield a Latin hypercube sample of the column's values in order, piece by piece."""
        count = len(column)
        few = self.points is not None and self.points < count
        at = np.linspace(0, count - 1, self.points or 0) if few else np.empty(0)
        below = np.floor(at).astype(np.int64)
        above = np.minimum(below + 1, count - 1)
        low, high = column.values[below], column.values[above]
        known = low + (at - below) * (high - low)
        for first in range(0, count, STRETCH):
            rows = min(STRETCH, count - first)
            uniform = in_stretches(context, "values", first, rows, lambda rng, n: rng.random(n))
            shares = (np.arange(first, first + rows) + uniform) / count
            places = shares * (count - 1)
            if few:
                yield np.interp(places, at, known)
                continue
            start, stop = int(places[0]), min(int(places[-1]) + 2, count)
            yield np.interp(places, np.arange(start, stop), column.values[start:stop])


def _with_ranks_as_draws(
    ranked: Sortable, model: ConditionalNormal
) -> Iterator[tuple[Microdata, Numbers]]:
    return ((rows, rows.matrix(model.names)) for rows in ranked.pieces(model.columns))


def _brought_back(residuals: Residuals, rows: Microdata, first: int) -> list[Column]:
    """Return ranks changed to correlate as the original's; those of incomplete records stay."""
    names = residuals.model.names
    ranks = rows.matrix(names)
    made = np.where(complete_rows(ranks)[:, None], residuals.of_draws(rows, ranks), ranks)
    return numbers_rounded(rows, names, made, None)
