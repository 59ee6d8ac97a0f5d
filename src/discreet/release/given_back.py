"""Untouched columns that reveal what was protected.

A year of birth beside a protected age, a total beside its parts, a code beside its label: anyone
who knows one can work out the other, whatever was done to it. Each protected column is predicted on
the original from the columns that are released unchanged: from each alone, as a sum or a product of
several, and by a tree. The prediction is fitted to half of a sample of the records and tested on
the other half.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from discreet.errors import DataError, UsageError
from discreet.microdata import Microdata, Numbers, Role, unknown_column
from discreet.microdata.clusters import clusters_by, key_of
from discreet.microdata.equivalence import classes
from discreet.models.recovery import Codes, Target, within_one
from discreet.release.course import rows_at

FUNCTION = 0.95
"""If a column gives back this share of another, the other counts as a function of it."""
NEAR = 0.5
"""A share of at least this is reported."""
SAMPLE = 20_000
LEAST_SAMPLE = 2_000
WORK = 10_000_000
"""Records times pairs of columns that are examined; the sample shrinks accordingly."""
PAIRS = WORK // LEAST_SAMPLE
"""If there are more pairs, only the first columns are examined, and a note says so."""
PER_VALUE = 10
"""A column is treated as a code only if this many records share a value on average.

Otherwise the records of a household or the visits of a person would seem to predict one another.
"""
PER_NAME = 6
"""A column counts as another one renamed only if this many records share a value on average."""
REPEATS = 20
"""This many records must share their value with others before two columns count as one."""
JOINT_SAMPLE = 4_000
"""Records on which sums, products and trees of all columns are fitted and tested."""
CLASSES = 50
"""A tree predicts at most this many categories."""
NAMED = 5
"""At most this many columns are named, those that contribute most."""


@dataclass(frozen=True)
class GivenBack:
    """A protected column, what gives it back, and how much of it.

    `share` is the share of the records missed by a blind guess that the prediction gets right.
    """

    protected: str
    by: tuple[str, ...]
    share: float
    words: str = "is that intended?"

    @property
    def sentence(self) -> str:
        """The finding as a sentence."""
        many = len(self.by) > 1
        names = " and ".join(f"'{name}'" for name in self.by)
        return (
            f"{names} {'are' if many else 'is'} released as {'they are' if many else 'it is'} and "
            f"{'give' if many else 'gives'} back {self.share:.0%} of '{self.protected}', which was "
            "protected"
        )


def look_for_given_back(
    data: Microdata,
    released: Microdata,
    origin: NDArray[np.int64],
    allow: Sequence[str],
    rng: np.random.Generator,
) -> list[str]:
    """Refuse a release whose untouched columns give back a protected one.

    Return notes on those that nearly do, and on those that do and are in `allow`, or are weights or
    strata. `origin` names the original row of each released record; synthetic records have none,
    and nothing in them is untouched.

    >>> import discreet
    >>> age = np.random.default_rng(1).integers(18, 90, 500)
    >>> data = discreet.read({"age": age, "born": 2026 - age})
    >>> moved = data.replace([data.column("age").with_values(data["age"] + 1)])
    >>> look_for_given_back(data, moved, np.arange(500), [], np.random.default_rng(1))
    Traceback (most recent call last):
    discreet.errors.DataError: 'born' is released as it is and gives back 100% of 'age', which was
    protected; leave it out with the role identifier, protect it together with 'age', or allow it by
    name (allow: [born])
    >>> look_for_given_back(data, moved, np.arange(500), ["born"], np.random.default_rng(1))
    ["'born' is released as it is and gives back 100% of 'age', which was protected; it is allowed"]
    """
    for name in allow:
        if name not in data.schema:
            raise UsageError(unknown_column(name, data.schema.names, asked_by="allow"))
    protected, left = treated_and_left(data, released, origin)
    return look_among(data, protected, left, allow, rng)


def look_among(
    data: Microdata,
    protected: list[str],
    left: list[str],
    allow: Sequence[str],
    rng: np.random.Generator,
) -> list[str]:
    """Do the same, knowing which columns were protected and which are released as they are.

    Nothing else of the release matters: what gives a column back is found in the original.
    """
    if not protected or not left:
        return []
    notes = []
    widest = max(int(PAIRS**0.5), PAIRS // len(protected), PAIRS // len(left))
    if len(protected) * len(left) > PAIRS:
        notes.append(
            f"of the {len(left)} columns that are released as they are and the {len(protected)} "
            f"that were protected, the first {widest} were examined: whether others give back "
            "what was protected is not known"
        )
        protected, left = protected[:widest], left[:widest]
    design = set(data.having(Role.WEIGHT, Role.STRATUM)) - set(allow)
    checked = [name for name in left if name not in design and name not in allow]
    sample = data.take(_sampled(data, len(protected) * len(left), rng))
    findings = list(_findings(sample, protected, checked))
    for finding in findings:
        if finding.share >= FUNCTION:
            raise DataError(f"{finding.sentence}; {_ways_out(finding)}")
    # A release needs its weights: they are reported, for the owner to judge.
    for names, words in (
        ([name for name in left if name in design], "is that intended?"),
        ([name for name in left if name in allow], "it is allowed"),
    ):
        findings += [replace(f, words=words) for f in _findings(sample, protected, names)]
    return notes + [f"{finding.sentence}; {finding.words}" for finding in findings]


def treated_and_left(
    data: Microdata, released: Microdata, origin: NDArray[np.int64]
) -> tuple[list[str], list[str]]:
    """Return the columns that were changed, and those that are released unchanged."""
    before = rows_at(data, origin)
    if before is None:
        return [], []
    protected, left = [], []
    for column in released:
        role = column.attribute.role
        if role in (Role.HOUSEHOLD, Role.PERSON) or column.name not in before.schema:
            continue
        if column.same_as(before.column(column.name)):
            left.append(column.name)
        elif role not in (Role.WEIGHT, Role.STRATUM):
            protected.append(column.name)
    return protected, left


def _ways_out(finding: GivenBack) -> str:
    many = len(finding.by) > 1
    pronoun = "them" if many else "it"
    leave = "leave one of them out" if many else "leave it out"
    return (
        f"{leave} with the role identifier, protect {pronoun} together with "
        f"'{finding.protected}', or allow {pronoun} by name (allow: [{', '.join(finding.by)}])"
    )


def _sampled(data: Microdata, pairs: int, rng: np.random.Generator) -> Codes:
    """Return rows in random order, clusters kept together; fewer if there are more columns."""
    most = int(np.clip(WORK // max(pairs, 1), LEAST_SAMPLE, SAMPLE))
    key = key_of(data)
    if key is None:
        return rng.permutation(len(data))[:most]
    gaps = data.column(key).missing.any()
    # The clusters are known already; without a number, records are together here.
    labels = classes(data, [key]) if gaps else clusters_by(data, key).labels
    order = rng.permutation(int(labels.max(initial=-1)) + 1)[labels]
    # Each cluster has a record at least, so that later ones are not needed.
    rows = np.flatnonzero(order < most)
    return rows[np.argsort(order[rows], kind="stable")[:most]]


def _findings(
    sample: Microdata, protected: Sequence[str], left: Sequence[str]
) -> Iterator[GivenBack]:
    """Yield for each protected column what gives most of it back, if it is worth reporting."""
    alone = {finding.protected: finding for finding in _codes(sample, protected, left)}
    few = sample.take(np.arange(min(len(sample), JOINT_SAMPLE)))
    for name in protected:
        best = alone.get(name)
        if best is None or best.share < FUNCTION:
            for joint in _jointly(few, name, left):
                # Several columns must do clearly better than a single one to be named in its place.
                least = NEAR if best is None else best.share + 0.05
                if joint.share >= min(least, FUNCTION):
                    best = joint
        if best is not None:
            yield best


def _codes(sample: Microdata, protected: Sequence[str], left: Sequence[str]) -> list[GivenBack]:
    """Return for each protected column the single column whose values reveal most of it."""
    coded = {name: np.unique(sample[name], return_inverse=True)[1] for name in left}
    key = key_of(sample)
    # Members of a household share what they share; one of them says as much as all.
    first = np.unique(classes(sample, [key]), return_index=True)[1] if key else slice(None)
    by_code = []
    for name in protected:
        column = sample.column(name)
        # Beside an extreme value, values that differ seem close; a code tells them apart.
        repeated = len(np.unique(column.values)) <= len(sample) / PER_VALUE
        exactly = (False, True) if column.attribute.continuous and repeated else (False,)
        gains: dict[str, float] = {}
        for target in (Target.of(column, exact) for exact in exactly):
            for other, codes in coded.items():
                if target is not None and codes.max() + 1 <= len(codes) / PER_VALUE:
                    gain = target.gain(target.by_value(codes[target.rows]))
                    gains[other] = max(gain, gains.get(other, 0.0))
        if len(sample):
            values = np.unique(column.values, return_inverse=True)[1][first]
            gains |= {
                other: 1.0 for other, codes in coded.items() if _renamed(values, codes[first])
            }
        best = max(gains, key=lambda other: gains[other], default=None)
        if best is not None and gains[best] >= NEAR:
            by_code.append(GivenBack(name, (best,), gains[best]))
    return by_code


def _renamed(codes: Codes, others: Codes) -> bool:
    """Whether two columns are one under two names: each value of one stands for one of the other.

    Values must be shared by more records than a household has: the number of a household seems to
    stand for its rent. Among few records two columns may agree by chance.
    """
    count = int(codes.max()) + 1
    if count < 2 or int(others.max()) + 1 != count:
        return False
    if len(codes) < max(PER_NAME * count, REPEATS + count):
        return False
    pairs = np.unique(codes.astype(np.int64) * count + others)
    return len(pairs) == count


def _jointly(sample: Microdata, name: str, left: Sequence[str]) -> Iterator[GivenBack]:
    """Yield what sums, products and a tree of all columns together give back."""
    target = Target.of(sample.column(name))
    if target is None or not left:
        return
    numbers = [n for n in left if sample.schema[n].continuous]
    if target.tolerance is not None and numbers:
        values = _filled(sample.matrix(numbers)[target.rows])
        for predicted, weights in (
            target.linear(values),
            target.multiplied(values),
        ):
            if predicted is not None:
                yield GivenBack(name, _named(numbers, weights), target.gain(predicted))
    if target.tolerance is None and target.categories > CLASSES:
        return
    features = _filled(np.column_stack([sample[n].astype(float) for n in left])[target.rows])
    predicted, weights = target.tree(features)
    yield GivenBack(name, _named(left, weights), target.gain(predicted))


def _named(names: Sequence[str], weights: Numbers) -> tuple[str, ...]:
    """Return the columns that a prediction rests on, in their order."""
    least = max(0.05 * weights.max(), np.sort(weights)[-NAMED:][0])
    return tuple(name for name, w in zip(names, weights, strict=True) if w >= least)


def _filled(values: Numbers) -> Numbers:
    """Return the values with missing ones replaced by the mean of their column.

    Columns are scaled to lie within one, so that no sum of values or squares overflows.
    """
    filled = np.column_stack([within_one(column) for column in values.T])
    for column in filled.T:
        gaps = ~np.isfinite(column)
        column[gaps] = column[~gaps].mean() if not gaps.all() else 0.0
    return filled
