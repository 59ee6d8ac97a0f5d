"""l-diversity: how many confidential values the records that look alike have among them."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Better, Context, MeasureSpec, Pairing, Question, Score, Side, param
from discreet.measures.confidential import (
    ConfidentialMeasure,
    by_name,
    confidential_columns,
    equivalence_classes,
    values_of,
)
from discreet.measures.tally import Tally, tally
from discreet.microdata import Microdata

VARIANTS = ("distinct", "entropy", "recursive")


class LDiversity(ConfidentialMeasure):
    """The least number of confidential values in a class of records that look alike.

    With r₁ ≥ r₂ ≥ … ≥ rₘ the counts of the values in a class and pᵢ their shares, a class has
    an l of

    - distinct: m, the number of different values;
    - entropy: exp(−Σ pᵢ ln pᵢ), which is m if all are equally frequent and less otherwise;
    - recursive: the largest l with r₁ < c · (rₗ + rₗ₊₁ + … + rₘ), so that the most frequent value
      does not outweigh the rest; 1 if there is none.

    The value is the least over the classes and the confidential columns. Every different number
    of a continuous column is a value, however close to the next; `sensitive-match`,
    `t-closeness` and `rsd` see that it is close.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 30, 41, 41], "ill": ["a", "a", "b", "a", "c"]},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> LDiversity().score(data, data, Context()).value
    2.0
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="l-diversity",
        title="l-diversity of the release",
        citation="Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam, l-Diversity (2007): "
        "distinct, entropy and recursive (c, l)-diversity",
        missing="a category of its own, among quasi-identifiers and confidential values",
        side=Side.RISK,
        question=Question.LEARNED,
        better=Better.HIGHER,
        low=1,
        high=np.inf,
        at_identity=None,
        of_release=True,
        formula="distinct:   l = min over the classes of m, the number of values\n"
        "entropy:    l = min over the classes of exp(−Σᵢ pᵢ ln pᵢ)\n"
        "recursive:  l = min over the classes of the largest l with r₁ < c·(r_l + r_{l+1} + … + "
        "r_m)",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
    )

    variant: str = param(
        default="distinct", help="which definition gives the value", choices=VARIANTS
    )
    c: float = param(
        default=3.0,
        help="recursive: how many times as frequent as the rarer values the most frequent may be",
        above=0,
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the least l of a class; per record that of its own."""
        names = confidential_columns(original, released, self.confidential)
        groups = equivalence_classes(released, context, self.confidential)
        worst = {variant: np.full(groups.count, np.inf) for variant in VARIANTS}
        columns = {}
        for name in names:
            counts = tally(*values_of(released.column(name)), groups)
            by_column = {
                "distinct": counts.distinct.astype(np.float64),
                "entropy": counts.for_groups(entropy_l),
                "recursive": counts.for_groups(partial(recursive_l, c=self.c)),
            }
            columns[name] = {variant: float(least.min()) for variant, least in by_column.items()}
            for variant, least in by_column.items():
                np.minimum(worst[variant], least, out=worst[variant])
        per_record = worst[self.variant].take(groups.labels)
        sizes = np.bincount(groups.labels, minlength=groups.count)
        alone = sizes[worst["distinct"] == 1].sum() / len(released)
        least_of = {name: figures[self.variant] for name, figures in columns.items()}
        return Score(
            float(worst[self.variant].min()),
            per_record=per_record,
            detail={
                **{variant: float(least.min()) for variant, least in worst.items()},
                "c of recursive": self.c,
                "columns": columns,
                "classes": groups.count,
                "share of records whose class has one value": float(alone),
            },
            parts=by_name(least_of),
            column=min(least_of, key=least_of.__getitem__),
        )


def entropy_l(counts: Tally) -> NDArray[np.float64]:
    """Return exp(entropy of the values) for each group.

    Rounded to twelve places, so that three equally frequent values give exactly 3.
    """
    group, count = _mixed(counts)
    shares = count / counts.sizes[group]
    entropy = np.bincount(group, -shares * np.log(shares), len(counts.sizes))
    return np.asarray(np.exp(entropy).round(12))


def recursive_l(counts: Tally, c: float) -> NDArray[np.float64]:
    """Return the largest l for which each group is (c, l)-diverse, 1 at least."""
    group, count = _mixed(counts)
    most = int(count.max(initial=0)) + 1
    # Within each group the most frequent value first.
    keys = group * most + (most - count)
    keys.sort()
    group, rest = np.divmod(keys, most)
    frequency = most - rest
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    lengths = np.diff(starts, append=len(group))
    before = np.cumsum(frequency) - frequency
    from_here_on = counts.sizes[group] - (before - np.repeat(before[starts], lengths))
    holds = np.repeat(frequency[starts], lengths) < c * from_here_on
    return np.maximum(np.bincount(group[holds], minlength=len(counts.sizes)), 1).astype(np.float64)


def _mixed(counts: Tally) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return group and count of the values in groups that have several; the others have l = 1."""
    several = (counts.distinct > 1).take(counts.group)
    return counts.group[several], counts.count[several]
