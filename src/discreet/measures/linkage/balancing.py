"""Links by chances in which nobody is linked more than once, on average.

Where a cost is minus the log of a likelihood, exp(−c) are the odds of a pair. They are scaled by
rows and columns until the odds of each released record and of each person add up to one (Sinkhorn &
Knopp 1967, Concerning nonnegative matrices and doubly stochastic matrices), and each record is
linked to its likeliest person. One-to-one links of least total cost are the likeliest links *taken
together*; where many assignments are nearly as likely, more of the links are right if each record
is linked by its own chances.

In a large file this is done around single records: with the people whom a record resembles most,
the records of these people, and a sample of all other records and people, each of which stands for
several. Scales that depend on a small part of the sample are noisy. So half of the sample is tried
too, and the change from half to whole is extrapolated to the file.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self

import numpy as np

from discreet.contracts import Way
from discreet.measures.linkage.assignment import Owners, cheapest
from discreet.measures.linkage.cells import Matrix, Rows
from discreet.measures.linkage.scanning import CACHED_CELLS, Compare, nearest
from discreet.microdata import Numbers

ROUNDS = 20
"""How often rows and columns are scaled; a few times suffice if each record has many candidates."""
NEAR, SAMPLE = 60, 1_500
"""The people around a record, and the records that stand for all others."""
TRIED_PAIRS, TRIED = 30_000_000, (60, 200)
"""Pairs that are compared to find who is near some records, and the fewest and most of these."""
WHOLE = 8_000_000
"""Up to this many pairs of the sample with everybody, or all records, each is compared only
once."""
AT_ONCE = 10
"""Records that are compared with everybody at a time; the cores share them."""
HIGHEST, LEAST = 500.0, 1e-300
"""The largest exponent, and the smallest sum by which anything is divided."""


def balanced(costs: Matrix, owners: Owners) -> Numbers:
    """Return the chance that the likeliest person of each record is the right one, in a whole file.

    Both records are nearest to the first person, but the second record can be nobody else.

    >>> costs = np.array([[0.0, 0.5], [0.0, 9.0]], dtype=np.float32)
    >>> balanced(costs, Owners(np.array([1, 0]))).tolist()
    [1.0, 1.0]
    """
    odds = _odds(costs, costs.min(axis=1))
    scales = _Scales.of(odds, *odds.shape)
    return cheapest(np.asarray(costs - np.log(scales.people), dtype=np.float32), owners)


def balanced_in_part(costs: Compare, owners: Owners, originals: int, mixed: Rows) -> Way:
    """Return the same for some records of a large file, all of which are given in random order.

    The gains are what the file would add to the sample, extrapolated from what the sample adds to
    its half; their error may be as large as they are.
    """
    sample = mixed[:SAMPLE]
    between = costs(sample, owners.origin[sample])
    size, half = len(sample), len(sample) // 2
    fields = [_Field.of(between[:s, :s], len(mixed), originals) for s in (size, half)]
    tried = sample[: min(size, int(np.clip(TRIED_PAIRS // originals, *TRIED)))]
    row_of = np.full(originals, -1, dtype=np.int32 if len(mixed) < 2**31 else np.int64)
    row_of[owners.origin] = np.arange(len(mixed))
    costs_of_sample, costs_with_sample = _beside(costs, sample, owners, originals)

    def chances_from(start: int) -> list[list[float]]:
        some = tried[start : start + AT_ONCE]
        near = np.sort(nearest(costs, some, originals, NEAR), axis=1)
        return [chances_of(row, people) for row, people in zip(some.tolist(), near, strict=True)]

    def chances_of(row: int, people: Rows) -> list[float]:
        """Return the chance of a record by each of the fields."""
        owner = owners.near(row, people)
        if owner is None:
            # Its person is not among those who resemble it most. If added to them, this one alone
            # would be spared the competition of all others who resemble it as little.
            return [0.0 for _ in fields]
        rows = np.unique(np.append(row_of[people], row))
        rows = rows[rows >= 0]
        place = _Place(
            costs(rows, people),
            np.where(np.isin(sample, rows)[:, None], np.inf, costs_of_sample(people)),
            np.where(np.isin(owners.origin[sample], people), np.inf, costs_with_sample(rows)),
        )
        own_row = int(np.searchsorted(rows, row))
        priced = [place.near[own_row] - np.log(field.scales_of(place)) for field in fields]
        return [float(cheapest(np.asarray(p[None], dtype=np.float32), owner)[0]) for p in priced]

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        parts = list(threads.map(chances_from, range(0, len(tried), AT_ONCE)))
    chances = np.array([of_record for part in parts for of_record in part]).T
    gains = (1 - size / len(mixed)) * (chances[0] - chances[1])
    return Way(chances[0], gains[:, None], abs(float(gains.mean())))


def _beside(
    costs: Compare, sample: Rows, owners: Owners, originals: int
) -> tuple[Callable[[Rows], Matrix], Callable[[Rows], Matrix]]:
    """Return the costs of the sample with people, and of records with the people of the sample.

    In a small file the neighbourhoods of many records consist of the same people.
    """
    released, owned = len(owners.origin), owners.origin[sample]
    if len(sample) * max(originals, released) > WHOLE:
        return lambda people: costs(sample, people), lambda rows: costs(rows, owned)
    parts = max(1, len(sample) * released // CACHED_CELLS)
    of_people = np.vstack(
        [costs(part, slice(0, originals)) for part in np.array_split(sample, parts)]
    ).T.copy()
    of_rows = np.vstack([costs(part, owned) for part in np.array_split(np.arange(released), parts)])
    return lambda people: of_people[people].T, lambda rows: of_rows[rows]


@dataclass(frozen=True, eq=False)
class _Scales:
    """The scales of records and people, and the odds that a person is linked to nobody."""

    records: Numbers
    people: Numbers
    nobody: float

    @classmethod
    def of(
        cls, odds: Numbers, records: int, people: int, others: tuple[float, float] = (1, 1)
    ) -> Self:
        """Return the scales for a file of this many records and people.

        In a sample the right pairs are on the diagonal; `others` says how many records and people
        every other pair stands for.
        """
        own_odds = odds.diagonal()
        of_people = np.ones(odds.shape[1])
        for _ in range(ROUNDS):
            of_record = others[1] * (odds @ of_people)
            if others[1] != 1:
                of_record -= (others[1] - 1) * own_odds * of_people
            of_records = 1 / np.maximum(of_record, LEAST)
            nobody = max(0, people - records) / max(people * float(of_people.mean()), LEAST)
            of_person = others[0] * (of_records @ odds) + nobody
            if others[0] != 1:
                of_person -= (others[0] - 1) * own_odds * of_records
            of_people = _share(records, people) / np.maximum(of_person, LEAST)
        return cls(of_records, of_people, nobody)


@dataclass(frozen=True, eq=False)
class _Place:
    """The costs of records and people near each other, and of the sample with them.

    What is near must not count as far too, so its cost there is infinite.
    """

    near: Matrix
    far_records: Numbers
    far_people: Numbers


@dataclass(frozen=True, eq=False)
class _Field:
    """A sample of a file with the scales of its records and people.

    `least` is the lowest cost of each record of the sample, to which its odds are relative.
    """

    least: Numbers
    scales: _Scales
    released: int
    originals: int

    @classmethod
    def of(cls, costs: Matrix, released: int, originals: int) -> Self:
        """Return the scales for a file when some records were compared with their people."""
        least = costs.min(axis=1)
        others = tuple((size - 1) / (len(costs) - 1) for size in (released, originals))
        scales = _Scales.of(_odds(costs, least), released, originals, (others[0], others[1]))
        return cls(least, scales, released, originals)

    def scales_of(self, place: _Place) -> Numbers:
        """Return the scales of the people near a record."""
        size = len(self.least)
        far_people, far_records = place.far_people[:, :size], place.far_records[:size]
        least = np.minimum(place.near.min(axis=1), far_people.min(axis=1))
        near = _odds(place.near, least)
        weight = self._stand_for(self.originals - near.shape[1], far_people[0])
        elsewhere = weight * (_odds(far_people, least) @ self.scales.people)
        weight = self._stand_for(self.released - near.shape[0], far_records[:, 0])
        wanted: Numbers = weight * (self.scales.records @ _odds(far_records, self.least))
        people = _share(self.released, self.originals) / np.maximum(
            wanted + self.scales.nobody, LEAST
        )
        for _ in range(ROUNDS):
            records = 1 / np.maximum(near @ people + elsewhere, LEAST)
            people = _share(self.released, self.originals) / np.maximum(
                records @ near + wanted + self.scales.nobody, LEAST
            )
        return people

    def _stand_for(self, others: int, far: Numbers) -> float:
        """Return how many others each far member of the sample stands for."""
        return others / max(int(np.isfinite(far).sum()), 1)


def _share(records: int, people: int) -> float:
    """Return how many records each person has."""
    return max(1.0, records / people)


def _odds(costs: Matrix | Numbers, least: Matrix | Numbers) -> Numbers:
    exponents = np.asarray(least, dtype=np.float64)[:, None] - costs
    return np.asarray(np.exp(np.minimum(exponents, HIGHEST, out=exponents), out=exponents))
