"""What linking one to one adds, estimated in neighbourhoods of a large file.

Released records of a neighbourhood compete for originals; so do the records around it, which are
not computed. If these took nothing, too many wrong originals would be left to the neighbourhood; if
each took its own, too few. They are assumed to do as well as the file does on average (a mean
field): an original from outside is taken as often as records are linked correctly, first one to
many, then as the neighbourhoods show. Whether a record is found varies greatly from place to place,
and records of dense places are in more neighbourhoods than others. What one-to-one links *add*
varies less: it is added to the share of a sample that represents the file (the difference
estimator, Cochran 1977, Sampling techniques, ch. 7).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from discreet.measures.linkage.assignment import Owners, alike, cheapest, one_to_one
from discreet.measures.linkage.cells import Matrix, Rows
from discreet.microdata import Numbers

ROUNDS = 2
"""How often the share of originals taken is estimated; more would only follow chance."""


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """Some released records, the originals for which they compete, and the cost of each pair.

    The records' own originals are among these, in the order of their rows.
    """

    rows: Rows
    people: Rows
    costs: Matrix

    def gains(self, owners: Owners, taken: float, generator: np.random.Generator) -> Numbers:
        """Return how much the chance of each record rises if all of them are linked one to one.

        `taken` is the share of the originals from outside that are linked to other records.
        """
        nearby_owners = owners.among(self.rows, self.people)
        left = np.isin(self.people, owners.origin[self.rows])
        left |= generator.random(len(left)) >= taken
        costs = self.costs[:, left]
        linked = np.append(np.flatnonzero(left), -1)[one_to_one(costs, generator)]
        single = nearby_owners.expected_success(linked, alike(costs))
        return np.asarray(single - cheapest(self.costs, nearby_owners))


def gains_of_competing(
    places: Sequence[Neighbourhood], owners: Owners, many: float, generator: np.random.Generator
) -> tuple[Numbers, float]:
    """Return what linking one to one adds to the chances, a row for each neighbourhood.

    `many` is the share of all records that are linked correctly one to many. The second figure is
    the standard error due to the mean field, which is not the true one: half of what it adds to the
    success of neighbourhoods with nobody around.

    >>> costs = np.array([[0.1, 0.0], [0.0, 5.0]], dtype=np.float32)
    >>> place = Neighbourhood(np.array([0, 1]), np.array([0, 1]), costs)
    >>> gains_of_competing([place], Owners(np.array([0, 1])), 0.0, np.random.default_rng(1))
    (array([[0., 0.]]), 0.0)
    """
    alone = np.array([place.gains(owners, 0.0, generator) for place in places])
    gains = np.zeros((len(places), 1))
    for _ in range(ROUNDS):
        taken = many + float(gains.mean())
        gains = np.array([place.gains(owners, taken, generator) for place in places])
    return gains, abs(float(gains.mean() - alone.mean())) / 2
