"""Linkage by differences: numbers by the joint distribution of what the method adds to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from discreet.contracts import Context, Pairing, Spec, Target
from discreet.measures.linkage.attempt import Comparison, LinkageAttack
from discreet.measures.linkage.differences import Differing, KnownPairs
from discreet.measures.linkage.imitation import imitations


class DifferenceLinkage(LinkageAttack):
    """Links by the likelihood of the differences that the method makes, all numbers together.

    The intruder runs the method on the people and sees the covariance of what it adds to the
    numbers. With noise this is the noise covariance; correlated noise, which hides one column,
    reveals itself in the others. Columns that are not released as numbers count as in linkage by
    windows of ranks.

    >>> import discreet, numpy as np
    >>> roles = dict.fromkeys("abc", "quasi-identifier")
    >>> base = np.random.default_rng(1).normal(size=(3, 200))
    >>> data = discreet.read(dict(zip("abc", base)), roles=roles)
    >>> release = discreet.protect(data, discreet.AdditiveNoise(), seed=1)
    >>> target = Target(data, release.data, release.pairing)
    >>> outcome = DifferenceLinkage().attempt(target, Context())
    >>> outcome.success > 20 * outcome.blind
    True
    """

    knows_method: ClassVar[bool] = True
    spec: ClassVar[Spec] = Spec(
        name="difference-linkage",
        title="Linkage by the law of the differences",
        citation="Mahalanobis distance as in Torra, Abowd & Domingo-Ferrer (2006), Using "
        "Mahalanobis distance-based record linkage for disclosure risk assessment; learned "
        "weights as in Abril, Navarro-Arribas & Torra (2012)",
        missing="a number that is missing somewhere makes its column one that is compared by ranks",
        random=True,
        formula="c(i, j) = ½ (yᵢ − xⱼ)ᵀ Σ⁻¹ (yᵢ − xⱼ), Σ the second moments of the "
        "differences that the method makes",
        cost="up to five runs of the method; n² comparisons, of a sample where these are more than "
        "30 million; up to 2,000 records n³ for the best assignment, memory n²",
    )

    def compare(
        self, target: Target, names: Sequence[str], pairing: Pairing, context: Context
    ) -> Comparison:
        """Learn from runs of the method, and compare by the likelihood."""
        runs = imitations(pairing, len(target.original), context)
        pairs = [KnownPairs.all_of(run.released, run.origin) for run in runs]
        columns = Differing(target.original, target.released, names, pairing.origin, pairs)
        costs = columns.learned(pairs, context.generator("other people"))
        return Comparison(costs, likelihood=True)
