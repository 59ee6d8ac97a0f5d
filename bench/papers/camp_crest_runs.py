"""What is computed for Li & Sarkar (2013): methods at a linkage rate, with all their measures.

For CAMP-CREST and its partial form k is the least that reaches the linkage. The benchmark has two
parameters; the paper sets both so that linkage is about the same and X² no smaller than that of the
proposed methods. So here: for each of some t the least k that reaches the linkage, and of these
pairs the one of least X² not below that of Partial CAMP-CREST. A second row has the pair of least
ABISD whose X² is no larger than that of CAMP-CREST.

CAMP-CREST looks at the b records around an edge, by default b = k. The paper does not tell its b,
but its times do: growing the tree takes O(bN²), and from 5 to 1 % linkage, where k grows several
times over, it takes only a tenth longer. So in the form 'b kept' b is k up to the first level's k,
and stays there.

The paper as printed differs from ours in two things: its noise is not centred within groups, and
its distance is divided by the number of columns, which gives the classes more weight.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bench.papers.li_sarkar import (
    BENCHMARK,
    FULL,
    HEAVY,
    KEPT,
    LEVELS,
    MIXED,
    PARTIAL,
    TABLE_1,
)
from discreet.contracts import Context, Measure, Pairing, Partition, Randomness, Replacement
from discreet.measures.risk.class_divergence import ClassDivergence
from discreet.measures.risk.distance_linkage import DistanceLinkage
from discreet.measures.risk.homogeneous_share import HomogeneousShare
from discreet.measures.utility.abico import ABICO
from discreet.measures.utility.abim import ABIM
from discreet.measures.utility.abisd import ABISD
from discreet.methods.perturbative.class_restricted.least_k import SEEDS, least_k, linkage
from discreet.microaggregation.partition.crest import CREST
from discreet.microaggregation.partition.mdav import MDAV
from discreet.microaggregation.partition.mst import MST
from discreet.microaggregation.partition.partial_crest import PartialCREST
from discreet.microaggregation.partition.t_closeness_mst import TClosenessMST
from discreet.microaggregation.replacement.centroid import Centroid
from discreet.microaggregation.replacement.microperturbation import Microperturbation
from discreet.microdata import Microdata

TS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
WAYS: dict[str, Callable[[int], Partition]] = {
    PARTIAL: lambda k: PartialCREST(k=k),
    FULL: lambda k: CREST(k=k),
    HEAVY: lambda k: CREST(k=k, alpha=0.1),
}
TIMES = 20
"""How often records are left out, to see how steady X² is."""


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


def printed_alpha(columns: int) -> float:
    """Return the α of CREST that grows the tree of the paper's α = 0.5.

    The paper's length is the root of the summed squares over the number of columns J, ours that
    root over √J (§4). So L/√J + JSD takes the place of L + JSD, and has the same order as
    α L + (1 − α) JSD with α = 1 / (1 + √J).

    >>> printed_alpha(9)
    0.25
    """
    return float(1 / (1 + np.sqrt(columns)))


def kept(k: int, bound: int) -> CREST:
    """Return CREST with b = k as long as k is within the bound, and the bound beyond it.

    >>> kept(5, 12).b, kept(60, 12).b
    (5, 12)
    """
    return CREST(k=k, b=min(k, bound))


def reaching(path: Mapping[int, float], level: float) -> int:
    """Return the first k of a path whose linkage is within the level.

    >>> reaching({3: 0.2, 4: 0.06, 5: 0.04}, 0.05)
    5
    """
    return next(k for k, rate in path.items() if rate <= level)


def least_by_halving(reaches: Callable[[int], bool], most: int) -> int:
    """Return the least k that reaches a level, as if linkage never rose with k.

    >>> least_by_halving(lambda k: k >= 37, most=100)
    37
    """
    low, high = 2, 4
    while high < most and not reaches(high):
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


class Study:
    """One file, with the linkage of every k that was tried on the way to the lowest level."""

    def __init__(self, name: str, data: Microdata) -> None:
        self.name, self.data, self._columns = name, data, data.quasi_identifiers
        self._benchmarks: dict[tuple[float, float], Run] = {}

    @cached_property
    def paths(self) -> dict[str, dict[int, float]]:
        """The linkage of every k from 3 to the least that reaches the lowest level, by method."""
        # Compiles, outside of the timing.
        CREST(k=3).groups(self.data.take(np.arange(50)), self._columns, Context())
        paths = {way: self._path(WAYS[way]) for way in (PARTIAL, FULL)}
        bound = reaching(paths[FULL], LEVELS[0])
        return {**paths, KEPT: self._path(lambda k: kept(k, bound))}

    def partition(self, way: str, k: int) -> Partition:
        """Return the partition of a method with this k."""
        return kept(k, self.least(FULL, LEVELS[0])) if way == KEPT else WAYS[way](k)

    def _path(self, way: Callable[[int], Partition]) -> dict[int, float]:
        def draw_at(k: int) -> Callable[[Context], Microdata]:
            groups = way(k).groups(self.data, self._columns, Context())
            masking = Microperturbation()
            return lambda context: self.data.replace(
                masking.replace(self.data, self._columns, groups, context)
            )

        return least_k(self.data, draw_at, LEVELS[-1], Context())[1]

    def least(self, way: str, level: float) -> int:
        """Return the least k of a method that reaches a level."""
        return reaching(self.paths[way], level)

    def run(
        self,
        level: float,
        method: str,
        partition: Partition,
        replacement: Replacement,
        candidates: int = 2,
    ) -> Run:
        """Run one method with all seeds and take the mean of every measure.

        A record is linked if its own is among so many nearest candidates.
        """
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
            rates = [linkage(data, released, by, candidates) for by in ("range", "none")]
            measures = (ClassDivergence(), ABIM(), ABISD(), ABICO())
            scores = (score(measure, data, released, pairing) for measure in measures)
            found.append((seconds, *rates, *scores))
        means = map(float, np.mean(found, axis=0))
        values = partition.values()
        return Run(level, method, values["k"], values.get("t"), groups.count, *means)

    def _benchmark(self, t: float, level: float) -> Run:
        if (t, level) not in self._benchmarks:
            partition = TClosenessMST(k=self._benchmark_k(t, level), t=t, scaling="range")
            self._benchmarks[t, level] = self.run(level, BENCHMARK, partition, Centroid())
        return self._benchmarks[t, level]

    def _benchmark_k(self, t: float, level: float) -> int:
        """Return the least k of the benchmark that reaches the level."""
        data, columns = self.data, self._columns

        def reaches(k: int) -> bool:
            groups = TClosenessMST(k=k, t=t, scaling="range").groups(data, columns, Context())
            released = data.replace(Centroid().replace(data, columns, groups, Context()))
            return linkage(data, released) <= level

        return least_by_halving(reaches, len(data))

    @cached_property
    def table_1(self) -> list[Run]:
        """The rows of both levels."""
        rows: list[Run] = []
        for level in LEVELS:
            ours = {
                way: self.run(
                    level, way, self.partition(way, self.least(way, level)), Microperturbation()
                )
                for way in self.paths
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

    def nearest_benchmarks(self) -> list[Run]:
        """Return the benchmark at each level, with the t whose X² is nearest the paper's."""
        found = []
        for level in LEVELS:
            away = {
                t: abs(self._benchmark(t, level).x2 - TABLE_1[self.name, level, BENCHMARK][2])
                for t in TS
            }
            found.append(self._benchmark(min(away, key=away.__getitem__), level))
        return found

    @property
    def printed(self) -> dict[str, Callable[[int], Partition]]:
        """Both methods with the distance of the paper, by k."""
        alpha = printed_alpha(len(self._columns))
        return {PARTIAL: WAYS[PARTIAL], FULL: lambda k: CREST(k=k, alpha=alpha)}

    def as_printed(self, candidates: int) -> list[Run]:
        """Return the paper's procedure to the letter, at the k that reaches each level.

        With one candidate only the nearest original counts as a link.
        """
        masking, ways = Microperturbation(as_printed=True), self.printed
        rates: dict[tuple[str, int], float] = {}

        def rate(way: str, k: int) -> float:
            if (way, k) not in rates:
                groups = ways[way](k).groups(self.data, self._columns, Context())
                found = []
                for seed in SEEDS:
                    context = Context(Randomness(seed))
                    drawn = masking.replace(self.data, self._columns, groups, context)
                    released = self.data.replace(drawn)
                    found.append(linkage(self.data, released, candidates=candidates))
                rates[way, k] = float(np.mean(found))
            return rates[way, k]

        def least(way: str, level: float) -> int:
            return least_by_halving(lambda k: rate(way, k) <= level, len(self.data))

        return [
            self.run(level, way, ways[way](least(way, level)), masking, candidates)
            for level in LEVELS
            for way in ways
        ]

    def left_out(self, partitions: Mapping[str, Partition]) -> dict[str, list[float]]:
        """Return X² of the groups when one record in fifty is left out, several times."""
        found: dict[str, list[float]] = {way: [] for way in partitions}
        rng = np.random.default_rng(1)
        for _ in range(TIMES):
            rows = np.sort(rng.choice(len(self.data), len(self.data) * 49 // 50, replace=False))
            kept = self.data.take(rows)
            for way, partition in partitions.items():
                groups = partition.groups(kept, self._columns, Context())
                pairing = Pairing(np.arange(len(kept)), groups)
                found[way].append(score(ClassDivergence(), kept, kept, pairing))
        return found

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
            pairing = Pairing(np.arange(len(data)), groups)
            shares = []
            for seed in SEEDS if replacement.spec.random else SEEDS[:1]:
                masked = replacement.replace(data, columns, groups, Context(Randomness(seed)))
                released = data.replace(masked)
                linked = score(DistanceLinkage(), data, released, pairing)
                alone = score(HomogeneousShare(), data, released, pairing)
                shares.append((linked, linkage(data, released), alone))
            rows.append(Shares(words, *np.mean(shares, axis=0).tolist()))
        return rows
