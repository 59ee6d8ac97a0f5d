"""IL: the information loss of the survey's Example 1.4, in percent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Better,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Question,
    Ruin,
    Score,
    Side,
    known_pairing,
)
from discreet.errors import NotApplicable
from discreet.measures.utility.file_moments import largest, of_draws, of_original
from discreet.measures.utility.words import lost, weighted
from discreet.measures.view import decoded
from discreet.microdata import Microdata, Numbers
from discreet.microdata.decoded import Decoded
from discreet.microdata.weights import weights_of
from discreet.models.moments import correlations, covariance, means

ROUNDING = 1e-12
MOMENTS = means, covariance, correlations


class InformationLoss(Measure):
    """100 times the average of five changes of the continuous quasi-identifiers.

    The five are the mean relative change of the values, of the means, of the covariances (variances
    among them), of the variances, and the mean absolute change of the correlations. A zero in a
    denominator is left out and counted. A part that does not exist, such as the correlations of a
    single column, is left out of the average, and the note says so. What only the release lacks,
    such as the variance of a column that it says nothing about, counts as changed completely.
    Changes and moments count records by their weights.

    >>> import discreet
    >>> roles = {"x": "quasi-identifier", "y": "quasi-identifier"}
    >>> original = discreet.read({"x": [1, 2, 3], "y": [1, 2, 3]}, roles=roles)
    >>> released = discreet.read({"x": [1, 2, 3], "y": [1, 3, 2]}, roles=roles)
    >>> found = InformationLoss().score(original, released, Context(), Pairing.same_order(3))
    >>> {part: round(value, 6) for part, value in found.detail["terms"].items()}
    {'values': 0.138889, 'means': 0.0, 'covariances': 0.166667, 'variances': 0.0,
     'correlations': 0.5}
    >>> round(found.value, 4)
    16.1111
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="information-loss",
        title="Information loss IL, in percent",
        citation="Domingo-Ferrer, A survey of inference control methods, Example 1.4; "
        "Domingo-Ferrer & Torra (2001)",
        missing="statistics are taken over the values present, changes of values where both are",
        random=True,
        side=Side.UTILITY,
        question=Question.COLUMNS,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=0,
        on_all_cores=True,
        paired=True,
        formula="IL = 100/5 · (mean |x′ᵢⱼ − xᵢⱼ|/|xᵢⱼ| + mean |x̄′ⱼ − x̄ⱼ|/|x̄ⱼ|\n"
        "            + mean_{j≤l} |v′ⱼₗ − vⱼₗ|/|vⱼₗ| + mean |v′ⱼⱼ − vⱼⱼ|/vⱼⱼ\n"
        "            + mean_{j<l} |r′ⱼₗ − rⱼₗ|)",
        cost="n·c² time",
        sees=(Ruin.STARRED,),
        blind_to=(Ruin.CATEGORY_DROPPED,),
    )

    # Relative changes of the smallest numbers there are go beyond the largest.
    @np.errstate(over="ignore")
    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return IL; per record 100 times the mean relative change of its values."""
        names = [n for n in original.quasi_identifiers if original.schema[n].continuous]
        if not names:
            raise NotApplicable("no quasi-identifier is continuous")
        pairing = known_pairing(pairing)
        if len(original) < 2 or len(released) < 2:
            raise NotApplicable("it needs at least two records")
        view = decoded(original, released, names, pairing, context)
        before = original.matrix(names)
        zeros: dict[str, int] = {}
        old = weights_of(original)
        centres = of_original(original, names, means, context)
        changes, compared = _values(before, view, pairing.origin, zeros, centres)
        per_record = 100 * changes.sum(axis=1) / np.maximum(compared.sum(axis=1), 1)
        # A record's changes count as often as the record did.
        w = np.ones(len(released)) if old is None else old[pairing.origin]
        changed, counts = w @ changes, w @ compared
        terms = {"values": float(changed.sum() / counts.sum()) if counts.any() else np.nan}
        of_file = [of_original(original, names, statistic, context) for statistic in MOMENTS]
        size = of_original(original, names, largest, context)
        moments = [
            _moments(of_file, of_draw, size, zeros)
            for of_draw in of_draws(view, released, MOMENTS, context)
        ]
        for part in moments[0]:
            terms[part] = float(np.mean([draw[part] for draw in moments]))
        # Without any records there are no means and no correlations, and nothing varies.
        nothing = [np.nan * of_file[0], 0 * of_file[1], np.nan * of_file[2]]
        at_loss = _moments(of_file, nothing, size, {}) | {"values": _at_means(before, centres, old)}
        absent = [part for part, value in terms.items() if np.isnan(value)]
        present = [value for value in terms.values() if not np.isnan(value)]
        if not present:
            raise NotApplicable("every denominator is zero or missing")
        return Score(
            100 * float(np.mean(present)),
            per_record=per_record,
            detail={
                "terms": {part: terms[part] for part in terms if part not in absent},
                "zero denominators": zeros,
                "columns": names,
            },
            note="; ".join(filter(None, [_note(zeros, absent), lost(view), weighted(original)])),
            parts={
                (name,): 100 * float(changed[j] / counts[j])
                for j, name in enumerate(names)
                if counts[j] > 0
            },
            at_loss=100 * float(np.mean([at_loss[part] for part in terms if part not in absent])),
        )


def _values(
    before: Numbers,
    view: Decoded,
    origin: NDArray[np.int64],
    zeros: dict[str, int],
    centres: Numbers,
) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return the relative change of each value, and which have one.

    A label is at the middle of what it stands for; where nothing is known, at the mean.
    """
    x = before[origin]
    y = np.column_stack([view[name].expected for name in view.names])
    for j, name in enumerate(view.names):
        y[view[name].unknown, j] = centres[j]
    compared = ~(np.isnan(x) | np.isnan(y))
    zeros["values"] = int((compared & (x == 0)).sum())
    compared &= x != 0
    with np.errstate(all="ignore"):
        changes = np.where(compared, np.abs((y - x) / x), 0.0)
    return changes, compared


def _at_means(values: Numbers, centres: Numbers, weights: Numbers | None) -> float:
    """Return the mean relative change of the values if all became the means."""
    known = ~np.isnan(values) & (values != 0)
    with np.errstate(all="ignore"):
        changes = np.where(known, np.abs((centres - values) / values), 0.0)
    w = np.ones(len(values)) if weights is None else weights
    counts = float((w @ known).sum())
    return float((w @ changes).sum()) / counts if counts else 0.0


def _moments(
    before: Sequence[Numbers], after: Sequence[Numbers], size: Numbers, zeros: dict[str, int]
) -> dict[str, float]:
    """Return the four changes of moments; what only the release lacks is completely lost."""
    terms: dict[str, float] = {}
    centres, covariances, correlated = zip(before, after, strict=True)
    deviations = np.sqrt(np.maximum(np.diag(covariances[0]), 0))
    # A deviation this small relative to the values is zero up to rounding.
    flat = deviations <= ROUNDING * size
    triangle = np.triu_indices(len(size))
    zero = ROUNDING * np.outer(deviations, deviations)[triangle] + 0.0
    zero[flat[triangle[0]] | flat[triangle[1]]] = np.inf
    parts: dict[str, tuple[Any, Any, Any]] = {
        "means": (*centres, ROUNDING * size),
        "covariances": (covariances[0][triangle], covariances[1][triangle], zero),
        "variances": (
            np.diag(covariances[0]),
            np.diag(covariances[1]),
            np.where(flat, np.inf, 0.0),
        ),
    }
    for part, (old, new, least) in parts.items():
        used = ~np.isnan(old) & (np.abs(old) > least)
        zeros[part] = int((~np.isnan(old) & ~used).sum())
        with np.errstate(over="ignore"):
            changes = np.abs((new[used] - old[used]) / old[used])
        changes = np.where(np.isnan(new[used]), 1.0, changes)
        terms[part] = float(changes.mean()) if len(changes) else np.nan
    pairs = np.triu_indices(len(size), 1)
    changes = np.abs(np.nan_to_num(correlated[1][pairs]) - correlated[0][pairs])
    changes = changes[~np.isnan(changes)]
    terms["correlations"] = float(changes.mean()) if len(changes) else np.nan
    return terms


def _note(zeros: dict[str, int], absent: list[str]) -> str:
    notes = []
    counted = [f"{count:,} of the {part}" for part, count in zeros.items() if count]
    if counted:
        notes.append(f"left out for a zero denominator: {', '.join(counted)}")
    if absent:
        notes.append(f"average of the parts that exist; there are no {', '.join(absent)}")
    return "; ".join(notes)
