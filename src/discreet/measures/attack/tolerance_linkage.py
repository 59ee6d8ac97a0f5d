"""Linkage by agreement within a tolerance, for the tolerance that links most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

import numpy as np

from discreet.contracts import Context, Outcome, Pairing, Score, Spec, Target, Way, known_pairing
from discreet.measures.linkage.attempt import EVERYONE, Comparison, LinkageAttack, estimated
from discreet.measures.linkage.cells import summed
from discreet.measures.linkage.choice_of_way import crossed
from discreet.measures.linkage.fellegi_sunter import counts_within, fit
from discreet.measures.risk.probabilistic_linkage import ProbabilisticLinkage, different_records

TOLERANCES = (0.05, 0.1, 0.2, 0.5, 1.0)
MOST_COMPARED = 20_000**2
"""Above this many pairs of different records, not all of them are compared."""
MOST_PAIRS = 5_000**2
"""Above this many pairs, a sample of the released records chooses the tolerance."""
LEAST_KNOWN = 200
"""The fewest released records from whose pairs the weights are estimated."""


class ToleranceLinkage(LinkageAttack):
    """Links by weights of Fellegi and Sunter, for the best of several tolerances.

    Probabilistic linkage depends on how far apart two numbers may be and still agree. Each half of
    the records is linked within the tolerance that links most of the other, so that none is best by
    luck. Nothing needs to be known about the method, and the weights come from the file, without
    training. In larger files a sample of the released records chooses the tolerance, and all are
    linked with it: the links of a sample are no estimate of the links of all, because nobody takes
    the originals of the others. For files with more than 20,000 different records the weights are
    those of a sample, and the links are estimated as those of every other attack: a sample beside
    all people, each record to the heaviest, and one to one within neighbourhoods, which are those
    of the tolerance that links most of the sample.

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
        "each half of the records at the τ that links most of the other",
        cost="n² comparisons of different records for each of 5 tolerances, for the best one alone "
        "where these are more than 25 million, of a sample where they are more than 20,000²; "
        "memory n",
    )

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return the links at the best tolerance."""
        if not any(
            target.original.schema[name].continuous for name in target.original.quasi_identifiers
        ):
            tolerances: tuple[float, ...] = TOLERANCES[:1]
        else:
            tolerances = TOLERANCES
        released, originals = different_records(target.original, target.released)
        if released * originals > MOST_COMPARED:
            return self._estimated(target, tolerances, context)
        chosen_by = _few_pairs(target, context) if len(tolerances) > 1 else target
        scores = {tolerance: _linked(chosen_by, tolerance, context) for tolerance in tolerances}
        best = max(scores, key=lambda tolerance: scores[tolerance].value)
        if chosen_by is not target:
            scores[best] = _linked(target, best, context)
        score = scores[best]
        counted = scores.values() if chosen_by is target else [score]
        ways = [Way(s.per_record) for s in counted if s.per_record is not None]
        if chosen_by is target and ways:
            linked = crossed(ways)
            score = replace(score, value=linked.value, per_record=linked.chances)
        return Outcome(
            score.value,
            1 / len(target.original),
            interval=score.interval,
            per_record=score.per_record,
            ways=tuple(ways),
            detail={"tolerance": best} | {f"τ = {t:g}": s.value for t, s in scores.items()},
            note=score.note,
        )

    def _estimated(
        self, target: Target, tolerances: tuple[float, ...], context: Context
    ) -> Outcome:
        """Return the links of a sample, with the interval of the way that is chosen."""
        pairing = known_pairing(target.pairing)
        owners, originals = self.owners(target, pairing), len(target.original)
        comparisons = dict(_by_weights(target, pairing, tolerances, context))
        outcomes = estimated(list(comparisons.values()), owners, originals, context)
        by_tolerance = dict(zip(comparisons, outcomes, strict=True))
        best = max(by_tolerance, key=lambda tolerance: by_tolerance[tolerance].success)
        ways = tuple(way for outcome in by_tolerance.values() for way in outcome.ways)
        linked = crossed(ways)
        return replace(
            by_tolerance[best],
            success=linked.value,
            interval=linked.interval,
            ways=ways,
            detail={
                **by_tolerance[best].detail,
                "tolerance": best,
                **{
                    f"τ = {tolerance:g}": outcome.success
                    for tolerance, outcome in by_tolerance.items()
                },
            },
        )


def _by_weights(
    target: Target, pairing: Pairing, tolerances: Sequence[float], context: Context
) -> Iterator[tuple[float, Comparison]]:
    """Yield the comparisons by weights that are estimated from some of the released records."""
    original, measures = target.original, [ProbabilisticLinkage(tolerance=t) for t in tolerances]
    compared, names, _ = measures[0].compared(original, target.released, pairing.origin)
    if compared is None:
        nothing = Comparison(lambda rows, people: summed([], rows, people, len(original)))
        yield tolerances[0], nothing
        return
    released, originals = compared.sizes
    size = min(released, max(LEAST_KNOWN, MOST_PAIRS // originals))
    some = np.sort(context.generator("weights").choice(released, size, replace=False))
    each = [compared.within(measure.tolerances(original, names)) for measure in measures]
    known, stated = compared.only(some, EVERYONE), [within.pairs.tolerance for within in each]
    counts = counts_within(known, np.array(stated), context)
    for measure, within, of_patterns in zip(measures, each, counts, strict=True):
        model = fit(of_patterns, len(names), originals)
        costs_of = (-model.of_every_pattern).astype(np.float32)
        yield measure.tolerance, Comparison(partial(within.costs, costs_of=costs_of))


def _linked(target: Target, tolerance: float, context: Context) -> Score:
    measure = ProbabilisticLinkage(tolerance=tolerance)
    return measure.score(target.original, target.released, context, target.pairing)


def _few_pairs(target: Target, context: Context) -> Target:
    """Return the target with a sample of released records, so that there are few enough pairs."""
    released, pairing = len(target.released), target.pairing
    size = max(1, MOST_PAIRS // max(1, len(target.original)))
    if size >= released or pairing is None:
        return target
    rows = np.sort(context.generator("sample").choice(released, size, replace=False))
    kept = replace(pairing, origin=pairing.origin[rows])
    return replace(target, released=target.released.take(rows), pairing=kept)
