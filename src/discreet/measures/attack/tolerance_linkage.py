"""Linkage by agreement within a tolerance, for the tolerance that links most."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from discreet.contracts import Context, NotApplicable, Outcome, Score, Spec, Target
from discreet.measures.linkage.attempt import LinkageAttack
from discreet.measures.linkage.choosing import crossed
from discreet.measures.risk.probabilistic_linkage import ProbabilisticLinkage

TOLERANCES = (0.05, 0.1, 0.2, 0.5, 1.0)
MOST_RECORDS = 20_000
"""All pairs are compared."""
MOST_PAIRS = 5_000**2
"""Above this many pairs the tolerance is chosen by a sample of the released records."""


class ToleranceLinkage(LinkageAttack):
    """Links by weights of Fellegi and Sunter, for the best of several tolerances.

    Probabilistic linkage depends on how far apart two numbers may lie and still agree. The
    tolerance that links most of one half of the records is used for the other half, so that none is
    best by luck. Nothing has to be known about the method, and the weights come from the file
    itself, without training. In larger files a sample of the released records chooses the
    tolerance, and all are linked with it: the links of a sample do not estimate the links of all,
    because the originals of the others are left free.

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
        formula="probabilistic linkage with numbers that agree within τ standard deviations, for "
        "each half of the records at the τ that links most of the other half",
        cost="n² comparisons for each of 5 tolerances, for the best one alone where these are more "
        "than 25 million; up to 20,000 records; memory n",
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
        chosen_by = _few_pairs(target, context) if len(tolerances) > 1 else target
        scores = {tolerance: _linked(chosen_by, tolerance, context) for tolerance in tolerances}
        best = max(scores, key=lambda tolerance: scores[tolerance].value)
        if chosen_by is not target:
            scores[best] = _linked(target, best, context)
        score = scores[best]
        chances = [s.per_record for s in scores.values() if s.per_record is not None]
        if chosen_by is target and chances:
            linked = crossed(chances)
            score = replace(score, value=float(linked.mean()), per_record=linked)
        return Outcome(
            score.value,
            1 / len(target.original),
            interval=score.interval,
            per_record=score.per_record,
            detail={"tolerance": best} | {f"τ = {t:g}": s.value for t, s in scores.items()},
            note=score.note,
        )


def _linked(target: Target, tolerance: float, context: Context) -> Score:
    measure = ProbabilisticLinkage(tolerance=tolerance)
    return measure.score(target.original, target.released, context, target.pairing)


def _few_pairs(target: Target, context: Context) -> Target:
    """Return the target with so many released records that the pairs are few enough."""
    released, pairing = len(target.released), target.pairing
    size = max(1, MOST_PAIRS // max(1, len(target.original)))
    if size >= released or pairing is None:
        return target
    rows = np.sort(context.generator("sample").choice(released, size, replace=False))
    kept = replace(pairing, origin=pairing.origin[rows])
    return replace(target, released=target.released.take(rows), pairing=kept)
