"""Average absolute bias: the shared form of ABIM, ABISD and ABICO (Li & Sarkar, eq. 14–16)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Pairing, Score
from discreet.errors import NotApplicable
from discreet.measures.utility.file_moments import Statistic, largest, of_draws, of_original
from discreet.measures.utility.words import lost, weighted
from discreet.measures.view import decoded
from discreet.microdata import Microdata, Numbers

ROUNDING = 1e-12


def average_absolute_bias(
    original: Microdata,
    released: Microdata,
    statistic: Statistic,
    context: Context,
    pairing: Pairing | None,
    *,
    pairs: bool = False,
    then: Callable[[Numbers], Numbers] = np.asarray,
) -> Score:
    """Return the mean of |released − original| / |original| of a statistic over the columns.

    `pairs` takes a matrix statistic over the pairs of columns, and `then` is applied to a
    statistic before it is compared. A zero in a denominator, and a
    statistic that the original does not have (a column without values, a correlation of a
    constant), is left out and counted. A statistic that the release alone does not have is lost: it
    counts 1.
    """
    names = [n for n in original.quasi_identifiers if original.schema[n].continuous]
    needed = 2 if pairs else 1
    if len(names) < needed:
        raise NotApplicable(
            f"it needs {needed} continuous quasi-identifier{'s' * (needed > 1)}, but there "
            f"{'is' if len(names) == 1 else 'are'} {len(names) or 'none'}"
        )
    if len(original) < 2 or len(released) < 2:
        raise NotApplicable("it needs at least two records")
    view = decoded(original, released, names, pairing, context)
    before = then(of_original(original, names, statistic, context))
    draws = [then(after) for [after] in of_draws(view, released, [statistic], context)]
    labels: list[tuple[str, ...]] = [(name,) for name in names]
    # A mean or deviation this small relative to the values is zero up to rounding.
    zero = ROUNDING * of_original(original, names, largest, context)
    if pairs:
        index = list(combinations(range(len(names)), 2))
        rows, columns = [i for i, _ in index], [j for _, j in index]
        before, draws = before[rows, columns], [after[rows, columns] for after in draws]
        labels = [(names[i], names[j]) for i, j in index]
        zero = np.full(len(index), ROUNDING)
    defined = np.isfinite(before) & (np.abs(before) > zero)
    left_out = [" × ".join(label) for label, ok in zip(labels, defined, strict=True) if not ok]
    if not defined.any():
        raise NotApplicable("every denominator is zero or missing")
    absent = set(view.lost)
    gone = np.array([bool(absent & set(label)) for label in labels])[defined]
    biases = np.mean([_biases(before[defined], after[defined], gone) for after in draws], axis=0)
    kept = [label for label, ok in zip(labels, defined, strict=True) if ok]
    parts = dict(zip(kept, biases.tolist(), strict=True))
    note = f"{len(left_out)} left out: zero or missing denominator" if left_out else ""
    return Score(
        float(biases.mean()),
        detail={
            "bias": {" × ".join(label): bias for label, bias in parts.items()},
            "left out": left_out,
        },
        note="; ".join(filter(None, [note, lost(view), weighted(original)])),
        parts=parts,
    )


def _biases(
    before: NDArray[np.float64], after: NDArray[np.float64], gone: NDArray[np.bool_]
) -> NDArray[np.float64]:
    biases = np.abs((after - before) / before)
    return np.where(gone | ~np.isfinite(biases), 1.0, biases)
