"""Higher moments: how far skewness, tails and their mixed forms are kept."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Better,
    Columns,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Question,
    Ruin,
    Score,
    Side,
    param,
)
from discreet.contracts.threads import one_thread
from discreet.errors import NotApplicable
from discreet.measures.utility.words import lost, weighted
from discreet.measures.view import decoded
from discreet.microdata import Microdata, Numbers
from discreet.microdata.weights import weights_of
from discreet.models.design_matrix import ANALYSED, centre_and_spread, standardised

ROUNDING = 1e-12
MOST_COLUMNS = 40
BLOCK = 4_096


class HigherMoments(Measure):
    """The mean relative change of the moments of order 3 and 4, mixed ones included.

    Both files are standardised by the original's means and deviations, so that a moment is the
    mean of a product of three or four columns in these units, a column being allowed to occur
    more than once. The value is the average of the two orders. A moment of zero in the original
    is left out and counted, one that the release lacks counts as a change of 100 %; since moments
    near zero make relative changes large, the mean absolute changes are in the detail.

    >>> import discreet
    >>> original = discreet.read({"x": [0, 0, 0, 4]})
    >>> released = discreet.read({"x": [0, 0, 2, 2]})
    >>> found = HigherMoments().score(original, released, Context())
    >>> found.detail["order 3"]["relative"], round(found.detail["order 4"]["relative"], 6)
    (1.0, 0.952381)
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="higher-moments",
        title="Change of third and fourth moments",
        citation="Oganian & Domingo-Ferrer (2017), §5, Table 3",
        missing="a moment is taken over the records that have all of its columns",
        random=True,
        side=Side.UTILITY,
        question=Question.PAIRS,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=0,
        at_loss=1,
        percent=True,
        formula="½ Σ_{q=3,4} mean over j₁ ≤ … ≤ j_q of |m′ − m| / |m|\n"
        "m = (1/n) Σᵢ zᵢⱼ₁ · … · zᵢⱼ_q,  z = (x − x̄)/s in both files, x̄ and s of the original",
        cost="n·c⁴ time",
        sees=(Ruin.CONSTANT, Ruin.STARRED),
        blind_to=(Ruin.CATEGORY_DROPPED,),
    )

    columns: Columns = param(
        default=None, help="the columns to take; every continuous one if not given"
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean change; detail has each order and the moments that changed most."""
        names = self._names(original)
        if not len(original) or not len(released):
            raise NotApplicable("one of the files has no records")
        view = decoded(original, released, names, pairing, context)
        old, new = weights_of(original), weights_of(released)
        scales = [centre_and_spread([original.column(name)], old) for name in names]
        before = _moments(original, names, scales, old)
        draws = [_moments(d, names, scales, new) for d in view.draws(context.generator("draws"))]
        detail: dict[str, Any] = {"columns": names}
        relative, zeros = [], 0
        for place, (order, old) in enumerate(zip((3, 4), before, strict=True)):
            used = np.isfinite(old) & (np.abs(old) > ROUNDING)
            absolute = np.mean([_changes(old[used], d[place][used]) for d in draws], axis=0)
            changes = absolute / np.abs(old[used])
            zeros += int((~used).sum())
            part: dict[str, Any] = {"moments": len(changes), "left out": int((~used).sum())}
            if len(changes):
                part["relative"] = float(changes.mean())
                part["absolute"] = float(absolute.mean())
                part["changed most"] = _most(names, order, np.flatnonzero(used), changes)
                relative.append(part["relative"])
            detail[f"order {order}"] = part
        if not relative:
            raise NotApplicable("every moment of the original is zero or does not exist")
        note = f"{zeros:,} moments left out: zero or missing" if zeros else ""
        return Score(
            float(np.mean(relative)),
            detail=detail,
            note="; ".join(filter(None, [note, lost(view), weighted(original)])),
        )

    def _names(self, original: Microdata) -> list[str]:
        names = [n for n in original.having(*ANALYSED) if original.schema[n].continuous]
        if self.columns is not None:
            names = [name for name in names if name in self.columns]
        if not names:
            raise NotApplicable("no column is continuous")
        if len(names) > MOST_COLUMNS:
            raise NotApplicable(
                f"{len(names)} continuous columns have too many mixed moments to be taken; name "
                f"at most {MOST_COLUMNS} by the parameter 'columns'"
            )
        return names


def _changes(old: Numbers, new: Numbers) -> Numbers:
    """Return the absolute changes; a moment that the release does not have is lost."""
    return np.abs(np.nan_to_num(new) - old)


def _moments(
    data: Microdata,
    names: list[str],
    scales: list[tuple[float, float]],
    weights: Numbers | None,
) -> tuple[Numbers, Numbers]:
    """Return the third and the fourth moments, each in the order of `_places`."""
    count = len(names)
    first, second = np.array(list(combinations_with_replacement(range(count), 2))).T
    place = np.zeros((count, count), dtype=np.int64)
    place[first, second] = np.arange(len(first))
    gaps = any(data.column(name).missing.any() for name in names)
    sums = [np.zeros((count, len(first))), np.zeros((len(first), len(first)))]
    counts = [np.full_like(s, 0.0 if gaps else len(data)) for s in sums]
    matrix = data.matrix(names)
    with one_thread():
        for start in range(0, len(matrix), BLOCK):
            rows = matrix[start : start + BLOCK]
            present = (~np.isnan(rows)).astype(np.float64)
            z = np.column_stack(
                [standardised(values, scale) for values, scale in zip(rows.T, scales, strict=True)]
            )
            pairs = z[:, first] * z[:, second]
            weighted_pairs = pairs
            if weights is not None:
                weighted_pairs = pairs * weights[start : start + BLOCK, None]
            sums[0] += z.T @ weighted_pairs
            sums[1] += pairs.T @ weighted_pairs
            if gaps:
                both = present[:, first] * present[:, second]
                counted = both
                if weights is not None:
                    counted = both * weights[start : start + BLOCK, None]
                counts[0] += present.T @ counted
                counts[1] += both.T @ counted
    with np.errstate(invalid="ignore", divide="ignore"):
        third, fourth = (s / c for s, c in zip(sums, counts, strict=True))
    a, b, c = _places(count, 3)
    thirds = third[a, place[b, c]]
    a, b, c, d = _places(count, 4)
    return thirds, fourth[place[a, b], place[c, d]]


def _places(count: int, order: int) -> NDArray[np.int64]:
    return np.array(list(combinations_with_replacement(range(count), order))).T


def _most(
    names: list[str], order: int, used: NDArray[np.int64], changes: Numbers
) -> dict[str, float]:
    """Return the five moments that changed most, by the columns that they are of."""
    places = _places(len(names), order).T
    largest = np.argsort(-changes, kind="stable")[:5]
    return {" × ".join(names[i] for i in places[used[at]]): float(changes[at]) for at in largest}
