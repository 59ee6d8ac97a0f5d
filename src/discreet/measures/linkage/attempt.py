"""The attempt to link every released record to a person, for any way of comparing the two.

An attack says what a pair of a released and an original record costs; all of them share the way
from there to a rate of success. Small files are linked one to one as a whole. Of larger ones a
sample of the released records is compared with all originals, and what linking one to one adds is
seen in compact neighbourhoods of released records that compete for the originals around them.
Comparing with a sample of the originals would leave out most of a record's group, and make links
look certain that are not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import (
    Aim,
    Attack,
    Context,
    Findings,
    Imitated,
    Outcome,
    Pairing,
    Target,
    Way,
    known_pairing,
)
from discreet.errors import DataError, NotApplicable
from discreet.measures.linkage.assignment import (
    Owners,
    alike,
    cheapest,
    one_to_one,
    only_possible,
)
from discreet.measures.linkage.cells import Matrix, Rows
from discreet.measures.linkage.choosing import crossed, share_of
from discreet.measures.linkage.competing import Neighbourhood, gains_of_competing
from discreet.measures.linkage.scanning import CACHED_CELLS, Compare, Scan, nearest
from discreet.microdata import Microdata, Numbers

EXACT = 2_000
"""Files of at most this many records are linked one to one as a whole."""
SAMPLED_PAIRS, MOST_RIVALS = 30_000_000, 2_000_000
LEAST_SAMPLE, MOST_SAMPLED = 100, 1_000
"""Released records that a sample has at least, and at most."""
NOT_ONE_TO_ONE = "one to one was not tried among so many"
NEIGHBOURHOODS, NEIGHBOURED_PAIRS = (8, 32), 40_000_000
"""Neighbourhoods at least and at most, and the pairs that are compared to find all of them."""
NEIGHBOURS, AROUND = 100, 3_000
"""Records of each neighbourhood, which are looked for among so many."""
JUDGES, FEW_JUDGES = 100, 10
"""People by whose costs neighbours are found; a few of them tell who is looked at more closely."""
NEAREST, SCOUTS, FOUND = 8, 10, 400
"""Originals that each neighbour may be linked to, out of those that so many neighbours find."""

EVERYONE = slice(None)


@dataclass(frozen=True, eq=False)
class Comparison:
    """How an intruder compares: what a pair costs and, where known, whether it is possible."""

    costs: Compare
    possible: Callable[[Rows, Rows | slice], NDArray[np.bool_]] | None = None


class LinkageAttack(Attack):
    """Links released records to the people that an intruder knows, whose values are exact."""

    aim: ClassVar[Aim] = Aim.LINK
    against_people: ClassVar[bool] = True
    by_knowledge: ClassVar[bool] = True

    def compare(
        self, target: Target, names: Sequence[str], pairing: Pairing, context: Context
    ) -> Comparison:
        """Return how a released record is compared with the people, by the columns `names`."""
        raise TypeError(f"{type(self).__name__} does not say how to compare")

    def owners(self, target: Target, pairing: Pairing) -> Owners:
        """Return who counts as the own person of each released record.

        An attack by the quasi-identifiers alone finds nobody in particular where these were drawn.
        """
        groups = pairing.groups
        if groups is None or not groups.drawn or groups.labels[pairing.origin].min() < 0:
            return Owners(pairing.origin)
        return Owners.within(pairing.origin, groups.labels)

    def attack(self, data: Microdata, context: Context) -> Findings:
        """Return who would be found if the file were released as it is."""
        rows = np.arange(len(data))
        as_it_is = Pairing(rows, imitate=lambda _: Imitated(data, rows))
        try:
            outcome = self.attempt(Target(data, data, as_it_is), context)
        except NotApplicable as reason:
            raise DataError(f"{self.spec.name} cannot be tried on this file: {reason}") from None
        linked = outcome.per_record
        return Findings(
            {},
            np.full(len(data), outcome.success) if linked is None else linked,
            {},
            detail={"success": outcome.success, "blind": outcome.blind, **outcome.detail},
            note=f"{100 * outcome.success:.1f} % of the records are linked to the right person, "
            f"{100 * outcome.blind:.2g} % by a blind guess",
        )

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return the share of released records that are linked to the right person."""
        names = target.original.quasi_identifiers
        if not names:
            raise NotApplicable("no column is a quasi-identifier")
        pairing = known_pairing(target.pairing)
        if not len(target.released) or not len(target.original):
            raise NotApplicable("the release has no records")
        comparison = self.compare(target, names, pairing, context)
        return linked_by(comparison, self.owners(target, pairing), len(target.original), context)


def linked_by(comparison: Comparison, owners: Owners, originals: int, context: Context) -> Outcome:
    """Return the share of released records that a comparison with so many originals links."""
    if max(len(owners.origin), originals) <= EXACT:
        return _whole(comparison, owners, 1 / originals, context)
    return _sampled(comparison, owners, originals, 1 / originals, context)


def _whole(comparison: Comparison, owners: Owners, blind: float, context: Context) -> Outcome:
    rows = np.arange(len(owners.origin))
    costs = comparison.costs(rows, EVERYONE)
    many = cheapest(costs, owners)
    linked = one_to_one(costs, context.generator("ties"))
    single = owners.expected_success(linked, alike(costs))
    certain = None
    if comparison.possible is not None:
        certain = float(only_possible(comparison.possible(rows, EVERYONE), owners).mean())
    return _outcome(Way(many), Way(single), blind, certain, len(rows))


def _outcome(many: Way, single: Way, blind: float, certain: float | None, released: int) -> Outcome:
    best = crossed([many, single])
    sampled = len(many.chances) < released
    return Outcome(
        best.value,
        blind,
        interval=best.interval if sampled else None,
        certain=certain,
        per_record=None if sampled else best.chances,
        ways=(many, single),
        detail={
            "one to many": share_of(many),
            "one to one": share_of(single),
            "records compared": best.records,
        },
        note=f"estimated from {best.records:,} released records" if sampled else "",
    )


def _sampled(
    comparison: Comparison, owners: Owners, originals: int, blind: float, context: Context
) -> Outcome:
    released = len(owners.origin)
    mixed = context.generator("sample").permutation(released)[:MOST_SAMPLED]
    scan = Scan(comparison.costs, owners, originals)
    # The first records show how long one takes; most are given up early if the file is protected.
    linked = scan.chances(mixed[:LEAST_SAMPLE])
    size = int(LEAST_SAMPLE * SAMPLED_PAIRS / max(scan.compared, 1))
    with context.task("linking records", size) as advance:
        linked = np.concatenate([linked, scan.chances(mixed[LEAST_SAMPLE:size], advance)])
    sure = None
    if comparison.possible is not None:
        sure = float(scan.certain(mixed[: len(linked)], comparison.possible).mean())
    if originals > MOST_RIVALS:
        outcome = _outcome(Way(linked), Way(linked), blind, sure, released)
        detail = {key: value for key, value in outcome.detail.items() if key != "one to one"}
        return replace(
            outcome, ways=outcome.ways[:1], detail=detail, note=f"{outcome.note}; {NOT_ONE_TO_ONE}"
        )
    added = _in_neighbourhoods(comparison, owners, originals, float(linked.mean()), context)
    return _outcome(Way(linked), Way(linked, *added), blind, sure, released)


def _in_neighbourhoods(
    comparison: Comparison, owners: Owners, originals: int, many: float, context: Context
) -> tuple[Numbers, float]:
    """Return what linking one to one adds within compact sets of released records, a row each.

    Around a released record drawn at random, those that cost some people most nearly the same
    compete for their own originals and those that cost them least.
    """
    generator = context.generator("neighbourhoods")
    released = len(owners.origin)
    judges = generator.choice(originals, min(originals, JUDGES), replace=False)
    every = np.arange(released)
    roughly = _profiles(comparison.costs, every, judges[:FEW_JUDGES])
    places = []
    affordable = NEIGHBOURED_PAIRS // (FEW_JUDGES * released + SCOUTS * originals)
    count = min(released, int(np.clip(affordable, *NEIGHBOURHOODS)))
    for seed in generator.choice(released, count, replace=False).tolist():
        around = _most_like(roughly, seed, AROUND)
        near = _profiles(comparison.costs, around, judges)
        rows = around[_most_like(near, int(np.searchsorted(around, seed)), NEIGHBOURS)]
        rivals = _rivals(comparison.costs, rows, originals)
        people = np.union1d(rivals, owners.origin[rows])
        places.append(Neighbourhood(rows, people, comparison.costs(rows, people)))
    return gains_of_competing(places, owners, many, generator)


def _profiles(costs: Compare, rows: Rows, judges: Rows) -> Matrix:
    """Return what some released records cost the judges."""
    step = max(1, CACHED_CELLS // len(judges))
    return np.vstack([costs(rows[s : s + step], judges) for s in range(0, len(rows), step)])


def _most_like(profiles: Matrix, seed: int, most: int) -> Rows:
    """Return the places of the profiles that are most like one of them, in order of place.

    >>> _most_like(np.array([[0.0], [5.0], [1.0]], dtype=np.float32), 0, 2)
    array([0, 2])
    """
    unlike = np.abs(profiles - profiles[seed]).sum(axis=1)
    unlike[seed] = -1.0
    return np.sort(np.argsort(unlike, kind="stable")[:most])


def _rivals(costs: Compare, rows: Rows, originals: int) -> Rows:
    """Return the originals that cost some of these records least.

    Records that are alike have the same originals around them: a few of the records find those, and
    the others look among them.
    """
    scouts = rows[:: max(1, len(rows) // SCOUTS)]
    around = np.unique(nearest(costs, scouts, originals, FOUND))
    chosen = nearest(lambda r, people: costs(r, around[people]), rows, len(around), NEAREST)
    return around[np.unique(chosen)]
