"""IL1s: absolute change of numbers in units of their standard deviation."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

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
from discreet.measures.utility.words import lost, weighted
from discreet.measures.view import decoded
from discreet.microdata import Microdata, Numbers
from discreet.microdata.weights import weights_of
from discreet.models.moments import covariance, means

ROUNDING = 1e-12


class IL1s(Measure):
    """The mean absolute change of the continuous quasi-identifiers, over √2 standard deviations.

    Relative changes, as in IL, explode where a value is near zero; the standard deviation of the
    column does not. A label counts as the middle of what it stands for; where nothing is known, the
    mean of the column counts. Values that are missing in the original are left out, and so are
    constant columns. sdcMicro's manual divides by √2 standard deviations, as here.

    >>> import discreet
    >>> roles = {"x": "quasi-identifier"}
    >>> original = discreet.read({"x": [1, 3, 1, 3]}, roles=roles)
    >>> released = discreet.read({"x": [2, 2, 2, 2]}, roles=roles)
    >>> found = IL1s().score(original, released, Context(), Pairing.same_order(4))
    >>> round(found.value, 4)    # 1 / (√2 · √(4/3))
    0.6124
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="il1s",
        title="IL1s: absolute change over √2 standard deviations",
        citation="Yancey, Winkler & Creecy (2002), Disclosure risk assessment in perturbative "
        "microdata protection; Mateo-Sanz, Sebé & Domingo-Ferrer (2004), Outlier protection in "
        "continuous microdata masking; sdcMicro's dUtility",
        missing="a missing value of the original is left out; a suppressed one is at the mean",
        side=Side.UTILITY,
        question=Question.COLUMNS,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=0,
        paired=True,
        default=False,
        formula="IL1s = 1/(n·c) Σᵢ Σⱼ |x′ᵢⱼ − xᵢⱼ| / (√2 sⱼ)",
        cost="n·c time",
        sees=tuple(ruin for ruin in Ruin if ruin is not Ruin.CATEGORY_DROPPED),
        blind_to=(Ruin.CATEGORY_DROPPED,),
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean; per record that of its own values, and parts by column."""
        names = [n for n in original.quasi_identifiers if original.schema[n].continuous]
        if not names:
            raise NotApplicable("no quasi-identifier is continuous")
        pairing = known_pairing(pairing)
        if len(original) < 2 or not len(released):
            raise NotApplicable("it needs at least two records")
        view = decoded(original, released, names, pairing, context)
        weights = weights_of(original)
        w = np.ones(len(original)) if weights is None else weights
        before = original.matrix(names)
        deviations = _deviations(before, weights)
        used = np.flatnonzero(deviations > 0)
        if not len(used):
            raise NotApplicable("every quasi-identifier is constant or missing")
        x, s, centre = before[:, used], deviations[used], means(before[:, used], weights)
        y = np.column_stack([view[names[j]].expected for j in used])
        unknown = np.column_stack([view[names[j]].unknown for j in used])
        y = np.where(unknown, centre, y)
        changes = np.abs(y - x[pairing.origin]) / (np.sqrt(2.0) * s)
        at_means = np.abs(centre - x) / (np.sqrt(2.0) * s)
        # A record's changes count as often as the record did.
        mean, by_column = _mean(changes, w[pairing.origin])
        compared = ~np.isnan(changes)
        per_record = np.where(compared, changes, 0.0).sum(axis=1) / np.maximum(compared.sum(1), 1)
        left_out = [name for j, name in enumerate(names) if j not in set(used.tolist())]
        note = f"left out as constant or missing: {', '.join(left_out)}" if left_out else ""
        return Score(
            mean,
            per_record=per_record,
            detail={"columns": [names[j] for j in used]},
            note="; ".join(filter(None, [note, lost(view), weighted(original)])),
            parts={(names[j],): float(by_column[i]) for i, j in enumerate(used)},
            at_loss=_mean(at_means, w)[0],
        )


def _deviations(before: Numbers, weights: Numbers | None) -> Numbers:
    """Return the sample standard deviation of each column; 0 if it is constant."""
    deviations = np.sqrt(np.maximum(np.diag(covariance(before, weights)), 0.0))
    # A deviation this small relative to the values is zero up to rounding.
    size = np.nanmax(np.abs(before), axis=0, initial=0)
    return np.where(deviations > ROUNDING * size, deviations, 0.0)


def _mean(changes: Numbers, weights: Numbers) -> tuple[float, Numbers]:
    """Return the mean of the changes that exist, and that of each column."""
    present = ~np.isnan(changes)
    sums, counts = weights @ np.where(present, changes, 0.0), weights @ present
    if not counts.sum() > 0:
        raise NotApplicable("no value is present in both files")
    by_column = np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)
    return float(sums.sum() / counts.sum()), by_column
