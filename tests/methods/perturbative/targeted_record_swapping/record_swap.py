"""The rules of sdcMicro's recordSwap (version 1.0.1 of its procedure), one household at a time.

Risk is one over the number of *persons* like a member in the area, the largest of the members
counts. From the largest areas down, households above the threshold look for a donor: of all that
are not of the same area, in an order drawn by risk, the first that is alike. In the smallest areas
half the rate of the households looks for a donor, those at risk among them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.int64]


@dataclass
class Swapped:
    """Who was swapped with whom (−1: nobody), who had to be swapped, and who found no donor."""

    partner: Labels
    at_risk: NDArray[np.bool_]
    without_donor: int


def record_swap(
    homes: Labels,
    areas: Sequence[Labels],
    kinds: Labels,
    alike: Labels,
    k: int,
    rate: float,
    generator: np.random.Generator,
) -> Swapped:
    """Swap households; `homes`, `kinds` and the `areas`, largest first, are those of persons.

    `alike` is the profile of each household.
    """
    count = int(homes.max()) + 1
    first = np.array([np.flatnonzero(homes == home)[0] for home in range(count)])
    risk = np.zeros((len(areas), count))
    for level in range(len(areas)):
        keys = list(zip(*(area.tolist() for area in areas[: level + 1]), kinds, strict=True))
        like = Counter(keys)
        for home, key in zip(homes, keys, strict=True):
            risk[level, home] = max(risk[level, home], 1 / like[key])
    must = [
        int(np.argmax(risk[:, h] > 1 / k)) if (risk[:, h] > 1 / k).any() else -1
        for h in range(count)
    ]
    partner, looked = np.full(count, -1), set()
    begun: Counter[tuple[int, ...]] = Counter()
    for level in range(len(areas)):
        last = level == len(areas) - 1
        members = defaultdict(list)
        for home in range(count):
            place = tuple(int(area[first[home]]) for area in areas[: level + 1])
            members[place].append(home)
        turn = np.argsort(-risk[level] / generator.exponential(size=count))
        for place, in_area in members.items():
            wanted = [h for h in in_area if partner[h] < 0 and h not in looked and must[h] == level]
            if last:
                share = len(in_area) * rate / 2
                asked = int(share) + int(generator.random() < share % 1)
                more = asked - begun[place] - len(wanted)
                free = [
                    h for h in in_area if partner[h] < 0 and h not in looked and h not in wanted
                ]
                drawn = sorted(free, key=lambda h: -risk[-1, h] / generator.exponential())
                wanted += drawn[: max(0, more)]
            for home in wanted:
                if partner[home] >= 0:
                    continue
                donors = (
                    h
                    for h in turn
                    if partner[h] < 0 and h not in in_area and alike[h] == alike[home]
                )
                donor = next(donors, None)
                if donor is None:
                    looked.add(home)
                    continue
                partner[home], partner[donor] = donor, home
                begun[tuple(int(area[first[home]]) for area in areas)] += 1
    return Swapped(partner, np.array(must) >= 0, len(looked))
