"""Distributions of a column: original beside released, and released alone.

They are separate because the released one goes into the public report: its bins and categories come
from the released values alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.microdata import Column, Kind
from discreet.microdata.intervals import round_edges
from discreet.report.binning import quantiles, shares, spread
from discreet.report.content import BothQuantiles, BothRests, ComparedBars, ComparedHistogram
from discreet.report.public_form import Bars, Histogram, NotDrawn, Quantiles, Rest

CATEGORIES = 12
FEW_VALUES = 20
"""With fewer values the public report shows no distribution: it would amount to listing them."""
FEW_RECORDS = 5
"""The public report names no category with fewer records than this."""
COVERED = 0.2
PICTURES = 100
TOO_MANY = NotDrawn(f"only the first {PICTURES} columns are shown")
TOO_FAR_APART = NotDrawn("the values are too far apart for one axis")
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, eq=False)
class Summary:
    """A column in brief: the number of values, how many differ, and the data for pictures.

    `ordered` are the sorted finite values of a continuous column, `counts` the records of each
    category of another; `dates` is the unit of dates, which count since 1970.
    """

    column: Column
    missing: float
    distinct: int
    ordered: NDArray[np.float64]
    counts: NDArray[np.int64]
    dates: str = ""

    @classmethod
    def of(cls, column: Column, dates: str | None = None) -> Summary:
        """Summarise a column, sorting its values once for all uses."""
        rows = len(column.values)
        gone = column.missing
        missing = float(gone.mean()) if rows else 0.0
        if not column.attribute.continuous:
            size = len(column.attribute.categories)
            counts = np.bincount(column.values[~gone], minlength=size).astype(np.int64)
            return cls(column, missing, int((counts > 0).sum()), np.zeros(0), counts)
        ordered = np.sort(column.values[~gone])
        distinct = int((ordered[1:] != ordered[:-1]).sum()) + 1 if len(ordered) else 0
        finite = ordered[np.isfinite(ordered)]
        return cls(column, missing, distinct, finite, np.zeros(0, dtype=np.int64), dates or "")

    @property
    def shares(self) -> NDArray[np.float64]:
        """The share of each category among the values present."""
        return np.asarray(self.counts / max(1, int(self.counts.sum())))

    @property
    def whole(self) -> bool:
        """Whether all values are whole numbers."""
        return bool(np.array_equal(self.ordered, np.rint(self.ordered)))


def compared(original: Summary, released: Summary) -> ComparedHistogram | ComparedBars | NotDrawn:
    """Return the distribution of a column before and after, on common bins or categories."""
    before, after = original.column.attribute, released.column.attribute
    if before.continuous != after.continuous:
        return NotDrawn(f"it was {before.kind} and was released as {after.kind}")
    if before.continuous:
        return _compared_numbers(original, released)
    return _compared_categories(original, released)


def alone(released: Summary) -> Histogram | Bars | NotDrawn:
    """Return the distribution of a released column as its readers may see it.

    Extremes stay off the axis, bins end at round numbers, and rare categories are merged, so that
    a column that was released unchanged shows no more of its outliers than the file itself does.
    """
    attribute = released.column.attribute
    if attribute.continuous:
        if len(released.ordered) < FEW_VALUES:
            return NotDrawn(f"fewer than {FEW_VALUES} values")
        area = spread(released.ordered)
        edges = round_edges(*area, whole=released.whole) if area else None
        if edges is None:
            return TOO_FAR_APART
        quartiles = Quantiles(_quantiles(released.ordered, (0.25, 0.5, 0.75)))
        binned = shares(released.ordered, edges)
        return Histogram(
            dates=released.dates, edges=tuple(edges), released=binned, quantiles=quartiles
        )
    frequent = np.flatnonzero(released.counts >= FEW_RECORDS)
    if int(released.counts.sum()) < FEW_VALUES or not len(frequent):
        return NotDrawn("no category is frequent enough to be shown")
    kept = frequent[np.argsort(-released.counts[frequent], kind="stable")][:CATEGORIES]
    if float(released.shares[kept].sum()) < COVERED:
        return NotDrawn(f"{released.distinct:,} categories, none of them large")
    if attribute.kind is Kind.ORDINAL:
        kept = np.sort(kept)
    return Bars(
        labels=tuple(attribute.label_of(attribute.categories[i]) for i in kept),
        released=_rounded(released.shares[kept]),
        rest=Rest(released.distinct - len(kept), _rest(released.shares, kept)),
    )


def _compared_numbers(original: Summary, released: Summary) -> ComparedHistogram | NotDrawn:
    areas = [area for side in (original, released) if (area := spread(side.ordered))]
    if not areas:
        return NotDrawn("it has no values")
    whole = original.whole and released.whole
    edges = round_edges(min(a[0] for a in areas), max(a[1] for a in areas), whole=whole)
    if edges is None:
        return TOO_FAR_APART
    at = (0.0, *QUANTILES, 1.0)
    return ComparedHistogram(
        dates=original.dates,
        edges=tuple(edges),
        original=shares(original.ordered, edges),
        released=shares(released.ordered, edges),
        quantiles=BothQuantiles(_quantiles(released.ordered, at), _quantiles(original.ordered, at)),
    )


def _compared_categories(original: Summary, released: Summary) -> ComparedBars | NotDrawn:
    many = NotDrawn(f"{original.distinct:,} categories, none of them large")
    if 0 < _largest(original.shares) + _largest(released.shares) < COVERED:
        return many
    before = original.column.attribute.categories
    label_of = {str(category): original.column.attribute.label_of(category) for category in before}
    after = released.column.attribute.categories
    counts = released.counts
    if after != before:
        # Both share one list: the original's categories, then the new ones.
        place = {str(category): i for i, category in enumerate(before)}
        after_places = [place.setdefault(str(category), len(place)) for category in after]
        labels: tuple[Any, ...] = tuple(place)
        counts = np.zeros(len(labels), dtype=np.int64)
        np.add.at(counts, np.asarray(after_places, dtype=np.int64), released.counts)
    else:
        labels = before
    old = np.zeros(len(labels))
    old[: len(original.shares)] = original.shares
    new = counts / max(1, int(counts.sum()))
    larger = np.maximum(old, new)
    kept = np.argsort(-larger, kind="stable")[:CATEGORIES]
    kept = kept[larger[kept] > 0]
    if not len(kept):
        return NotDrawn("it has no values")
    if float(larger[kept].sum()) < COVERED:
        return many
    if released.column.attribute.kind is Kind.ORDINAL:
        kept = np.sort(kept)
    others = int((larger > 0).sum()) - len(kept)
    return ComparedBars(
        labels=tuple(label_of.get(str(labels[i]), str(labels[i])) for i in kept),
        original=_rounded(old[kept]),
        released=_rounded(new[kept]),
        rest=BothRests(others, _rest(new, kept), _rest(old, kept)),
    )


def _quantiles(ordered: NDArray[np.float64], at: tuple[float, ...]) -> dict[str, float]:
    values = quantiles(ordered, at).tolist() if len(ordered) else []
    return {f"{100 * share:g}": value for share, value in zip(at, values, strict=False)}


def _largest(values: NDArray[np.float64]) -> float:
    """Return the sum of the largest shares, as many as there could be bars."""
    return float(np.sort(values)[-CATEGORIES:].sum())


def _rounded(values: NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(round(float(value), 9) for value in values)


def _rest(values: NDArray[np.float64], kept: NDArray[np.int64]) -> float:
    return max(0.0, round(float(values.sum() - values[kept].sum()), 9))
