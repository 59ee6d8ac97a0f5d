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
    known_pairing,
    param,
)
from discreet.errors import NotApplicable
from discreet.measures.view import decoded
from discreet.microdata import Column, Kind, Microdata
from discreet.microdata.ascending import ascending, runs
from discreet.microdata.decoded import DecodedColumn
from discreet.microdata.equivalence import coded
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
    The survey speaks of records: `detail` has the share of records whose values *all* lie in their
    intervals beside it, as `records`, and the note states it.

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
        pairing = known_pairing(pairing)
        if pairing.groups is not None and pairing.groups.drawn:
            raise NotApplicable(
                "the records were drawn within groups, so no released value has an original of its "
                "own"
            )
        if not len(released):
            raise NotApplicable("the release has no records")
        view = decoded(original, released, names, pairing, context)
        widths = range(1, self.widest + 1)
        shape = len(released), len(names)
        known = np.empty(shape, dtype=bool)
        inside = {"rank": np.empty(shape, np.int16), "sd": np.empty(shape, np.int16)}
        places = np.array([len(released) * percent // 100 for percent in widths])
        with context.task("placing values in intervals", len(names)) as advance:
            for j, name in enumerate(names):
                before = _numbers(original.column(name))[pairing.origin]
                after, reach = view[name].expected, _reach(view[name])
                known[:, j] = ~np.isnan(before)
                halves = standard_deviations(after[:, None]) * (np.array(widths) / 100)
                # No comparison with a missing value is true.
                farthest = np.maximum(np.abs(before - after), reach)
                inside["rank"][:, j] = _widths_from(places, _places_needed(after, reach, before))
                inside["sd"][:, j] = _widths_from(halves, farthest)
                advance(1)
        if not known.any():
            raise NotApplicable("no original value of these columns is present")
        by_width = {
            kind: {
                f"{percent} %": float((hits >= len(widths) - i)[known].mean())
                for i, percent in enumerate(widths)
            }
            for kind, hits in inside.items()
        }
        both = (inside["rank"] + inside["sd"]) / (2 * len(widths))
        present = known.sum(axis=1)
        # A record lies in its intervals from the width on that its farthest value needs.
        whole = [np.where(known, hits, len(widths)).min(axis=1) for hits in inside.values()]
        records = float((np.sum(whole, axis=0)[present > 0] / (2 * len(widths))).mean())
        return Score(
            float(both[known].mean()),
            per_record=both.sum(axis=1) / np.maximum(present, 1),
            detail={
                "values": float(both[known].mean()),
                "records": records,
                "rank": float(inside["rank"][known].mean() / len(widths)),
                "sd": float(inside["sd"][known].mean() / len(widths)),
                "by width": by_width,
                "by column": {
                    name: float(both[known[:, i], i].mean())
                    for i, name in enumerate(names)
                    if known[:, i].any()
                },
            },
            note=f"of values; of records with all their values inside {records:.1%}",
        )


def _widths_from(widths: NDArray[np.generic], needed: Floats) -> NDArray[np.int64]:
    """Return how many of the widths, in rising order, are at least as large; NaN needs too much."""
    return len(widths) - np.searchsorted(widths, needed, side="left")


def _places_needed(released: Floats, reach: Floats, originals: Floats) -> Floats:
    """Return how many places from its released value each original lies; NaN if beyond all.

    All equal released values count as one place. `reach` is how far a label goes to either side of
    its middle, 0 for a value: what lies in a label is at no distance from it, but the label covers
    the places of all records that could lie in it.
    """
    rows = np.flatnonzero(~(np.isnan(released) | np.isnan(originals)))
    # In the order of released values, each search ends close to where the previous one ended.
    rows = rows[ascending(released[rows])]
    masked, wide, values = released[rows], reach[rows], originals[rows]
    present = ~np.isnan(released)
    if np.count_nonzero(present) == len(rows):
        ordered, (first, last) = masked, runs(masked)
    else:
        ordered = np.sort(released[present])
        first, last = (np.searchsorted(ordered, masked, side) for side in ("left", "right"))
    # Each different value is searched for once, in order.
    codes, distinct = coded(values)
    at_least, at_most = (
        np.searchsorted(ordered, distinct, side)[codes] for side in ("left", "right")
    )
    down, up = (np.maximum(gap, 0.0) for gap in (first + 1 - at_most, at_least + 1 - last))
    down[at_most == 0] = np.nan
    up[at_least == len(ordered)] = np.nan
    down[masked - wide <= values] = 0
    up[masked + wide >= values] = 0
    needed = np.full(len(released), np.nan)
    needed[rows] = np.maximum(down, up)
    if wide.any():
        covered = np.searchsorted(ordered, masked + wide, "right")
        covered -= np.searchsorted(ordered, masked - wide, "left")
        needed[rows] = np.maximum(needed[rows], np.where(wide > 0, covered // 2, 0))
    return needed


def _reach(column: DecodedColumn) -> Floats:
    """Return half the width of what each record's label allows; 0 where it is a value."""
    if column.decoding is None:
        return np.zeros(len(column.unknown))
    low, high = column.decoding.hulls
    with np.errstate(invalid="ignore"):
        half = np.where(column.decoding.known, high / 2 - low / 2, 0.0)
    return np.asarray(np.append(half, 0.0)[column.values])


def _numbers(column: Column) -> Floats:
    """Return a column as numbers: the category's place for an ordinal one, NaN for missing."""
    return np.where(column.missing, np.nan, column.values.astype(np.float64))
