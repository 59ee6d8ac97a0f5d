"""Linkage by windows of ranks: what the method can have done to each value, column by column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Pairing, Spec, Target
from discreet.measures.linkage.attempt import Comparison, LinkageAttack
from discreet.measures.linkage.cells import Matrix, Rows, cells, summed
from discreet.measures.linkage.differences import KnownPairs
from discreet.measures.linkage.imitation import imitations
from discreet.measures.linkage.lessons import IMPOSSIBLE, learned


class RankWindowLinkage(LinkageAttack):
    """Links by how far the method moves ranks, and by which categories it turns into which.

    The intruder runs the method on the people and sees how far the rank of a value moves, and which
    category becomes which. What never happens is excluded, so that the candidates of a released
    record are the intersection of a window in every column; among them the likeliest is taken, each
    column counting the log of how much more often a gap occurs for the same person than for others.
    This undoes rank swapping and data swapping; with the matrix of PRAM it is the posterior of
    Bayes; with labels of recoding it is the set that a label stands for.

    >>> import discreet
    >>> roles = dict.fromkeys("abcd", "quasi-identifier")
    >>> draw = np.random.default_rng(1)
    >>> data = discreet.read({c: draw.normal(size=200) for c in "abcd"}, roles=roles)
    >>> release = discreet.protect(data, discreet.RankSwapping(p=10), seed=1)
    >>> target = Target(data, release.data, release.pairing)
    >>> RankWindowLinkage().attempt(target, Context()).success > 0.6
    True
    """

    knows_method: ClassVar[bool] = True
    spec: ClassVar[Spec] = Spec(
        name="rank-window-linkage",
        title="Linkage by windows of ranks",
        citation="Nin, Herranz & Torra (2008), Rethinking rank swapping to decrease disclosure "
        "risk; weights as in Fellegi & Sunter (1969), A theory for record linkage",
        missing="a value of its own",
        random=True,
        formula="c(i, j) = −Σ_c log( P(gap of i and j in column c | same person) / P(gap) )",
        cost="up to five runs of the method; n² comparisons, of a sample where these are more than "
        "30 million; up to 2,000 records n³ for the best assignment, memory n²",
    )

    def compare(
        self, target: Target, names: Sequence[str], pairing: Pairing, context: Context
    ) -> Comparison:
        """Learn from runs of the method, and compare by the ratio of likelihoods."""
        original = target.original
        columns = cells(original, target.released, names, pairing.origin, ranks=True)
        lessons = [
            KnownPairs.all_of(run.released, run.origin).lesson(original, names)
            for run in imitations(pairing, len(original), context)
        ]
        weights = learned(columns, lessons, context.generator("other people"))

        def costs(rows: Rows, originals: Rows | slice) -> Matrix:
            parts = (weight.looked_up(rows, originals) for weight in weights)
            return summed(parts, rows, originals, len(original))

        def possible(rows: Rows, originals: Rows | slice) -> NDArray[np.bool_]:
            refused = (w.of(rows, originals) >= IMPOSSIBLE for w in weights)
            counts = summed((r.astype(np.float32) for r in refused), rows, originals, len(original))
            return np.asarray(counts == 0)

        return Comparison(costs, possible, likelihood=True)
