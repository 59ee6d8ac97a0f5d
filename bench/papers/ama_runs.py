"""AMA and MA on the survey that replaces the paper's file: what is run, timed and measured."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from discreet.contracts import Context
from discreet.io.reading import read
from discreet.microaggregation.grouping import sse_share
from discreet.microaggregation.partition.mdav import MDAV
from discreet.microdata import Microdata
from discreet.microdata.embedding import Embedding

CENSUS = "gov_census_acs2018.parquet"
# In the order of the paper's Table 4, from which n-CENSUS takes the first n: age, gender,
# education, marital, race; then the nearest equivalents of work-class, country, occupation, salary.
ATTRIBUTES = (
    "age", "sex", "education_level", "marital", "race", "hours_worked", "citizenship",
    "family_size", "salary",
)  # fmt: skip
MA, AMA = "MA", "AMA"
WAYS = {MA: "all", AMA: "key"}
NAMES = {MA: "MA: all attributes", AMA: "AMA: key attributes"}
K = 20
ROUNDS = 3
LITTLE = 1.5
"""What counts as "a little bit more": up to one and a half times the loss."""


@dataclass(frozen=True)
class Outcome:
    """One way of grouping on one table; the processor time of each round."""

    rounds: tuple[float, ...]
    attributes: int
    loss: float

    @property
    def seconds(self) -> float:
        """The shortest time."""
        return min(self.rounds)


@dataclass(frozen=True)
class Series:
    """What varies, over which values, and the outcomes of each way."""

    axis: str
    at: tuple[int, ...]
    outcomes: dict[str, list[Outcome]]

    def rounds(self, way: str, at: int) -> tuple[float, ...]:
        """Return the times of the rounds at one value."""
        return self.outcomes[way][at].rounds

    def rises(self, way: str) -> list[float]:
        """Return by how much the time grows from the first value to the last, round by round."""
        pairs = zip(self.rounds(way, 0), self.rounds(way, -1), strict=True)
        return [last - first for first, last in pairs]

    def each(self, pick: Callable[[Outcome], float]) -> dict[str, list[float]]:
        """Return one figure of every outcome, by way."""
        return {way: [pick(outcome) for outcome in self.outcomes[way]] for way in WAYS}


def census(folder: Path) -> Microdata:
    """Return the file with nine attributes, its records in a random but fixed order."""
    data = read(folder / CENSUS)
    data = data.drop([name for name in data.schema.names if name not in ATTRIBUTES])
    return data.take(np.random.default_rng(2012).permutation(len(data)))


def outcomes(data: Microdata, columns: Sequence[str], k: int, rounds: int) -> dict[str, Outcome]:
    """Return both ways on one table, timed alternately in several rounds."""
    points = Embedding.fit(data, columns).points(data)
    spent: dict[str, list[float]] = {way: [] for way in WAYS}
    groups = {}
    # What a way loads at its first use is not part of its time.
    for turn in range(rounds + 1):
        for way, attributes in WAYS.items():
            partition = MDAV(k=k, attributes=attributes)
            started = time.process_time()
            groups[way] = partition.groups(data, columns, Context())
            if turn:
                spent[way].append(time.process_time() - started)
    return {
        way: Outcome(
            tuple(spent[way]),
            len(groups[way].detail.get("key attributes", columns)),
            sse_share(points, groups[way].labels),
        )
        for way in WAYS
    }
