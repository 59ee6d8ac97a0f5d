"""RSD: relative squared distance of confidential numbers to the mean of their group."""

from __future__ import annotations

from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Better,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Question,
    Score,
    Side,
    param,
)
from discreet.errors import NotApplicable
from discreet.measures.confidential import by_name, confidential_columns, groups_of
from discreet.measures.tally import Grouped
from discreet.microdata import Kind, Microdata

ROUNDING = 1e-12


class RSD(Measure):
    """The error of an intruder who knows the group, relative to that of one who knows the mean.

    RSD = (1/M) Σ_t [ Σᵢ (yᵢ − ȳ_t)² / Σᵢ (yᵢ − Ȳ)² ], the sums over the records of group t, ȳ_t
    its mean and Ȳ the mean of all; the average over the confidential columns. Near 0 the group
    gives the value away, at 1 it says nothing. A group whose values all lie at the overall mean
    has a zero denominator, is left out and counted. The groups are those that the method made,
    where they are known, otherwise the records that agree in all quasi-identifiers.

    Every group counts the same, however small. `detail` has two more readings: `by records`, where
    a group counts for as many records as it has, and `pooled`, the ratio of the sums of squares
    over all groups.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41, 41], "pay": [1, 3, 5, 7]},
    ...                      roles={"age": "quasi-identifier", "pay": "confidential"})
    >>> round(RSD().score(data, data, Context()).value, 9)   # (1 + 1) / (9 + 1) in both groups
    0.2
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="rsd",
        title="RSD: relative squared distance within groups",
        citation="Li & Sarkar, Protecting privacy against regression attacks in predictive data "
        "mining, eq. 10",
        missing="records without the confidential value are left out",
        side=Side.RISK,
        question=Question.LEARNED,
        better=Better.HIGHER,
        low=0,
        high=1,
        at_identity=None,
        percent=True,
        formula="RSD = (1/M) Σ_t [Σ_{i∈t} (yᵢ − ȳ_t)² / Σ_{i∈t} (yᵢ − Ȳ)²]",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
    )

    confidential: str | None = param(
        default=None,
        public=True,
        help="the continuous column to measure; the average over all confidential ones if not "
        "given",
    )

    @classmethod
    def example(cls) -> Self:
        """Return the measure of a column that the tables of the checks have as a number."""
        return cls(confidential="weight")

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the average over groups and columns; per record that of its own group."""
        names = confidential_columns(original, released, self.confidential, [Kind.CONTINUOUS])
        groups = groups_of(original, released, pairing, context, self.confidential)
        columns, left_out = {}, 0
        ratios, by_records, pooled = [], [], []
        for name in names:
            squares = squared_distances(released[name], groups)
            defined = ~np.isnan(squares.ratios)
            if defined.any():
                columns[name] = float(squares.ratios[defined].mean())
                left_out += int((~defined).sum())
                ratios.append(squares.ratios)
                by_records.append(
                    np.average(squares.ratios[defined], weights=squares.sizes[defined])
                )
                pooled.append(squares.within.sum() / squares.around.sum())
        if not ratios:
            raise NotApplicable("every confidential number is missing or at the overall mean")
        table = np.array(ratios)
        known = ~np.isnan(table)
        with np.errstate(invalid="ignore"):
            by_group = np.where(known, table, 0).sum(axis=0) / known.sum(axis=0)
        note = groups.words
        if left_out:
            note += f"; {left_out} left out: no values, or all at the overall mean"
        return Score(
            float(np.mean(list(columns.values()))),
            per_record=by_group.take(groups.labels),
            detail={
                "columns": columns,
                "by records": float(np.mean(by_records)),
                "pooled": float(np.mean(pooled)),
                "groups": groups.count,
                "groups left out": left_out,
            },
            note=note,
            parts=by_name(columns),
        )


class Squares(NamedTuple):
    """Of each group: Σ (y − ȳ_t)², Σ (y − Ȳ)², their ratio (NaN for 0/0) and the records."""

    within: NDArray[np.float64]
    around: NDArray[np.float64]
    ratios: NDArray[np.float64]
    sizes: NDArray[np.int64]


def squared_distances(values: NDArray[np.float64], groups: Grouped) -> Squares:
    """Return the sums of squares of each group, in units of the column's range."""
    present = ~np.isnan(values)
    labels, kept = groups.labels[present], values[present]
    sizes = np.bincount(labels, minlength=groups.count)
    none = np.zeros(groups.count)
    nothing = Squares(none, none, np.full(groups.count, np.nan), sizes)
    if not len(kept):
        return nothing
    largest = float(np.abs(kept).max())
    if largest == 0:
        return nothing
    # The ratio has no unit; values of about 1 have squares that fit.
    scaled = kept / largest
    spread = float(scaled.max() - scaled.min())
    if spread <= ROUNDING:
        return nothing
    centred = (scaled - scaled.mean()) / spread
    means = np.bincount(labels, centred, groups.count) / np.maximum(sizes, 1)
    deviations = (centred - means[labels]) ** 2
    within = np.bincount(labels, deviations, groups.count).astype(np.float64)
    # Σ (y − Ȳ)² = Σ (y − ȳ)² + n (ȳ − Ȳ)²: never less than the numerator.
    around = within + sizes * means**2
    zero = around <= sizes * ROUNDING**2
    ratios = np.full(groups.count, np.nan)
    ratios[~zero] = within[~zero] / around[~zero]
    return Squares(within, around, ratios, sizes)
