"""Data shuffling: the original values, in the order of values drawn from a model."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar

import numpy as np

from discreet.contracts import Columns, Context, InOrder, Masked, Method, Needs, Spec, param
from discreet.contracts.rearranging import (
    PIECE,
    Rearranged,
    Sortable,
    SortableTable,
    as_number,
    runs,
)
from discreet.microdata import Kind, Microdata, Numbers, Role
from discreet.models.conditional_normal import (
    ConditionalNormal,
    drawn_scores,
    given_columns,
    notes_on_fit,
)


class DataShuffling(Method):
    """Draws ranks from the other columns, and hands the original values out in that order.

    Columns are turned into normal scores by their ranks. New scores of the treated columns are
    drawn from their normal distribution given the other columns; the r-th value of a column then
    goes to the record with the r-th drawn score. A released value depends on the record's own
    value only through the columns that are given, so that an intruder who knows these learns
    nothing more. Each column keeps its values, the largest and smallest too, and monotone
    relations between columns are kept as far as one correlation expresses them; others are lost.
    The correlations are those of normal scores, which always form a correlation matrix; the paper's
    2·sin(πr/6) of rank correlations r has the same limit.

    >>> import discreet
    >>> rng = np.random.default_rng(1)
    >>> ill = rng.normal(size=500)
    >>> data = discreet.read({"pay": np.exp(ill + rng.normal(size=500)), "ill": ill},
    ...                      roles={"pay": "quasi-identifier", "ill": "confidential"})
    >>> made = discreet.protect(data, DataShuffling(), seed=1).data
    >>> sorted(made["pay"].tolist()) == sorted(data["pay"].tolist())
    True
    >>> bool(0.6 < np.corrcoef(np.log(made["pay"]), made["ill"])[0, 1] < 0.8)
    True
    """

    spec: ClassVar[Spec] = Spec(
        name="data-shuffling",
        title="Data shuffling",
        citation="Muralidhar & Sarathy (2006), Data shuffling: a new masking approach for "
        "numerical data",
        missing="a missing value stays missing and is not ranked; a missing one of the columns "
        "that are given is set to the mean and has an indicator",
        kinds=(Kind.CONTINUOUS, Kind.ORDINAL),
        random=True,
        formula="x* = Φ⁻¹((rank(x) − ½)/n),  s* alike\n"
        "y* ~ N(Σ_xs Σ_ss⁻¹ s*, Σ_xx − Σ_xs Σ_ss⁻¹ Σ_sx),  rank(x′) = rank(y*)",
        cost="n·log n time for each column, n·p² for the p terms that are regressed on",
        needs=Needs.ORDER,
        anew="the distribution of each column, and correlations of ranks",
    )

    by_ranks: ClassVar[bool] = True

    given: Columns = param(
        default=None,
        help="the columns on which the new order depends, which are released as they are; all "
        "confidential columns if not given",
    )
    columns: Columns = param(
        default=None, help="the columns to treat; all quasi-identifiers if not given"
    )

    def protect(self, data: Microdata, context: Context) -> Masked:
        """Return the table with the values of the treated columns on other records."""
        made = self.rearranged(SortableTable(data), context)
        assert isinstance(made.file, SortableTable)
        return Masked(made.file.data, notes=made.notes)

    def rearranged(self, file: Sortable, context: Context) -> Rearranged:
        """Draw scores, and hand the values of each column out in their order."""
        head, owner = file.head, type(self).__name__
        names = self.treated(head, self.columns)
        given = given_columns(head, self.given, head.having(Role.CONFIDENTIAL), names, owner)
        scores = file
        for name in [*(n for n in given if head.schema[n].continuous), *names]:
            order = scores.in_order(name)
            scores = scores.handed_out(order, _scores(order), as_number(order.attribute))
        model = ConditionalNormal.fit(scores, given, names, owner)
        residuals = model.residuals("nothing", scores, context, "scores")
        drawn = scores.made(model.columns, partial(drawn_scores, residuals, context))
        made = file
        for name in names:
            values = file.in_order(name).values
            pieces = (values[at : at + PIECE] for at in range(0, len(values), PIECE))
            made = made.handed_out(drawn.in_order(name), pieces, head.schema[name])
        notes = notes_on_fit(model, names)
        if not given:
            notes.append(
                "there is no column that the new order could depend on: relations with the columns "
                "that are not treated are lost"
            )
        return Rearranged(made, names, tuple(notes))


def _scores(order: InOrder) -> Iterator[Numbers]:
    """Yield the normal scores Φ⁻¹((r − ½)/n) of values in order.

    Equal values share the mean of theirs; a constant column has zeros.
    """
    from scipy.special import ndtri

    count, total = len(order), 0.0
    if not count:
        return
    sums = order.room(count + 1, np.float64)
    sums[0] = 0.0
    for first in range(0, count, PIECE):
        rows = np.arange(first, min(first + PIECE, count))
        sums[rows + 1] = total + np.cumsum(ndtri((rows + 0.5) / count))
        total = float(sums[rows[-1] + 1])
    constant = order.values[0] == order.values[-1]
    for left, right in runs(order):
        yield np.zeros(len(left)) if constant else (sums[right] - sums[left]) / (right - left)
