"""The choice among several ways of linking: for each half of the records, from the other half.

An intruder may link one to many or one to one, and with various tolerances. The way that links most
of some records owes part of its lead to luck: if several find one record in a file by chance, the
best of them finds two. So the choice is made on half of the people, as if they had been found
already, and judged on the others (Stone 1974, Cross-validatory choice and assessment of statistical
predictions). If one way is better by more than luck, both halves choose it, and the result is the
same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Randomness, Way
from discreet.measures.sampled import NORMAL_95, exact_low, wilson
from discreet.microdata import Numbers

FOLDS = 2
"""The number of parts; each is linked in the way that is best for all others."""
SAME = Randomness(0)
"""The parts are the same for every seed: a claim must not depend on who is drawn."""


@dataclass(frozen=True, eq=False)
class Chosen:
    """The chances of the records of each part, linked in the way that is best for the others.

    `parts` has them by the way that was chosen, with the share of all records that each stands for.
    `chances` has them in the order of the records, if all ways are about the same records. `ways`
    are all the ways that were available.
    """

    parts: tuple[tuple[float, Way], ...]
    chances: Numbers | None
    ways: tuple[Way, ...]

    @property
    def value(self) -> float:
        """The share of records that are linked correctly."""
        return _share(self.parts) if self.chances is None else float(self.chances.mean())

    @property
    def records(self) -> int:
        """The number of records from which the share was computed."""
        return sum(len(part.chances) for _, part in self.parts)

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the share, if the records are a sample.

        Its upper end is the highest of any way: a sample may choose a way that is not the best.
        """
        low = _interval(self.parts)[0]
        high = max(_interval([(1.0, way)])[1] for way in self.ways)
        return min(low, self.value), max(high, self.value)


def crossed(ways: Sequence[Way]) -> Chosen:
    """Return the chances of the records of each part, linked in the way best for all others.

    Each way has the chance of success of some records: the same ones in the same order or, if they
    are samples, its own; neighbourhoods are divided as records are. Among equally good ways the
    first is taken.

    >>> crossed([Way(np.array([0.0, 1.0, 1.0, 1.0])), Way(np.full(4, 0.5))]).chances
    array([0., 1., 1., 1.])
    """
    folds = min(FOLDS, *(len(table) for way in ways for table in _tables(way)))
    chosen = np.array(
        [
            int(np.argmax([share_of(_some(way, folds, others)) for way in ways]))
            for others in ~np.eye(folds, dtype=np.bool_)
        ]
    )
    used = tuple(
        (float((chosen == at).mean()), _some(ways[at], folds, chosen == at))
        for at in np.unique(chosen).tolist()
    )
    chances, records = None, len(ways[0].chances)
    if all(way.gains is None and len(way.chances) == records for way in ways):
        of_record = chosen[_parts(records, folds)]
        chances = np.array([way.chances for way in ways])[of_record, np.arange(records)]
    return Chosen(used, chances, tuple(ways))


def share_of(way: Way) -> float:
    """Return the share of the records that a way links.

    >>> share_of(Way(np.array([0.0, 1.0]), gains=np.array([[0.5, 0.0], [0.0, 0.0]])))
    0.625
    """
    if not len(way.chances):
        return 0.0
    gain = 0.0 if way.gains is None else float(way.gains.mean())
    return min(1.0, max(0.0, float(way.chances.mean()) + gain))


def _tables(way: Way) -> list[Numbers]:
    return [way.chances] if way.gains is None else [way.chances, way.gains]


def _some(way: Way, folds: int, kept: NDArray[np.bool_]) -> Way:
    """Return the records and neighbourhoods of the parts that are kept."""
    tables = (table[kept[_parts(len(table), folds)]] for table in _tables(way))
    return Way(next(tables), next(tables, None), way.error)


def _share(parts: Sequence[tuple[float, Way]]) -> float:
    return float(sum(share * share_of(part) for share, part in parts))


def _interval(parts: Sequence[tuple[float, Way]]) -> tuple[float, float]:
    """Return the interval of the share of all records.

    It combines those of the shares and of the gains, whose half-widths add up as standard errors do
    (Zou & Donner 2008, Construction of confidence limits about effect measures).
    """
    share_of_all, down, up = _share(parts), 0.0, 0.0
    for share, part in parts:
        records = float(part.chances.mean())
        low, high = exact_low(records, len(part.chances)), wilson(records, len(part.chances))[1]
        reach = _reach_of_gains(part)
        down += share**2 * ((records - low) ** 2 + reach**2)
        up += share**2 * ((high - records) ** 2 + reach**2)
    return max(0.0, share_of_all - math.sqrt(down)), min(1.0, share_of_all + math.sqrt(up))


def _reach_of_gains(way: Way) -> float:
    """Return the error of the mean gain: it varies by place, and surroundings are unknown.

    Records of one neighbourhood are linked or missed together, so places are counted, not records.
    """
    if way.gains is None:
        return 0.0
    places = len(way.gains)
    if places < 2:
        return 1.0
    from scipy.stats import t

    between = float(way.gains.mean(axis=1).std(ddof=1)) / math.sqrt(places)
    return math.hypot(float(t.ppf(0.975, places - 1)) * between, NORMAL_95 * way.error)


def _parts(records: int, folds: int) -> NDArray[np.int64]:
    return SAME.generator("halves").permutation(records) % folds
