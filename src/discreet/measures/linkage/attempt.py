"""The attempt to link every released record to a person, however the two are compared.

An attack defines the cost of a pair of a released and an original record; the steps from these
costs to a success rate are shared by all attacks. Small files are linked one to one as a whole. For
larger ones a sample of the released records is compared with all originals, and the gain from
linking one to one is estimated in compact neighbourhoods of released records that compete for the
originals around them. Comparing with a sample of the originals would leave out most of a record's
group, so that links would look certain when they are not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

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
from discreet.measures.linkage.balancing import balanced, balanced_in_part
from discreet.measures.linkage.cells import Matrix, Rows
from discreet.measures.linkage.choice_of_way import crossed, share_of
from discreet.measures.linkage.competing import Neighbourhood, gains_of_competing
from discreet.measures.linkage.scanning import CACHED_CELLS, Compare, Scan, nearest
from discreet.measures.view import compared_keys
from discreet.microdata import Microdata, Numbers

EXACT = 2_000
"""Files of up to this many records are linked one to one as a whole."""
SAMPLED_PAIRS, MOST_RIVALS = 30_000_000, 2_000_000
LEAST_SAMPLE, MOST_SAMPLED = 100, 1_000
"""The fewest and the most released records in a sample."""
MANY, SINGLE, BALANCED = "one to many", "one to one", "balanced"
"""Ways to link: each record to the cheapest person, all at least total cost, or by its chances."""
NOT_ONE_TO_ONE = "one to one was not tried among so many"
NEARLY_ALL, ENOUGH_PEOPLE = 0.99, 20_000
"""With more people than this, no further way of linking is tried once this share is linked."""
NO_NEED = "one to one was not tried, since nearly everybody is linked already"
NEIGHBOURHOODS, NEIGHBOURED_PAIRS = (8, 32), 40_000_000
"""The fewest and the most neighbourhoods, and the pairs that are compared to find all of them."""
NEIGHBOURS, AROUND = 100, 3_000
"""Records in each neighbourhood, and among how many records they are searched."""
JUDGES, FEW_JUDGES = 100, 10
"""People by whose costs neighbours are found; a few of them decide who is examined more closely."""
NEAREST, SCOUTS, FOUND = 8, 10, 400
"""Originals to which each neighbour may be linked, from those found by this many neighbours."""

EVERYONE = slice(None)


@dataclass(frozen=True, eq=False)
class Comparison:
    """How an intruder compares: the cost of a pair and, where known, whether it is possible.

    `likelihood` says that costs are negative log-likelihoods, up to a constant for each record.
    """

    costs: Compare
    possible: Callable[[Rows, Rows | slice], NDArray[np.bool_]] | None = None
    likelihood: bool = False


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
        """Return who counts as the right person for each released record.

        An attack by the quasi-identifiers alone finds no particular person if these were drawn at
        random.
        """
        groups = pairing.groups
        if groups is None or not groups.drawn or groups.labels[pairing.origin].min() < 0:
            return Owners(pairing.origin)
        return Owners.within(pairing.origin, groups.labels)

    def attack(self, data: Microdata, context: Context) -> Findings:
        """Return who would be found if the file were released unchanged."""
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
        names = compared_keys(target.original, target.released)
        pairing = known_pairing(target.pairing)
        comparison = self.compare(target, names, pairing, context)
        return linked_by(comparison, self.owners(target, pairing), len(target.original), context)


def linked_by(comparison: Comparison, owners: Owners, originals: int, context: Context) -> Outcome:
    """Return the share of released records that a comparison with this many originals links."""
    if max(len(owners.origin), originals) <= EXACT:
        return _whole(comparison, owners, 1 / originals, context)
    return estimated([comparison], owners, originals, context)[0]


def _whole(comparison: Comparison, owners: Owners, blind: float, context: Context) -> Outcome:
    rows = np.arange(len(owners.origin))
    costs = comparison.costs(rows, EVERYONE)
    many = cheapest(costs, owners)
    linked = one_to_one(costs, context.generator("ties"))
    single = owners.expected_success(linked, alike(costs))
    certain = None
    if comparison.possible is not None:
        certain = float(only_possible(comparison.possible(rows, EVERYONE), owners).mean())
    ways = {MANY: Way(many), SINGLE: Way(single)}
    if comparison.likelihood:
        ways[BALANCED] = Way(balanced(costs, owners))
    return _outcome(ways, blind, certain, len(rows))


def _outcome(
    ways: Mapping[str, Way], blind: float, certain: float | None, released: int
) -> Outcome:
    best = crossed(list(ways.values()))
    sampled = len(ways[MANY].chances) < released
    return Outcome(
        best.value,
        blind,
        interval=best.interval if sampled else None,
        certain=certain,
        per_record=None if sampled else best.chances,
        ways=tuple(ways.values()),
        detail={name: share_of(way) for name, way in ways.items()}
        | {"records compared": best.records},
        note=f"estimated from {best.records:,} released records" if sampled else "",
    )


def estimated(
    comparisons: Sequence[Comparison], owners: Owners, originals: int, context: Context
) -> list[Outcome]:
    """Return the share of released records that each comparison links, estimated from a sample.

    The neighbourhoods are found by the comparison that links most of the sample one to many; every
    comparison then links one to one in all of them.
    """
    samples = [_sampled(c, owners, originals, context) for c in comparisons]
    released, blind = len(owners.origin), 1 / originals
    if originals > MOST_RIVALS:
        return [_one_to_many(sample, blind, released, NOT_ONE_TO_ONE) for sample in samples]
    if originals > ENOUGH_PEOPLE and max(s.linked.mean() for s in samples) >= NEARLY_ALL:
        simple = [_one_to_many(sample, blind, released, NO_NEED) for sample in samples]
        return [replace(o, interval=(o.interval[0], 1.0) if o.interval else None) for o in simple]
    best = int(np.argmax([sample.linked.mean() for sample in samples]))
    places = list(_neighbourhoods(comparisons[best].costs, released, originals, context))
    outcomes = []
    for comparison, (linked, certain) in zip(comparisons, samples, strict=True):
        competing = [_competing(place, comparison.costs, owners) for place in places]
        generator = context.generator("one to one")
        added = gains_of_competing(competing, owners, float(linked.mean()), generator)
        ways = {MANY: Way(linked), SINGLE: Way(linked, *added)}
        if comparison.likelihood:
            mixed = context.generator("sample").permutation(released)
            ways[BALANCED] = balanced_in_part(comparison.costs, owners, originals, mixed)
        outcomes.append(_outcome(ways, blind, certain, released))
    return outcomes


class _Sample(NamedTuple):
    """The chances of some released records, and how far their certain links are right."""

    linked: Numbers
    certain: float | None


def _sampled(comparison: Comparison, owners: Owners, originals: int, context: Context) -> _Sample:
    mixed = context.generator("sample").permutation(len(owners.origin))[:MOST_SAMPLED]
    scan = Scan(comparison.costs, owners, originals)
    # The first records show how long one takes; in a protected file most are given up early.
    linked = scan.chances(mixed[:LEAST_SAMPLE])
    size = int(LEAST_SAMPLE * SAMPLED_PAIRS / max(scan.compared, 1))
    with context.task("linking records", size) as advance:
        linked = np.concatenate([linked, scan.chances(mixed[LEAST_SAMPLE:size], advance)])
    sure = None
    if comparison.possible is not None:
        sure = float(scan.certain(mixed[: len(linked)], comparison.possible).mean())
    return _Sample(linked, sure)


def _one_to_many(sample: _Sample, blind: float, released: int, why: str) -> Outcome:
    outcome = _outcome({MANY: Way(sample.linked)}, blind, sample.certain, released)
    return replace(outcome, note=f"{outcome.note}; {why}")


class _Place(NamedTuple):
    """Released records that are alike, and the originals around them."""

    rows: Rows
    around: Rows


def _neighbourhoods(
    costs: Compare, released: int, originals: int, context: Context
) -> Iterator[_Place]:
    """Yield compact sets of released records, each with the originals of least cost to them.

    A released record drawn at random is surrounded by those whose costs with some people are most
    nearly the same. Similar records have the same originals around them, so a few of the records
    find these.
    """
    generator = context.generator("neighbourhoods")
    judges = generator.choice(originals, min(originals, JUDGES), replace=False)
    affordable = NEIGHBOURED_PAIRS // (FEW_JUDGES * released + SCOUTS * originals)
    count = min(released, int(np.clip(affordable, *NEIGHBOURHOODS)))

    def place(seed: int) -> _Place:
        around = _most_like(roughly, seed, AROUND)
        near = _profiles(costs, around, judges)
        rows = around[_most_like(near, int(np.searchsorted(around, seed)), NEIGHBOURS)]
        scouts = rows[:: max(1, len(rows) // SCOUTS)]
        return _Place(rows, np.unique(nearest(costs, scouts, originals, FOUND)))

    seeds = generator.choice(released, count, replace=False).tolist()
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        roughly = _profiles(costs, np.arange(released), judges[:FEW_JUDGES], threads.map)
        yield from threads.map(place, seeds)


def _competing(place: _Place, costs: Compare, owners: Owners) -> Neighbourhood:
    """Return the costs of its records with their own originals and with those of least cost."""
    rows, around = place
    chosen = nearest(lambda r, people: costs(r, around[people]), rows, len(around), NEAREST)
    people = np.union1d(around[np.unique(chosen)], owners.origin[rows])
    return Neighbourhood(rows, people, costs(rows, people))


def _profiles(
    costs: Compare, rows: Rows, judges: Rows, each: Callable[..., Iterable[None]] = map
) -> Matrix:
    """Return the costs of some released records with the judges, a row for each judge."""
    profiles = np.empty((len(judges), len(rows)), dtype=np.float32)
    step = max(1, CACHED_CELLS // len(judges))

    def fill(start: int) -> None:
        part = slice(start, start + step)
        profiles[:, part] = costs(rows[part], judges).T

    for _ in each(fill, range(0, len(rows), step)):
        pass
    return profiles


def _most_like(profiles: Matrix, seed: int, most: int) -> Rows:
    """Return the positions of the profiles that are most like one of them, in order of position.

    Among equally similar ones the first are taken.

    >>> _most_like(np.array([[0.0, 5.0, 1.0, 1.0]], dtype=np.float32), 0, 2)
    array([0, 2])
    """
    records = profiles.shape[1]
    unlike = np.zeros(records, dtype=np.float32)
    step = max(1, CACHED_CELLS // len(profiles))
    for start in range(0, records, step):
        part = slice(start, start + step)
        for gap in np.abs(profiles[:, part] - profiles[:, seed, None]):
            unlike[part] += gap
    unlike[seed] = -1.0
    if most >= records:
        return np.arange(records)
    least = np.partition(unlike, most - 1)[most - 1]
    nearer = np.flatnonzero(unlike < least)
    as_near = np.flatnonzero(unlike == least)[: most - len(nearer)]
    return np.sort(np.concatenate([nearer, as_near]))
