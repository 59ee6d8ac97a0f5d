"""Data shuffling: the original values, in the order of values drawn from a model."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import Columns, Context, Masked, Method, Spec, param
from discreet.methods.perturbative.nonlinear_noise import by_rank, normal_quantiles
from discreet.microdata import Column, Kind, Microdata, Numbers, Role
from discreet.microdata.ranks import ranked
from discreet.models.conditional_normal import ConditionalNormal, given_columns, notes_on_fit


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
    >>> made = DataShuffling().protect(data, Context()).data
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
        whole_because="since values are handed out among all records in a new order",
        nearest="rank-swapping",
        anew="the distribution of each column, and correlations of ranks",
    )

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
        names, owner = self.treated(data, self.columns), type(self).__name__
        given = given_columns(data, self.given, data.having(Role.CONFIDENTIAL), names, owner)
        ties = context.generator("ties")
        columns = [data.column(name) for name in names]
        ranks = [ranked(column, ties) for column in columns]
        scores = np.column_stack(
            [_scored(column, rows) for column, rows in zip(columns, ranks, strict=True)]
        )
        numbers = [data.column(name) for name in given if data.schema[name].continuous]
        scored = data.replace(
            column.with_values(_scored(column, ranked(column, ties))) for column in numbers
        )
        model = ConditionalNormal.fit(scored, given, scores, owner)
        drawn = model.drawn("nothing", context.generator("scores"))
        released = map(by_rank, columns, ranks, drawn.T)
        notes = notes_on_fit(model, names)
        if not given:
            notes.append(
                "there is no column that the new order could depend on: relations with the columns "
                "that are not treated are lost"
            )
        return Masked(data.replace(released), notes=tuple(notes))


def _scored(column: Column, rows: np.ndarray) -> Numbers:
    """Return the normal scores of a column whose rows are given in the order of their values.

    Equal values share the mean of theirs; a constant column has zeros.
    """
    scores = np.full(len(column.values), np.nan)
    quantiles = normal_quantiles(len(rows))
    _, block = np.unique(column.values[rows], return_inverse=True)
    means = np.bincount(block, quantiles) / np.bincount(block) if len(rows) else np.empty(0)
    scores[rows] = means[block] if len(means) > 1 else 0.0
    return scores
