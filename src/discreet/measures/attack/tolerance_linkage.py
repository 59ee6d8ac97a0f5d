"""Linkage by agreement within a tolerance, for the tolerance that links most."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Context, NotApplicable, Outcome, Spec, Target
from discreet.measures.linkage.attempt import LinkageAttack
from discreet.measures.risk.probabilistic_linkage import ProbabilisticLinkage

TOLERANCES = (0.05, 0.1, 0.2, 0.5, 1.0)
MOST_RECORDS = 20_000
"""All pairs are compared for every tolerance."""


class ToleranceLinkage(LinkageAttack):
    """Links by weights of Fellegi and Sunter, for the best of several tolerances.

    Probabilistic linkage hangs on how far apart two numbers may lie that agree. An intruder can try
    what a tolerance yields; here the owner does, and the best counts. Nothing has to be known of
    the method, and weights come without training from the file itself.

    >>> import discreet
    >>> from discreet.contracts import Pairing
    >>> data = discreet.read({"age": [20, 40, 60]}, roles={"age": "quasi-identifier"})
    >>> ToleranceLinkage().attempt(Target(data, data, Pairing.same_order(3)), Context()).success
    1.0
    """

    spec: ClassVar[Spec] = Spec(
        name="tolerance-linkage",
        title="Probabilistic linkage over a grid of tolerances",
        citation="Fellegi & Sunter (1969), A theory for record linkage; Winkler (2004), "
        "Re-identification methods for masked microdata",
        missing="agrees with nothing, not even another missing value",
        random=True,
        formula="max over τ of the probabilistic linkage with numbers that agree within τ standard "
        "deviations",
        cost="n² comparisons for each of 5 tolerances, up to 20,000 records; memory n",
    )

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return the links at the best tolerance."""
        if len(target.released) > MOST_RECORDS:
            raise NotApplicable(
                f"it compares all pairs, which takes minutes above {MOST_RECORDS:,} records"
            )
        if not any(
            target.original.schema[name].continuous for name in target.original.quasi_identifiers
        ):
            tolerances: tuple[float, ...] = TOLERANCES[:1]
        else:
            tolerances = TOLERANCES
        scores = {
            tolerance: ProbabilisticLinkage(tolerance=tolerance).score(
                target.original, target.released, context, target.pairing
            )
            for tolerance in tolerances
        }
        best = max(scores, key=lambda tolerance: scores[tolerance].value)
        return Outcome(
            scores[best].value,
            1 / len(target.original),
            interval=scores[best].interval,
            per_record=scores[best].per_record,
            detail={"tolerance": best} | {f"τ = {t:g}": s.value for t, s in scores.items()},
            note=scores[best].note,
        )
