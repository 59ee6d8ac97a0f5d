"""Linkage by learned weights: an intruder who has found half of the people already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from discreet.contracts import Context, Pairing, Spec, Target
from discreet.errors import NotApplicable
from discreet.measures.linkage.attempt import Comparison, LinkageAttack
from discreet.measures.linkage.cells import Matrix, Rows
from discreet.measures.linkage.differences import Differing, KnownPairs, at_most

LEAST = 20
"""With fewer known pairs there is nothing to learn from."""


class LearnedLinkage(LinkageAttack):
    """Links by weights that were learned from people whose records are known.

    It is an upper bound on what weights can do, for an intruder who need not know the method: the
    records are split at random into halves, and each half is linked by what was learned from the
    pairs of the other half.

    >>> import discreet, numpy as np
    >>> draw = np.random.default_rng(1)
    >>> good, bad = draw.normal(size=100), draw.normal(size=100)
    >>> roles = {"a": "quasi-identifier", "b": "quasi-identifier"}
    >>> data = discreet.read({"a": good, "b": bad}, roles=roles)
    >>> masked = discreet.read({"a": good + 0.001 * bad, "b": draw.normal(size=100)}, roles=roles)
    >>> outcome = LearnedLinkage().attempt(Target(data, masked, Pairing.same_order(100)), Context())
    >>> outcome.success > 0.8
    True
    """

    spec: ClassVar[Spec] = Spec(
        name="learned-linkage",
        title="Linkage by learned weights",
        citation="Abril, Navarro-Arribas & Torra (2012), Improving record linkage with supervised "
        "learning for disclosure risk assessment",
        missing="a number that is missing somewhere makes its column one that is compared by ranks",
        random=True,
        formula="c(i, j) = ½ (yᵢ − xⱼ)ᵀ Σ⁻¹ (yᵢ − xⱼ), Σ the second moments of the differences of "
        "the known pairs",
        cost="n² comparisons, of a sample where these are more than 30 million; memory n² up to "
        "2,000 records",
    )

    def compare(
        self, target: Target, names: Sequence[str], pairing: Pairing, context: Context
    ) -> Comparison:
        """Learn from each half of the true pairs, and compare the other half."""
        records = len(target.released)
        if records < 2 * LEAST:
            raise NotApplicable(f"weights are learned from at least {LEAST} known pairs")
        half = context.generator("halves").permutation(records) % 2
        known = []
        for side in (0, 1):
            rows = np.flatnonzero(half != side)
            rows = rows[at_most(len(rows))]
            known.append(KnownPairs(target.released, rows, pairing.origin[rows]))
        columns = Differing(target.original, target.released, names, pairing.origin, known)
        sides = [
            columns.learned([pairs], context.within(side).generator("other people"))
            for side, pairs in enumerate(known)
        ]

        def costs(rows: Rows, originals: Rows | slice) -> Matrix:
            in_second_half = half[rows].astype(bool)
            if in_second_half.all() or not in_second_half.any():
                return sides[int(in_second_half.any())](rows, originals)
            parts = (
                sides[0](rows[~in_second_half], originals),
                sides[1](rows[in_second_half], originals),
            )
            whole = np.empty((len(rows), parts[0].shape[1]), dtype=np.float32)
            whole[~in_second_half], whole[in_second_half] = parts
            return whole

        return Comparison(costs, likelihood=True)
