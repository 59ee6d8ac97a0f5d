"""Which households are exchanged with which: first those at risk, then more up to the rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from discreet.methods.perturbative.targeted_record_swapping.pairing import (
    Labels,
    first_of_each,
    lacking,
    pairs,
    ranks_within,
)


@dataclass(eq=False)
class Exchange:
    """The exchange of households, of which each takes part at most once.

    `areas` has the area of each household at each level, the largest areas first; `like` how many
    households there are in that area with a member like its rarest one. `profiles` are the cells of
    similar households, tried in order; `quota` the number to be exchanged in each smallest area.
    `taking_part` is false for households that have no area. `partner` is −1 without one.
    """

    areas: Sequence[Labels]
    like: Sequence[Labels]
    profiles: Sequence[Labels]
    quota: Labels
    taking_part: NDArray[np.bool_]
    generator: np.random.Generator
    partner: Labels = field(init=False)

    def __post_init__(self) -> None:
        self.partner = np.full(len(self.taking_part), -1)
        draws = self.generator.exponential(size=len(self.partner))
        # In this order, households are drawn with chances in proportion to their risk 1/like.
        self.turn = draws * self.like[-1]

    @property
    def free(self) -> NDArray[np.bool_]:
        """The households that can still be exchanged."""
        return self.taking_part & (self.partner < 0)

    @property
    def open(self) -> Labels:
        """How many more are to be exchanged in each smallest area; less than 0 if too many were."""
        done = np.bincount(self.areas[-1][self.partner >= 0], minlength=len(self.quota))
        return np.asarray(self.quota - done)

    def those_at_risk(self, k: int) -> None:
        """Exchange the households that fewer than k others resemble, across the areas in which they
        stand out.

        They are exchanged with one another where that is possible, else with others, preferably of
        areas in which not enough have been exchanged.
        """
        for areas, like in zip(self.areas, self.like, strict=True):
            for cells in self.profiles:
                wanted = np.flatnonzero(self.free & (like < k))
                donors = self._donors(wanted, cells, areas)
                chosen = np.concatenate([wanted, donors])
                self._exchange(chosen[pairs(cells[chosen], areas[chosen], self.generator)])

    def up_to_the_rate(self) -> None:
        """Exchange more, until the quota of each smallest area is reached.

        If no two areas can reach their quotas together any more, others exceed theirs by one.
        """
        for beyond in (0, 1):
            for cells in self.profiles:
                while self._some_more(cells, beyond):
                    pass

    def _some_more(self, cells: Labels, beyond: int) -> bool:
        """Exchange households of areas below their quota; false if there are none."""
        areas, quota = self.areas[-1], self.open
        if not (quota > 0).any():
            return False
        chosen = np.flatnonzero(self.free & (quota + beyond > 0)[areas])
        made = chosen[pairs(cells[chosen], areas[chosen], self.generator)]
        made = made[(quota[areas[made]] > 0).any(axis=1)]
        made = made[np.argsort(self.turn[made].min(axis=1), kind="stable")]
        place = ranks_within(areas[made].ravel()).reshape(made.shape)
        room = quota[areas[made]] - place
        made = made[(room + beyond > 0).all(axis=1) & (room > 0).any(axis=1)]
        self._exchange(made)
        return len(made) > 0

    def _donors(self, wanted: Labels, cells: Labels, areas: Labels) -> Labels:
        """Return as many others as the wanted households need to be paired."""
        needed, larger = lacking(cells[wanted], areas[wanted], int(cells.max(initial=-1)) + 1)
        able = self.free & (needed[cells] > 0) & (areas != larger[cells])
        able[wanted] = False
        others = np.flatnonzero(able)
        full = self.open[self.areas[-1][others]] <= 0
        others = others[np.lexsort((self.turn[others], full, cells[others]))]
        return others[first_of_each(cells[others], needed)]

    def _exchange(self, made: Labels) -> None:
        self.partner[made[:, 0]] = made[:, 1]
        self.partner[made[:, 1]] = made[:, 0]
