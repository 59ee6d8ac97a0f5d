"""The gate of a large release: whatever can be counted is counted on all records.

Figures that need more than counts are measured on the sample; a claim about one is held to the
worse end of its interval.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    NO_ORIGIN,
    Claim,
    Context,
    Measure,
    MeasureSpec,
    Pairing,
    Score,
    Side,
    Spec,
    paired,
)
from discreet.errors import NotApplicable
from discreet.measures.risk.probabilistic_k_anonymity import why_not
from discreet.measures.uniqueness import individual_risks
from discreet.microdata import Attribute, Role
from discreet.microdata.clusters import person_key, unit_key
from discreet.microdata.equivalence import classes
from discreet.release.assessment import Assessment, Row
from discreet.release.by_unit import WHOLE
from discreet.release.gate import held_claims, kept_promises
from discreet.release.second_synthesis import SECOND
from discreet.scaling.agreeing import Agreement, LikeHouseholds, agreement, like_households
from discreet.scaling.confidential import closeness, diversity
from discreet.scaling.counting import class_sizes, groups_of_file, sizes_and_weights
from discreet.scaling.keys import key_of_store
from discreet.scaling.measured_sample import Sample
from discreet.scaling.stepped import Stepped
from discreet.scaling.store import Store

PROBABILISTIC = "probabilistic-k-anonymity"
PARTS = 5
"""A claim is measured on this many parts of the sample, for its interval."""
UNDERSTATED = "synthetic records are compared with all originals for it, in memory only"
STUDENT = 2.776
"""The 97.5 % quantile of Student's distribution with four degrees of freedom."""


@dataclass(frozen=True, eq=False)
class Counted:
    """How many classes of the release have 1, 2, … records, and what follows from that.

    `sizes` are those of `class_sizes`. Where records of one household are known, `homes` says how
    households look as a whole, `agreed` what their members agree on, and `unit` what is counted in
    place of records.
    """

    records: int
    sizes: NDArray[np.int64]
    diversity: Mapping[str, int]
    closeness: Mapping[str, float] = field(default_factory=dict)
    risk: float | None = None
    least_group: int | None = None
    telling: tuple[str, ...] = ()
    """Columns that were not drawn and differ within a group of the method."""
    homes: LikeHouseholds | None = None
    agreed: Agreement | None = None
    key: Attribute | None = None
    unit: str | None = None

    @classmethod
    def of(cls, store: Store, asked: Collection[str] = (), state: Stepped | None = None) -> Counted:
        """Count on all records of a store.

        t-closeness takes a sort of all records, so it is counted only if it is `asked` for.
        """
        head = store.head
        known, key, unit = list(head.quasi_identifiers), key_of_store(store), unit_key(head)
        agreed = None if key is None else agreement(store, key)
        attribute = None if key is None else store.attributes[key]
        if not known:
            nothing = np.zeros((3, 0), dtype=np.int64)
            return cls(len(store), nothing, {}, agreed=agreed, key=attribute)
        confidential = head.having(Role.CONFIDENTIAL)
        sizes = class_sizes(store, known, unit)
        distant = confidential if "t-closeness" in asked else ()
        return cls(
            len(store),
            sizes,
            {name: diversity(store, known, name) for name in confidential},
            {name: closeness(store, known, name, unit) for name in distant},
            _individual_risk(store, known, sizes),
            *_groups(store, state if PROBABILISTIC in asked else None),
            None if key is None else like_households(store, key, known),
            agreed,
            attribute,
            unit,
        )

    @property
    def classes(self) -> int:
        """The number of classes."""
        return int(self.sizes[1].sum())

    def figures(self) -> dict[str, float]:
        """Return the measures that are counted exactly, by name, with their usual parameters.

        >>> sizes = np.array([[1, 4], [2, 3], [2, 12]])  # two classes of one record, three of four
        >>> Counted(14, sizes, {"ill": 1}).figures()["sample-uniqueness"]
        0.14285714285714285
        """
        if not self.classes:
            return {}
        least = int(self.sizes[0].min())
        alone = int(self.sizes[2][self.sizes[0] == 1].sum())
        by_measure = {
            "k-anonymity": float(least),
            "average-group-size": float((self.sizes[0] * self.sizes[1]).sum() / self.classes),
            "sample-uniqueness": alone / self.records,
            "prosecutor-risk": 1 / least,
        }
        if self.diversity:
            by_measure["l-diversity"] = float(min(self.diversity.values()))
        if self.closeness:
            by_measure["t-closeness"] = max(self.closeness.values())
        if self.risk is not None:
            by_measure["individual-risk"] = self.risk
        if self.homes is not None and self.key is not None:
            by_measure[WHOLE[self.key.role]] = float(self.homes.least)
        return by_measure


def _exact(name: str, counted: Counted) -> Score:
    """Return a figure that was counted on all records; k says what it counts."""
    score = Score(counted.figures()[name], note="counted on all records")
    if name != "k-anonymity" or counted.key is None or counted.homes is None:
        return score
    role = counted.key.role
    by_home = counted.unit is not None and role is Role.HOUSEHOLD
    households = counted.homes.fewest if role is Role.HOUSEHOLD and not by_home else None
    counts = f"{'record' if counted.unit is None else role.value}s"
    return replace(score, counts=counts, households=households)


def _groups(store: Store, state: Stepped | None) -> tuple[int | None, tuple[str, ...]]:
    """Return the least size of a group of the method, and the columns that differ within groups."""
    if state is None or not state.labels:
        return None, ()
    kept = [name for name in store.files if name not in state.drawn_columns]
    names = kept or list(store.files)[:1]
    least, telling = groups_of_file(store, store.folder / state.labels, names)
    return least, telling if kept else ()


def _individual_risk(store: Store, known: Sequence[str], sizes: NDArray[np.int64]) -> float | None:
    """Return the mean individual risk, by persons; None where weights say nothing.

    `sizes` are those of the classes, counted by some key or by record.
    """
    weights = store.head.having(Role.WEIGHT)
    person = person_key(store.head)
    if not weights:
        if person is None:
            # A class of f records has the risk 1/f for each of them, and 1 in total.
            return float(sizes[1].sum() / len(store))
        of_persons = class_sizes(store, known, person)
        return float((of_persons[2] / of_persons[0]).sum() / len(store))
    if person is not None or not store.attributes[weights[0]].continuous:
        return None
    size, people, classes = sizes_and_weights(store, known, weights[0])
    if not (np.isfinite(people) & (people > 0)).all():
        return None
    return float((individual_risks(size, people) * size * classes).sum() / len(store))


def check_large_promises(
    claims: Sequence[Claim],
    counted: Counted,
    sample: Sample,
    pairing: Pairing | None,
    context: Context,
) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """Measure what the methods promise; return the claims that hold, and notes on the others.

    As in memory, a promise that has no meaning for the release as a whole is dropped with a note.
    """
    return kept_promises(claims, lambda measure: _score(measure, counted, sample, pairing, context))


def check_large_claims(
    claims: Sequence[Claim],
    counted: Counted,
    sample: Sample,
    pairing: Pairing | None,
    context: Context,
) -> tuple[Claim, ...]:
    """Measure each claim on the release; a false one is an error, and nothing is released."""
    return held_claims(claims, lambda measure: _score(measure, counted, sample, pairing, context))


def _probabilistic(counted: Counted, sample: Sample, pairing: Pairing | None) -> Score:
    """Return the least size of a group, unless something tells its records apart."""
    if counted.least_group is None or pairing is None or pairing.groups is None:
        raise NotApplicable("it needs the groups that the method formed, but there are none")
    if pairing.in_order:
        raise NotApplicable(
            "the rows are in the order of the original, so anyone who has it can link the "
            "records; shuffle them"
        )
    if counted.telling:
        drawn = pairing.groups.drawn_columns
        raise NotApplicable(why_not(counted.telling, sample.released, drawn))
    return Score(float(counted.least_group))


def _score(
    measure: Measure,
    counted: Counted,
    sample: Sample,
    pairing: Pairing | None,
    context: Context,
) -> Score:
    name = measure.spec.name
    if name == PROBABILISTIC:
        return _probabilistic(counted, sample, pairing)
    exact = counted.figures()
    if name in exact and measure == type(measure)():
        return _exact(name, counted)
    if measure.spec.of_release:
        raise NotApplicable(
            "with these parameters it is counted on all records in memory only; allow more memory, "
            "or leave the claim out"
        )
    if _understated(measure.spec, counted, sample):
        raise NotApplicable(f"{UNDERSTATED}; allow more memory, or leave the claim out")
    original, released = sample.measured
    score = measure.score(original, released, context, pairing)
    values = []
    part_of = _parts(sample)
    of_original = np.arange(len(original)) % PARTS
    known = sample.origin >= 0
    of_original[sample.origin[known]] = part_of[known]
    for part in range(PARTS):
        rows, original_rows = np.flatnonzero(part_of == part), np.flatnonzero(of_original == part)
        before, after = original.take(original_rows), released.take(rows)
        of_part = sample.origin[rows]
        places = np.where(of_part >= 0, np.searchsorted(original_rows, of_part), NO_ORIGIN)
        same = paired(places, None, pairing is not None and pairing.in_order)
        values.append(measure.score(before, after, context.within(part), same).value)
    around = STUDENT * float(np.std(values, ddof=1)) / PARTS**0.5
    low, high = score.interval or (score.value, score.value)
    return replace(score, interval=(low - around, high + around))


def _parts(sample: Sample) -> NDArray[np.int64]:
    """Return the part of the sample that each record belongs to, whole classes together."""
    known = sample.released.quasi_identifiers
    labels = classes(sample.released, known) if known else np.arange(len(sample.origin))
    return labels % PARTS


def with_counts(assessment: Assessment, counted: Counted, sample: Sample) -> Assessment:
    """Return an assessment of the sample with what was counted on all records in its place."""
    exact = counted.figures()
    assessment.rows = tuple(_row(row, exact, counted, sample) for row in assessment.rows)
    return assessment


def _understated(spec: Spec, counted: Counted, sample: Sample) -> bool:
    """Whether a risk of synthetic records would look smaller on a sample than it is.

    The original that a record comes too close to is hardly ever in the sample with it.
    """
    assert isinstance(spec, MeasureSpec)
    synthetic = bool(len(sample.origin)) and int(sample.origin.max()) < 0
    return synthetic and len(sample.origin) < counted.records and spec.side is Side.RISK


def _row(row: Row, exact: Mapping[str, float], counted: Counted, sample: Sample) -> Row:
    spec = row.spec
    assert isinstance(spec, MeasureSpec)
    if spec.name in exact and row.measure == type(row.measure)():
        return Row(row.measure, None, _exact(spec.name, counted))
    of_homes = counted.key is not None and counted.key.role is Role.HOUSEHOLD
    if spec.name == "household-risk" and of_homes:
        return Row(row.measure, left_out=_why_not_counted(spec.name))
    if row.after is None:
        return row
    if spec.of_release:
        return Row(row.measure, left_out=_why_not_counted(spec.name))
    if _understated(spec, counted, sample) and SECOND not in row.after.note:
        return Row(row.measure, left_out=UNDERSTATED)
    words = f"measured on {sample.described}"
    note = f"{row.after.note}; {words}" if row.after.note else words
    return replace(row, after=replace(row.after, note=note, interval=_interval(row.after)))


def _why_not_counted(name: str) -> str:
    if name == "t-closeness":
        return "it requires sorting all records: name it in measures or claims to have it counted"
    return "it is counted on all records, which is done in memory only"


def _interval(score: Score) -> tuple[float, float] | None:
    """Return the interval of a mean over the sampled records, where the score is one."""
    values = score.per_record
    if values is None or not np.isfinite(values).all():
        return score.interval
    if not np.isclose(values.mean(), score.value):
        return score.interval
    around = 1.96 * float(values.std()) / len(values) ** 0.5
    low, high = score.interval or (score.value, score.value)
    return low - around, high + around
