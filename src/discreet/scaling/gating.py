"""The gate of a large release: what can be counted is counted on all records.

Figures that need more than counts are measured on the sample; a claim about one is held to the
worse end of its interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Better, Claim, Context, Measure, MeasureSpec, Pairing, Score
from discreet.contracts.registry import find
from discreet.errors import ClaimError, NotApplicable
from discreet.microdata import Role
from discreet.microdata.equivalence import classes
from discreet.release.assessment import Assessment, Row
from discreet.scaling.counting import class_sizes, least_distinct
from discreet.scaling.sampling import Sample
from discreet.scaling.store import Store

PARTS = 5
"""A claim is measured on so many parts of the sample, for its interval."""
STUDENT = 2.776
"""The 97.5 % quantile of Student's distribution with four degrees of freedom."""


@dataclass(frozen=True, eq=False)
class Counted:
    """How many classes of the release have 1, 2, … records, and what follows from that."""

    records: int
    sizes: NDArray[np.int64]
    diversity: Mapping[str, int]

    @classmethod
    def of(cls, store: Store) -> Counted:
        """Count on all records of a store."""
        known = list(store.head.quasi_identifiers)
        sizes = class_sizes(store, known) if known else np.zeros((2, 0), dtype=np.int64)
        diversity = {
            name: least_distinct(store, known, name)
            for name in store.head.having(Role.CONFIDENTIAL)
            if known
        }
        return cls(len(store), sizes, diversity)

    @property
    def classes(self) -> int:
        """The number of classes."""
        return int(self.sizes[1].sum())

    def figures(self) -> dict[str, float]:
        """Return the measures that are counted exactly, by name, with their usual parameters.

        >>> sizes = np.array([[1, 4], [2, 3]])  # two classes of one record, three of four
        >>> Counted(14, sizes, {"ill": 1}).figures()["sample-uniqueness"]
        0.14285714285714285
        """
        if not self.classes:
            return {}
        least = int(self.sizes[0].min())
        alone = int(self.sizes[1][self.sizes[0] == 1].sum())
        found = {
            "k-anonymity": float(least),
            "average-group-size": self.records / self.classes,
            "sample-uniqueness": alone / self.records,
            "prosecutor-risk": 1 / least,
        }
        if self.diversity:
            found["l-diversity"] = float(min(self.diversity.values()))
        return found


def check_large_claims(
    claims: Sequence[Claim], counted: Counted, sample: Sample, pairing: Pairing, context: Context
) -> tuple[Claim, ...]:
    """Measure each claim on the release; a false one is an error, and nothing is released."""
    exact = counted.figures()
    checked = []
    for claim in dict.fromkeys(claims):
        measure = claim.by or find("measure", claim.measure)()
        assert isinstance(measure, Measure)
        spec = measure.spec
        try:
            score = _score(measure, exact, sample, pairing, context)
        except NotApplicable as reason:
            raise ClaimError(
                f"{claim.measure} is claimed, but it cannot be measured: {reason}; nothing was "
                "released"
            ) from None
        higher = spec.better is Better.HIGHER
        measured = score.at_worst(spec.better)
        if not (measured >= claim.bound if higher else measured <= claim.bound):
            estimated = "" if score.interval is None else " at the worse end of what was estimated"
            raise ClaimError(
                f"{claim.measure} is claimed to be at {'least' if higher else 'most'} "
                f"{claim.bound:g}, but the data to be released have {measured:g}{estimated}; "
                "nothing was released"
            )
        checked.append(replace(claim, measured=measured))
    return tuple(checked)


def _score(
    measure: Measure,
    exact: Mapping[str, float],
    sample: Sample,
    pairing: Pairing,
    context: Context,
) -> Score:
    name = measure.spec.name
    if name in exact and measure == type(measure)():
        return Score(exact[name])
    if measure.spec.of_release:
        raise NotApplicable(
            "it is counted on all records, which is done in memory only; allow more memory, or "
            "leave the claim out"
        )
    score = measure.score(sample.original, sample.released, context, pairing)
    values = []
    part_of = _parts(sample)
    for part in range(PARTS):
        rows = np.flatnonzero(part_of == part)
        before, after = sample.original.take(rows), sample.released.take(rows)
        same = Pairing(np.arange(len(rows)), None, pairing.in_order)
        values.append(measure.score(before, after, context.within(part), same).value)
    around = STUDENT * float(np.std(values, ddof=1)) / PARTS**0.5
    low, high = score.interval or (score.value, score.value)
    return replace(score, interval=(low - around, high + around))


def _parts(sample: Sample) -> NDArray[np.int64]:
    """Return the part of the sample that each record belongs to, whole classes together."""
    known = sample.released.quasi_identifiers
    return (classes(sample.released, known) if known else np.arange(len(sample.rows))) % PARTS


def with_counts(assessment: Assessment, counted: Counted, sample: Sample) -> Assessment:
    """Return an assessment of the sample with what was counted on all records in its place."""
    exact = counted.figures()
    assessment.rows = tuple(_row(row, exact, sample) for row in assessment.rows)
    return assessment


def _row(row: Row, exact: Mapping[str, float], sample: Sample) -> Row:
    spec = row.spec
    assert isinstance(spec, MeasureSpec)
    if row.after is None:
        return row
    if spec.name in exact and row.measure == type(row.measure)():
        score = Score(exact[spec.name], note="counted on all records")
        return Row(row.measure, None, score)
    if spec.of_release:
        why = "it is counted on all records, which is done in memory only"
        return Row(row.measure, left_out=why)
    words = f"measured on {sample.described}"
    note = f"{row.after.note}; {words}" if row.after.note else words
    return replace(row, after=replace(row.after, note=note, interval=_interval(row.after)))


def _interval(score: Score) -> tuple[float, float] | None:
    """Return the interval of a mean over the sampled records, where the score is one."""
    values = score.per_record
    if score.interval is not None or values is None or not np.isfinite(values).all():
        return score.interval
    if not np.isclose(values.mean(), score.value):
        return None
    around = 1.96 * float(values.std()) / len(values) ** 0.5
    return score.value - around, score.value + around
