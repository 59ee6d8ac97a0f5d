"""Association: whether columns of all kinds are still related as they were."""

from __future__ import annotations

from collections.abc import Sequence
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
    Ruin,
    Score,
    Side,
)
from discreet.errors import NotApplicable
from discreet.measures.utility.words import lost, weighted
from discreet.microdata import Column, Microdata
from discreet.microdata.decoded import Decoded
from discreet.microdata.lasting import once
from discreet.microdata.weights import weights_of
from discreet.models.association import associations
from discreet.models.design_matrix import ANALYSED

MOST_RECORDS = 50_000
"""Most records of each file: with this many a correlation is known to within 0.006."""


NOTABLE, SURELY = 0.1, 4.0
"""An association counts for a single column from this size, and this many standard errors, on."""
FEW = 10
"""If fewer records have another value than most, what a column has to do with others rests on them,
and is what protection hides: output checkers ask for ten units, too."""
CUT_LOOSE = 0.25
"""A column that keeps less than this share of its notable associations has lost its company."""


class Association(Measure):
    """How much of the association between all pairs of columns changed, as a share of what was.

    Two columns of numbers have their correlation, a number and a category the correlation ratio,
    two categories Cramér's V, the latter two corrected for chance. The sum of the absolute changes
    is divided by the sum of the absolute associations of the original: 0 if all pairs are
    associated as they were, 1 if no pair is any more. The share that is kept, whatever its sign, is
    in the detail; it can be large although much changed, if a method links columns that had little
    to do with each other. So is the share that each column keeps of its notable associations with
    others: a column may be cut loose though most of the file is as it was. An association that
    rests on fewer than ten people is not notable. Records count by their weights. Files of more
    than 50,000 records are sampled.

    >>> import discreet
    >>> original = discreet.read({"a": [1, 2, 3], "b": [1, 2, 3]})
    >>> released = discreet.read({"a": [1, 2, 3], "b": [1, 3, 2]})
    >>> round(Association().score(original, released, Context()).value, 12)   # 1 became 0.5
    0.5
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="association",
        title="Change of association between columns",
        citation="Bergsma (2013), A bias-correction for Cramér's V and Tschuprow's T; Kelley "
        "(1935), An unbiased correlation ratio measure",
        missing="an association is taken over the records that have both values",
        random=True,
        side=Side.UTILITY,
        question=Question.PAIRS,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=0,
        at_loss=1,
        percent=True,
        formula="Σ_{j<l} |a′ⱼₗ − aⱼₗ| / Σ_{j<l} |aⱼₗ|,  a a correlation, a correlation ratio or "
        "Cramér's V",
        cost="n·c² time, n at most 50,000",
        sees=(
            Ruin.PERMUTED,
            Ruin.CONSTANT,
            Ruin.STARRED,
            Ruin.NUMBER_DROPPED,
            Ruin.CATEGORY_DROPPED,
        ),
        blind_to=(),
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the share that changed; by column in the parts, the share kept in the detail."""
        names = original.having(*ANALYSED)
        if len(names) < 2:
            raise NotApplicable("it needs two columns")
        if len(original) < 2 or len(released) < 2:
            raise NotApplicable("it needs at least two records")
        origin = None if pairing is None else pairing.origin
        whole = len(original)
        original, released, origin = _sampled(original, released, origin, context)
        before = once(
            original,
            "associations",
            lambda: associations(original, names, weights=weights_of(original)),
            names,
        )
        pairs = [pair for pair, value in before.items() if not np.isnan(value)]
        old = np.array([before[pair] for pair in pairs])
        total = float(np.abs(old).sum())
        if not total > 0:
            raise NotApplicable("no two columns of the original are associated")
        view = Decoded(original, released, names, origin)
        draws: list[list[float]] = []
        settled: dict[tuple[str, str], float] = {}
        weights = weights_of(released)
        for table in view.draws(context.generator("draws")):
            after = associations(table, names, settled, weights)
            draws.append([after[pair] for pair in pairs])
            # Columns that are released as values are the same in every draw.
            settled = {p: a for p, a in after.items() if not any(view[n].random for n in p)}
        new = np.nan_to_num(np.array(draws))
        changes = np.abs(new - old).mean(axis=0)
        kept = float(np.abs(new).sum(axis=1).mean() / total)
        having = {name: np.array([name in pair for pair in pairs]) for name in names}
        sums = {name: float(np.abs(old[with_column]).sum()) for name, with_column in having.items()}
        notable = np.abs(old) >= max(NOTABLE, SURELY / np.sqrt(min(len(original), len(released))))
        few = once(original, "nearly constant", lambda: _nearly_constant(original, names), names)
        notable &= [few.isdisjoint(pair) for pair in pairs]
        of_column = {
            name: float(
                np.abs(new[:, with_column & notable]).mean(axis=0).sum()
                / np.abs(old[with_column & notable]).sum()
            )
            for name, with_column in having.items()
            if (with_column & notable).any()
        }
        return Score(
            float(changes.sum()) / total,
            detail={
                "kept": kept,
                "kept by column": of_column,
                "cut loose": [name for name, share in of_column.items() if share < CUT_LOOSE],
                "mean association of the original": total / len(pairs),
                "change": {" × ".join(p): c for p, c in zip(pairs, changes.tolist(), strict=True)},
            },
            note="; ".join(
                filter(
                    None,
                    [
                        f"{100 * kept:.3g} % of it is kept",
                        lost(view),
                        weighted(original),
                        f"on {len(original):,} records" if len(original) < whole else "",
                    ],
                )
            ),
            parts={
                (name,): float(changes[with_column].sum()) / sums[name]
                for name, with_column in having.items()
                if sums[name] > 0
            },
        )


def _nearly_constant(data: Microdata, names: Sequence[str]) -> frozenset[str]:
    """Return the columns in which fewer than ten records differ from most."""

    def differing(column: Column) -> int:
        known = column.values[~column.missing]
        counts = np.unique(known, return_counts=True)[1]
        return len(known) - int(counts.max(initial=0))

    return frozenset(name for name in names if differing(data.column(name)) < FEW)


def _sampled(
    original: Microdata, released: Microdata, origin: NDArray[np.int64] | None, context: Context
) -> tuple[Microdata, Microdata, NDArray[np.int64] | None]:
    """Return at most about 50,000 records of each file, those of the same persons if known."""
    rate = MOST_RECORDS / max(len(original), len(released))
    if rate >= 1:
        return original, released, origin
    generator = context.generator("rows")
    chosen = generator.random(len(original)) < rate
    drawn = generator.random(len(released)) < rate if origin is None else chosen[origin]
    kept, rows = np.flatnonzero(chosen), np.flatnonzero(drawn)
    if origin is not None:
        origin = np.searchsorted(kept, origin[rows])
    return original.take(kept), released.take(rows), origin
