"""When to try which record, and at what temperature.

In files with heavy tails the changes that matter for an outlier are a thousand times those that
matter for a record in the crowd. A record is worth trying while the temperature is comparable with
its own scale, the squared distance to its (k-1)-th neighbour: when much hotter its moves are noise,
when much colder it is frozen. So the temperature falls over the whole range of scales, from the
outliers' to the crowd's, only the records near it are tried, and it falls slowly where there are
many.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Cooling", "Stretch"]

# The temperature at which a record is first tried, in units of its scale, by the decimal
# logarithm of the number of tries per record: starting hot pays when there is time to cool.
LOG_TRIES = (1.0, 1.5, 2.0, 2.6, 3.3)
HOT = (0.01, 0.05, 0.2, 0.5, 1.0)
COLD = 0.03
# Share of a round, at its end, in which all records are tried and only gains are taken.
DESCENT = 0.04
FEWEST_ACTIVE = 20
# Where the outliers go is settled early and for good. Cooling more slowly than this many tries per
# record gains less than starting again, from another early outcome.
TRIES_PER_ROUND = 20_000
MOST_ROUNDS = 8


class Stretch(NamedTuple):
    """The records to try in a part of the budget, and the temperature at its ends."""

    active: NDArray[np.int64]
    hot: float
    cold: float


class Cooling:
    """The temperatures of a search, as a function of the fraction of its budget that is spent.

    >>> cooling = Cooling(np.array([1.0, 1.0, 1.0, 100.0]), tries=10_000)
    >>> round(cooling.stretch(0.0, 0.1).hot), cooling.stretch(1.0, 1.0).hot
    (100, 0.0)
    """

    def __init__(self, scales: NDArray[np.float64], tries: float) -> None:
        self.rounds = min(max(int(tries / TRIES_PER_ROUND), 1), MOST_ROUNDS)
        hot = float(np.interp(math.log10(max(tries / self.rounds, 1.0)), LOG_TRIES, HOT))
        cold = min(COLD, hot / 10.0)
        self.order = np.argsort(scales, kind="stable")
        ordered = scales[self.order]
        self.logs = np.linspace(math.log(ordered[-1] * hot), math.log(ordered[0] * cold), 400)
        temperatures = np.exp(self.logs)
        fewest = min(FEWEST_ACTIVE, scales.size)
        begin = np.searchsorted(ordered, temperatures / hot * 0.999)
        end = np.searchsorted(ordered, temperatures / cold * 1.001, side="right")
        self.begin = np.minimum(begin, scales.size - fewest)
        self.end = np.maximum(end, self.begin + fewest)
        time_at = (self.end - self.begin).astype(np.float64)
        spent = np.cumsum((time_at[1:] + time_at[:-1]) / 2.0)
        self.spent = np.concatenate([[0.0], spent]) / spent[-1] * (1.0 - DESCENT)

    def stretch(self, begin: float, end: float) -> Stretch:
        """Return what to do between two fractions of the budget, close to each other."""
        past = min(int(begin * self.rounds), self.rounds - 1)
        begin, end = begin * self.rounds - past, end * self.rounds - past
        if end > 1.0 - DESCENT:
            return Stretch(self.order, 0.0, 0.0)
        # Scales fall with time, so the part's last moment has its least active record.
        first = int(np.interp(end, self.spent, self.begin))
        last = math.ceil(np.interp(begin, self.spent, self.end))
        hot, cold = np.exp(np.interp([begin, end], self.spent, self.logs))
        return Stretch(self.order[first:last], float(hot), float(cold))
