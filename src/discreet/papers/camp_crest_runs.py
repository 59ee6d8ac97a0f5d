"""What is computed for Li & Sarkar (2013): methods at a linkage rate, with all their measures.

For CAMP-CREST and its partial form k is the least that reaches the linkage. The benchmark has two
parameters; the paper sets both so that linkage is about the same and X² no smaller than that of the
proposed methods. So here: for each of some t the least k that reaches the linkage, and of these
pairs the one of least X² not below that of Partial CAMP-CREST. A second row has the pair of least
ABISD whose X² is no larger than that of CAMP-CREST. A third form of CAMP-CREST looks at 10 records
around an edge at most, where the default looks at k.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from discreet.contracts import Context, Measure, Pairing, Partition, Replacement
from discreet.least_k import SEEDS, least_k, linkage
from discreet.microdata import Microdata
from discreet.papers.li_sarkar import BENCHMARK, FULL, LEVELS, MIXED, NARROW, PARTIAL, TABLE_1
from discreet.partition.crest import CREST
from discreet.partition.mdav import MDAV
from discreet.partition.mst import MST
from discreet.partition.partial_crest import PartialCREST
from discreet.partition.t_closeness_mst import TClosenessMST
from discreet.randomness import Randomness
from discreet.replacement.centroid import Centroid
from discreet.replacement.microperturbation import Microperturbation
from discreet.risk.class_divergence import ClassDivergence
from discreet.risk.distance_linkage import DistanceLinkage
from discreet.risk.homogeneous_share import HomogeneousShare
from discreet.utility.abico import ABICO
from discreet.utility.abim import ABIM
from discreet.utility.abisd import ABISD

TS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
WAYS: dict[str, Callable[[int], Partition]] = {
    PARTIAL: lambda k: PartialCREST(k=k),
    FULL: lambda k: CREST(k=k),
    NARROW: lambda k: CREST(k=k, b=min(k, 10)),
}


@dataclass(frozen=True)
class Run:
    """One method at one linkage level, over five seeds where it draws random numbers."""

    level: float
    method: str
    k: int
    t: float | None
    groups: int
    seconds: float
    linkage: float
    unscaled: float
    x2: float
    abim: float
    abisd: float
    abico: float


@dataclass(frozen=True)
class Shares:
    """One method of §7: who is linked, and who stands in a group of one class."""

    method: str
    linked: float
    linked_or_second: float
    homogeneous: float


def score(measure: Measure, data: Microdata, released: Microdata, pairing: Pairing) -> float:
    """Return the value of a measure."""
    return measure.score(data, released, Context(), pairing).value


class Study:
    """One file, with the linkage of every k that was tried on the way to the lowest level."""

    def __init__(self, name: str, data: Microdata) -> None:
        self.name, self.data, self._columns = name, data, data.quasi_identifiers

    @cached_property
    def paths(self) -> dict[str, dict[int, float]]:
        """The linkage of every k from 3 to the least that reaches the lowest level, by method."""
        # Compiles, outside of the timing.
        CREST(k=3).groups(self.data.take(np.arange(50)), self._columns, Context())
        return {way: self._path(way) for way in WAYS}

    def _path(self, way: str) -> dict[int, float]:
        def draw_at(k: int) -> Callable[[Context], Microdata]:
            groups = WAYS[way](k).groups(self.data, self._columns, Context())
            masking = Microperturbation()
            return lambda context: self.data.replace(
                masking.replace(self.data, self._columns, groups, context)
            )

        return least_k(self.data, draw_at, LEVELS[-1], Context())[1]

    def least(self, way: str, level: float) -> int:
        """Return the least k of a method that reaches a level."""
        return next(k for k, rate in self.paths[way].items() if rate <= level)

    def run(self, level: float, method: str, partition: Partition, replacement: Replacement) -> Run:
        """Run one method with all seeds and take the mean of every measure."""
        data, columns = self.data, self._columns
        started = time.perf_counter()
        groups = partition.groups(data, columns, Context())
        grouping = time.perf_counter() - started
        pairing = Pairing(np.arange(len(data)), groups)
        found: list[tuple[float, ...]] = []
        for seed in SEEDS if replacement.spec.random else SEEDS[:1]:
            started = time.perf_counter()
            drawn = replacement.replace(data, columns, groups, Context(Randomness(seed)))
            seconds = grouping + time.perf_counter() - started
            released = data.replace(drawn)
            rates = (linkage(data, released), linkage(data, released, "none"))
            measures = (ClassDivergence(), ABIM(), ABISD(), ABICO())
            scores = (score(measure, data, released, pairing) for measure in measures)
            found.append((seconds, *rates, *scores))
        means = map(float, np.mean(found, axis=0))
        values = partition.values()
        return Run(level, method, values["k"], values.get("t"), groups.count, *means)

    def _benchmark(self, t: float, level: float) -> Run:
        partition = TClosenessMST(k=self._benchmark_k(t, level), t=t, scaling="range")
        return self.run(level, BENCHMARK, partition, Centroid())

    def _benchmark_k(self, t: float, level: float) -> int:
        """Return the least k that reaches the level, as if linkage never rose with k."""
        data, columns = self.data, self._columns

        def reaches(k: int) -> bool:
            groups = TClosenessMST(k=k, t=t, scaling="range").groups(data, columns, Context())
            released = data.replace(Centroid().replace(data, columns, groups, Context()))
            return linkage(data, released) <= level

        low, high = 2, 4
        while not reaches(high):
            low, high = high, min(2 * high, len(data))
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if reaches(middle) else (middle, high)
        return high

    @cached_property
    def table_1(self) -> list[Run]:
        """The rows of both levels."""
        rows: list[Run] = []
        for level in LEVELS:
            ours = {
                way: self.run(level, way, WAYS[way](self.least(way, level)), Microperturbation())
                for way in WAYS
            }
            pairs = [self._benchmark(t, level) for t in TS]
            above = [row for row in pairs if row.x2 >= ours[PARTIAL].x2]
            most = max(pairs, key=lambda row: row.x2)
            rows.append(min(above, key=lambda row: row.x2) if above else most)
            below = [row for row in pairs if row.x2 <= ours[FULL].x2]
            if below:
                rows.append(replace(min(below, key=lambda row: row.abisd), method=MIXED))
            rows += ours.values()
        return rows

    def as_printed(self, largest: int) -> list[Run]:
        """Return the procedure as printed at the k whose X² is nearest the paper's."""
        rows = []
        by_k = {way: {k: self.x2(way, k) for k in range(3, largest + 1)} for way in (PARTIAL, FULL)}
        for level in LEVELS:
            for way, found in by_k.items():
                target = TABLE_1[self.name, level, way][2]
                k = min(found, key=lambda size: abs(found[size] - target))
                masking = Microperturbation(as_printed=True)
                rows.append(self.run(level, way, WAYS[way](k), masking))
        return rows

    def x2(self, way: str, k: int) -> float:
        """Return the class divergence of the groups alone."""
        groups = WAYS[way](k).groups(self.data, self._columns, Context())
        pairing = Pairing(np.arange(len(self.data)), groups)
        return score(ClassDivergence(), self.data, self.data, pairing)

    def x2_between(self, way: str, k: int) -> tuple[float, float]:
        """Return the least and the largest X² for some k from half to one and a half of this."""
        found = [self.x2(way, int(near)) for near in np.linspace(max(3, k // 2), 3 * k // 2, 12)]
        return min(found), max(found)

    def figure_6(self) -> dict[str, list[tuple[float, float]]]:
        """Return (linkage, ABICO) of the benchmark and of CAMP-CREST, from 10 % down to 1 %."""
        t = next(row.t for row in self.table_1 if row.method == BENCHMARK)
        assert t is not None
        found: dict[str, list[tuple[float, float]]] = {BENCHMARK: [], FULL: []}
        for percent in range(10, 0, -1):
            level = percent / 100
            ours = CREST(k=self.least(FULL, level))
            for row in (
                self._benchmark(t, level),
                self.run(level, FULL, ours, Microperturbation()),
            ):
                found[row.method].append((row.linkage, row.abico))
        return found

    def section_7(self) -> list[Shares]:
        """Return linked and homogeneous shares of traditional microaggregation and CAMP-CREST."""
        data, columns, k = self.data, self._columns, self.least(FULL, LEVELS[-1])
        ways: dict[str, tuple[Partition, Replacement]] = {
            "MST, k = 5, means": (MST(k=5, scaling="range", split=False), Centroid()),
            "MDAV, k = 5, means": (MDAV(k=5, scaling="range"), Centroid()),
            "CREST, k = 5, means": (CREST(k=5), Centroid()),
            f"CAMP-CREST, k = {k}": (CREST(k=k), Microperturbation()),
        }
        rows = []
        for words, (partition, replacement) in ways.items():
            groups = partition.groups(data, columns, Context())
            masked = replacement.replace(data, columns, groups, Context(Randomness(SEEDS[0])))
            released, pairing = data.replace(masked), Pairing(np.arange(len(data)), groups)
            linked = score(DistanceLinkage(), data, released, pairing)
            alone = score(HomogeneousShare(), data, released, pairing)
            rows.append(Shares(words, linked, linkage(data, released), alone))
        return rows
