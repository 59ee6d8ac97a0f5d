"""X²: how far the confidential classes of the groups are from those of the whole file."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Better, Context, MeasureSpec, Pairing, Question, Score, Side
from discreet.errors import NotApplicable
from discreet.measures.confidential import (
    ConfidentialClasses,
    by_name,
    confidential_columns,
    groups_of,
    values_of,
)
from discreet.measures.tally import Tally, tally
from discreet.microdata import Microdata


class ClassDivergence(ConfidentialClasses):
    """The chi-square distance of a group's class counts to those expected, mean over the groups.

    X² = (1/G) Σ_g Σ_k (n_gk − n_g·N_k/N)² / (n_g·N_k/N), with n_gk the records of class k in
    group g. A group that has the classes in the shares of the whole file adds nothing. The figure
    grows with the groups, so it compares partitions of similar size; groups drawn at random have
    about one less than the number of classes, which `detail` gives exactly. The value is that of
    the worst confidential column. The groups are those that the method made, where they are known,
    otherwise the records that agree in all quasi-identifiers; where most of these are alone there
    is nothing to compare.

    >>> import discreet
    >>> data = discreet.read({"age": [30, 30, 41, 41], "ill": ["y", "y", "n", "n"]},
    ...                      roles={"age": "quasi-identifier", "ill": "confidential"})
    >>> ClassDivergence().score(data, data, Context()).value   # 2 and 0 where 1 and 1 are expected
    2.0
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="class-divergence",
        title="X²: divergence of confidential classes in groups",
        citation="Li & Sarkar, Class-restricted clustering and microperturbation for data privacy "
        "(2013), eq. 13",
        missing="a class of its own",
        side=Side.RISK,
        question=Question.LEARNED,
        better=Better.LOWER,
        low=0,
        high=np.inf,
        at_identity=None,
        default=False,
        formula="X² = (1/G) Σ_g Σ_k (n_gk − n_g·N_k/N)² / (n_g·N_k/N)",
        cost="n·c time, n·log n more where the combinations of values are many; memory n",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the mean over the groups; per record the divergence of its own group."""
        names = confidential_columns(original, released, self.confidential)
        groups = groups_of(original, released, pairing, context, self.confidential)
        if not groups.by_method and groups.count > len(released) / 2:
            # A group of one has the divergence N/N_k − 1 of its class, whatever was released.
            raise NotApplicable(
                "the method formed no groups, and most records are unique in their "
                "quasi-identifiers"
            )
        columns, by_chance, worst = {}, {}, np.zeros(groups.count)
        for name in names:
            counts = tally(*values_of(released.column(name), self.classes), groups)
            divergences = divergence(counts)
            columns[name] = float(divergences.mean())
            by_chance[name] = expected_divergence(counts)
            if columns[name] >= max(columns.values()):
                worst = divergences
        return Score(
            max(columns.values()),
            per_record=worst.take(groups.labels),
            detail={
                "columns": columns,
                "expected if groups were drawn at random": by_chance,
                "groups": groups.count,
            },
            note=groups.words,
            parts=by_name(columns),
            column=max(columns, key=columns.__getitem__),
        )


def divergence(counts: Tally) -> NDArray[np.float64]:
    """Return Σ_k (n_gk − n_g·N_k/N)² / (n_g·N_k/N) for each group.

    A class that a group does not have adds n_g·N_k/N, and these add up to n_g less what the
    classes that it has were expected to be.
    """
    shares = counts.totals / counts.sizes.sum()
    expected = counts.sizes[counts.group] * shares[counts.value]
    terms = (counts.count - expected) ** 2 / expected - expected
    sums = np.bincount(counts.group, terms, len(counts.sizes)) + counts.sizes
    return np.asarray(np.maximum(sums, 0.0))


def expected_divergence(counts: Tally) -> float:
    """Return X² of groups of these sizes drawn without replacement: (C−1)(N−n_g)/(N−1), mean."""
    total = int(counts.sizes.sum())
    present = int((counts.totals > 0).sum())
    return float((present - 1) * (total - counts.sizes).mean() / max(total - 1, 1))
