"""The choice among several ways of linking: for half of the records, by what the other half shows.

An intruder may link one to many or one to one, and with this or that tolerance. The way that links
most of some records was partly chosen by luck: of several that find one record in a file by chance,
the best finds two. So the choice is made by half of the people, as if they had been found already,
and judged by the others (Stone 1974, Cross-validatory choice and assessment of statistical
predictions). If one way is better by more than luck, both halves choose it and nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Randomness
from discreet.measures.sampled import NORMAL_95, wilson
from discreet.microdata import Numbers

FOLDS = 2
"""Parts of the records, each of which is linked in the way that is best for all others."""
SAME = Randomness(0)
"""The same parts for every seed: a claim must not depend on who is drawn."""


@dataclass(frozen=True, eq=False)
class Chosen:
    """The chances of the records of each part, linked in the way that is best for the others.

    `parts` has them by the way that was chosen, with the share of all records that each stands for.
    `chances` has them in the order of the records, where all ways are about the same records.
    `ways` are all that there was to choose from.
    """

    parts: tuple[tuple[float, Numbers], ...]
    chances: Numbers | None
    ways: tuple[Numbers, ...]

    @property
    def value(self) -> float:
        """The share of records that are linked rightly."""
        return _share(self.parts) if self.chances is None else float(self.chances.mean())

    @property
    def records(self) -> int:
        """How many records the share was counted among."""
        return sum(part.size for _, part in self.parts)

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the share, if the records are a sample.

        It reaches as far up as that of any way: a sample may choose a way that is not the best.
        """
        low = _interval(self.parts)[0]
        high = max(_interval([(1.0, way)])[1] for way in self.ways)
        return min(low, self.value), max(high, self.value)


def crossed(ways: Sequence[Numbers]) -> Chosen:
    """Return the chances of the records of each part, linked in the way best for all others.

    Each way has the chance of success of some records, the same ones in the same order or, where
    they are samples, its own; or a row of them for each neighbourhood, and then neighbourhoods are
    divided. Of ways that are equally good the first is taken.

    >>> crossed([np.array([0.0, 1.0, 1.0, 1.0]), np.array([0.5, 0.5, 0.5, 0.5])]).chances
    array([0., 1., 1., 1.])
    """
    folds = min(FOLDS, *(len(way) for way in ways))
    fold_of = [_parts(len(way), folds) for way in ways]
    chosen = np.array(
        [
            int(np.argmax([_without(way, of, fold) for way, of in zip(ways, fold_of, strict=True)]))
            for fold in range(folds)
        ]
    )
    used = {
        at: (float((chosen == at).mean()), ways[at][chosen[fold_of[at]] == at])
        for at in np.unique(chosen).tolist()
    }
    chances = None
    if all(way.ndim == 1 and len(way) == len(ways[0]) for way in ways):
        chances = np.array(ways)[chosen[fold_of[0]], np.arange(len(ways[0]))]
    return Chosen(tuple(used.values()), chances, tuple(ways))


def _without(way: Numbers, fold_of: NDArray[np.int64], fold: int) -> float:
    """Return the mean of the chances outside of one part."""
    others = way[fold_of != fold]
    return float(others.mean()) if len(others) else 0.0


def _share(parts: Sequence[tuple[float, Numbers]]) -> float:
    return float(sum(share * part.mean() for share, part in parts))


def _interval(parts: Sequence[tuple[float, Numbers]]) -> tuple[float, float]:
    """Return the interval of the share of all records.

    Records of one neighbourhood are linked or missed together, so that they tell as much as the
    fewer independent ones whose share would vary as much (Kish 1965, the design effect).
    """
    found = _share(parts)
    error = sum(share**2 * _variance(part) for share, part in parts)
    records = sum(part.size for _, part in parts)
    alone = found * (1 - found) / error if error > 0 else records
    return wilson(found, max(1.0, min(alone, records)))


def _variance(part: Numbers) -> float:
    """Return how much the mean of some chances varies, at least that of hits and misses."""
    share = float(part.mean())
    among = share * (1 - share)
    if part.ndim == 1:
        return among / part.size
    if len(part) < 2:
        return among
    from scipy.stats import t

    wider = float(t.ppf(0.975, len(part) - 1)) / NORMAL_95
    between = float(part.mean(axis=1).var(ddof=1)) / len(part)
    return max(among / part.size, between * wider**2)


def _parts(records: int, folds: int) -> NDArray[np.int64]:
    return SAME.generator("halves").permutation(records) % folds
