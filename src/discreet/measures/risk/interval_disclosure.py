"""Interval disclosure: the original value is close to the released one."""

from __future__ import annotations

from typing import ClassVar

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
from discreet.measures.view import decoded
from discreet.microdata import Kind, Microdata
from discreet.microdata.decoded import DecodedColumn
from discreet.models.moments import standard_deviations

Floats = NDArray[np.float64]


class IntervalDisclosure(Measure):
    """The share of original values that lie in an interval around their released value.

    An intruder who reads a released value as an interval has learned the original value if it lies
    inside. Two intervals are considered, both made from the release alone, which is all an intruder
    has:

    - by rank: from the released value p % of the records before it in order to the one p % of the
      records after it (all equal values count as one place);
    - by standard deviation: p % of the column's standard deviation to either side.

    The value is the mean over both, over p = 1 … `widest`, and over all original values present.
    A label stands at its middle, and discloses a value only in an interval that is as wide as the
    label itself. An original value that was released as missing is not disclosed; one that is
    missing itself is left out. Records drawn within groups, or from no original at all, have no
    value here.

    >>> import discreet
    >>> roles = {"age": "quasi-identifier"}
    >>> original = discreet.read({"age": [20, 40, 60]}, roles=roles)
    >>> released = discreet.read({"age": [20, 41, 90]}, roles=roles)
    >>> score = IntervalDisclosure().score(original, released, Context(), Pairing.same_order(3))
    >>> score.detail["rank"]   # 1 % of three records is none: only the first is inside
    0.333...
    >>> score.detail["sd"]     # 1 is within p % of 35.8 from p = 3 on
    0.6
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="interval-disclosure",
        title="Interval disclosure (ID)",
        citation="Domingo-Ferrer, A survey of inference control methods, Example 1.4; "
        "Mateo-Sanz, Sebé & Domingo-Ferrer (2004), Outlier protection in continuous microdata "
        "masking",
        missing="released as missing: not disclosed; missing in the original: left out",
        kinds=(Kind.CONTINUOUS, Kind.ORDINAL),
        side=Side.RISK,
        question=Question.LEARNED,
        better=Better.LOWER,
        low=0,
        high=1,
        at_identity=1,
        paired=True,
        percent=True,
        formula="ID = mean over i, j and p = 1 … widest of\n"
        "     ½ [xᵢⱼ is within p % of the ranks around x′ᵢⱼ] + ½ [|xᵢⱼ − x′ᵢⱼ| ≤ p/100 · s′ⱼ]",
        cost="n·c·log n time, and n·c for each width; memory n·c",
    )

    widest: int = param(
        default=10, help="largest half-width of the interval, in percent", at_least=1, at_most=100
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the share; per record that of its values; detail by kind, width and column."""
        names = [
            n for n in original.quasi_identifiers if original.schema[n].kind is not Kind.NOMINAL
        ]
        if not names:
            raise NotApplicable("no quasi-identifier is continuous or ordinal")
        if pairing is None:
            raise NotApplicable("it needs to know which original each released record came from")
        if pairing.groups is not None and pairing.groups.drawn:
            raise NotApplicable(
                "the records were drawn within groups, so no released value has an original of its "
                "own"
            )
        if not len(released):
            raise NotApplicable("the release has no records")
        view = decoded(original, released, names, pairing, context)
        before = _numbers(original, names)[pairing.origin]
        after = np.column_stack([view[name].expected for name in names])
        reach = np.column_stack([_reach(view[name]) for name in names])
        known = ~np.isnan(before)
        if not known.any():
            raise NotApplicable("no original value of these columns is present")

        widths = range(1, self.widest + 1)
        inside = {"rank": np.zeros(before.shape), "sd": np.zeros(before.shape)}
        by_width: dict[str, dict[str, float]] = {"rank": {}, "sd": {}}
        deviations = standard_deviations(after)
        with context.task("placing values in intervals", len(widths)) as advance:
            orders = [_Order(*column) for column in zip(after.T, reach.T, strict=True)]
            for percent in widths:
                ranked = np.column_stack(
                    [
                        order.within(values, len(values) * percent // 100)
                        for order, values in zip(orders, before.T, strict=True)
                    ]
                )
                # No comparison with a missing value is true.
                half = deviations * (percent / 100)
                near = (np.abs(before - after) <= half) & (reach <= half)
                for kind, hits in (("rank", ranked), ("sd", near)):
                    inside[kind] += hits
                    by_width[kind][f"{percent} %"] = float(hits[known].mean())
                advance(1)
        both = (inside["rank"] + inside["sd"]) / (2 * len(widths))
        present = known.sum(axis=1)
        return Score(
            float(both[known].mean()),
            per_record=both.sum(axis=1) / np.maximum(present, 1),
            detail={
                "rank": float(inside["rank"][known].mean() / len(widths)),
                "sd": float(inside["sd"][known].mean() / len(widths)),
                "by width": by_width,
                "by column": {
                    name: float(both[known[:, i], i].mean())
                    for i, name in enumerate(names)
                    if known[:, i].any()
                },
            },
        )


class _Order:
    """The released values of one column in order, and the place of each record's own.

    `reach` is how far a label goes to either side of its middle; 0 for a value.
    """

    def __init__(self, values: Floats, reach: Floats) -> None:
        self.present = ~np.isnan(values)
        self.ordered = np.sort(values[self.present])
        known = values[self.present]
        self.first = np.searchsorted(self.ordered, known, side="left")
        self.last = np.searchsorted(self.ordered, known, side="right") - 1
        # A label covers the places of all records that could lie in it.
        wide = reach[self.present]
        low = np.searchsorted(self.ordered, known - wide, side="left")
        high = np.searchsorted(self.ordered, known + wide, side="right")
        self.covered = np.where(wide > 0, high - low, 0)
        self.least, self.most = known - wide, known + wide

    def within(self, originals: Floats, places: int) -> NDArray[np.bool_]:
        """Return which originals are at most this many places from their released value."""
        disclosed = np.zeros(len(originals), dtype=bool)
        if len(self.ordered):
            last = len(self.ordered) - 1
            low = np.minimum(self.ordered[np.maximum(self.first - places, 0)], self.least)
            high = np.maximum(self.ordered[np.minimum(self.last + places, last)], self.most)
            values = originals[self.present]
            inside = (low <= values) & (values <= high)
            disclosed[self.present] = inside & (self.covered <= 2 * places + 1)
        return disclosed


def _reach(column: DecodedColumn) -> Floats:
    """Return half the width of what each record's label allows; 0 where it is a value."""
    if column.decoding is None:
        return np.zeros(len(column.unknown))
    low, high = column.decoding.hulls
    with np.errstate(invalid="ignore"):
        half = np.where(column.decoding.known, high / 2 - low / 2, 0.0)
    return np.asarray(np.append(half, 0.0)[column.values])


def _numbers(data: Microdata, names: list[str]) -> Floats:
    """Return the columns as numbers: the category's place for an ordinal one, NaN for missing."""
    columns = []
    for name in names:
        column = data.column(name)
        columns.append(np.where(column.missing, np.nan, column.values.astype(np.float64)))
    return np.column_stack(columns)
