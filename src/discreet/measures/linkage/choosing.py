"""The choice among several ways of linking: for half of the records, by what the other half shows.

An intruder may link one to many or one to one, and with this or that tolerance. The way that links
most of some records was partly chosen by luck: of several that find one record in a file by chance,
the best finds two. So the choice is made by half of the people, as if they had been found already,
and judged by the others (Stone 1974, Cross-validatory choice and assessment of statistical
predictions). If one way is better by more than luck, both halves choose it and nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Randomness
from discreet.microdata import Numbers

HALVES = Randomness(0)
"""The same halves for every seed: a claim must not depend on who is drawn."""


def crossed(ways: Sequence[Numbers]) -> Numbers:
    """Return the chances of the records of each half, linked in the way best for the other half.

    Each way has the chance of success of some records, the same ones in the same order or, where
    they are samples, its own. Of ways that are equally good the first is taken.

    >>> crossed([np.array([0.0, 1.0, 1.0, 1.0]), np.array([0.5, 0.5, 0.5, 0.5])])
    array([0., 1., 1., 1.])
    """
    halves = [_halves(len(way)) for way in ways]
    means = [
        [float(way[half == side].mean()) if (half == side).any() else 0.0 for side in (0, 1)]
        for way, half in zip(ways, halves, strict=True)
    ]
    by_0, by_1 = (int(np.argmax([mean[side] for mean in means])) for side in (0, 1))
    first, second = (ways[by_1], halves[by_1]), (ways[by_0], halves[by_0])
    if len(first[0]) == len(second[0]):
        return np.where(first[1] == 0, first[0], second[0])
    return np.concatenate([first[0][first[1] == 0], second[0][second[1] == 1]])


def _halves(records: int) -> NDArray[np.int64]:
    return HALVES.generator("halves").permutation(records) % 2
