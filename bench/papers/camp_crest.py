"""CAMP-CREST, Partial CAMP-CREST and the t-closeness benchmark: Li & Sarkar 2013, Table 1.

Diabetes and Medicare, at a linkage of at most 5 % and 1 %, five seeds; Figure 6 and the shares of
§7. The paper's file Offer is not public.

For CAMP-CREST and its partial form k is the least that reaches the linkage. The benchmark has two
parameters; the paper sets both so that linkage is about the same and X² no smaller than that of
the proposed methods. So here: for each of some t the least k that reaches the linkage, and
of these pairs the one of least X² not below that of Partial CAMP-CREST. A second row has
the pair of least ABISD whose X² is no larger than that of CAMP-CREST. A third form of CAMP-CREST
looks at 10 records around an edge at most, where the default looks at k.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

import discreet
from bench.data import PROJECT, reference_data
from bench.papers.camp_crest_page import HEAD, drawn, findings, lines_of
from bench.papers.li_sarkar import BENCHMARK, FILES, FULL, LEVELS, MIXED, NARROW, PAPER, PARTIAL
from discreet.contracts import Context, Measure, Pairing, Partition, Replacement
from discreet.least_k import SEEDS, least_k, linkage
from discreet.partition import CREST, MDAV, MST, PartialCREST, TClosenessMST
from discreet.randomness import Randomness
from discreet.replacement import Centroid, Microperturbation
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
class Row:
    """One method at one linkage level, over five seeds where it draws random numbers."""

    data: str
    level: float
    method: str
    k: int
    t: float | None
    seconds: float
    linkage: float
    unscaled: float
    x2: float
    abim: float
    abisd: float
    abico: float


def measured(
    name: str,
    data: discreet.Microdata,
    level: float,
    method: str,
    partition: Partition,
    replacement: Replacement,
) -> Row:
    """Run one method with all seeds and take the mean of every measure."""
    names = data.quasi_identifiers
    started = time.perf_counter()
    groups = partition.groups(data, names, Context())
    grouping = time.perf_counter() - started
    pairing = Pairing(np.arange(len(data)), groups)
    found: list[tuple[float, ...]] = []
    for seed in SEEDS if replacement.spec.random else SEEDS[:1]:
        started = time.perf_counter()
        drawn = replacement.replace(data, names, groups, Context(Randomness(seed)))
        seconds = grouping + time.perf_counter() - started
        released = data.replace(drawn)
        scores = [_score(m, data, released, pairing) for m in (ABIM(), ABISD(), ABICO())]
        rates = (linkage(data, released), linkage(data, released, "none"))
        x2 = _score(ClassDivergence(), data, released, pairing)
        found.append((seconds, *rates, x2, *scores))
    means = np.mean(found, axis=0)
    values = partition.values()
    return Row(name, level, method, values["k"], values.get("t"), *map(float, means))


def _score(
    measure: Measure, data: discreet.Microdata, released: discreet.Microdata, pairing: Pairing
) -> float:
    return measure.score(data, released, Context(), pairing).value


def path_down(data: discreet.Microdata, way: str, target: float) -> dict[int, float]:
    """Return the linkage of every k from 3 to the least that reaches the target."""
    names = data.quasi_identifiers

    def draw_at(k: int) -> Callable[[Context], discreet.Microdata]:
        groups = WAYS[way](k).groups(data, names, Context())
        masking = Microperturbation()
        return lambda context: data.replace(masking.replace(data, names, groups, context))

    return least_k(data, draw_at, target, Context())[1]


def first_at(tried: dict[int, float], level: float) -> int:
    return next(k for k, rate in tried.items() if rate <= level)


def benchmark_k(data: discreet.Microdata, t: float, level: float) -> int:
    """Return the least k that reaches the level, as if linkage never rose with k."""
    names = data.quasi_identifiers

    def reaches(k: int) -> bool:
        groups = TClosenessMST(k=k, t=t, scaling="range").groups(data, names, Context())
        released = data.replace(Centroid().replace(data, names, groups, Context()))
        return linkage(data, released) <= level

    low, high = 2, 4
    while not reaches(high):
        low, high = high, min(2 * high, len(data))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def table_1(name: str, data: discreet.Microdata, paths: dict[str, dict[int, float]]) -> list[Row]:
    """Return the rows of one file at both levels."""
    rows = []
    for level in LEVELS:
        ours = {
            way: measured(
                name, data, level, way, WAYS[way](first_at(paths[way], level)), Microperturbation()
            )
            for way in WAYS
        }
        pairs = []
        for t in TS:
            partition = TClosenessMST(k=benchmark_k(data, t, level), t=t, scaling="range")
            pairs.append(measured(name, data, level, BENCHMARK, partition, Centroid()))
        above = [row for row in pairs if row.x2 >= ours[PARTIAL].x2]
        most = max(pairs, key=lambda row: row.x2)
        rows.append(min(above, key=lambda row: row.x2) if above else most)
        below = [row for row in pairs if row.x2 <= ours[FULL].x2]
        if below:
            best = min(below, key=lambda row: row.abisd)
            rows.append(Row(**{**asdict(best), "method": MIXED}))
        rows += ours.values()
    return rows


def at_the_papers_x2(name: str, data: discreet.Microdata, largest: int) -> list[Row]:
    """Return the procedure as printed at the k whose X² is nearest the paper's."""
    rows = []
    for level in LEVELS:
        for way in (PARTIAL, FULL):
            partition, target = WAYS[way], PAPER[name, level, way][2]
            by_k = {k: _x2(data, partition(k)) for k in range(3, largest + 1)}
            k = min(by_k, key=lambda size: abs(by_k[size] - target))
            masking = Microperturbation(as_printed=True)
            rows.append(measured(name, data, level, way, partition(k), masking))
    return rows


def _x2(data: discreet.Microdata, partition: Partition) -> float:
    groups = partition.groups(data, data.quasi_identifiers, Context())
    return _score(ClassDivergence(), data, data, Pairing(np.arange(len(data)), groups))


def figure_6(
    data: discreet.Microdata, tried: dict[int, float], t: float
) -> dict[str, list[tuple[float, float]]]:
    """Return (linkage, ABICO) of the benchmark and of CAMP-CREST, from 10 % down to 1 %."""
    found: dict[str, list[tuple[float, float]]] = {BENCHMARK: [], FULL: []}
    for percent in range(10, 0, -1):
        level = percent / 100
        partition = TClosenessMST(k=benchmark_k(data, t, level), t=t, scaling="range")
        for row in (
            measured("Diabetes", data, level, BENCHMARK, partition, Centroid()),
            measured(
                "Diabetes", data, level, FULL, CREST(k=first_at(tried, level)), Microperturbation()
            ),
        ):
            found[row.method].append((row.linkage, row.abico))
    return found


def section_7(data: discreet.Microdata, k: int) -> list[dict[str, Any]]:
    """Return linked and homogeneous shares of traditional microaggregation and of CAMP-CREST."""
    names = data.quasi_identifiers
    rows = []
    ways: dict[str, tuple[Partition, Replacement]] = {
        "MST, k = 5, means": (MST(k=5, scaling="range", split=False), Centroid()),
        "MDAV, k = 5, means": (MDAV(k=5, scaling="range"), Centroid()),
        "CREST, k = 5, means": (CREST(k=5), Centroid()),
        f"CAMP-CREST, k = {k}": (CREST(k=k), Microperturbation()),
    }
    for words, (partition, replacement) in ways.items():
        groups = partition.groups(data, names, Context())
        masked = replacement.replace(data, names, groups, Context(Randomness(SEEDS[0])))
        released, pairing = data.replace(masked), Pairing(np.arange(len(data)), groups)
        rows.append(
            {
                "method": words,
                "linked": _score(DistanceLinkage(), data, released, pairing),
                "linked or second": linkage(data, released),
                "homogeneous": _score(HomogeneousShare(), data, released, pairing),
            }
        )
    return rows


def results(quick: bool = False) -> dict[str, Any]:
    """Return everything as plain data; nothing where the reference data are not here."""
    folder = reference_data()
    if folder is None:
        return {}
    found: dict[str, Any] = {"table 1": [], "as printed": []}
    for name in ("Diabetes",) if quick else FILES:
        data = FILES[name](folder)
        CREST(k=3).groups(data.take(np.arange(50)), data.quasi_identifiers, Context())  # compiles
        paths = {way: path_down(data, way, LEVELS[-1]) for way in WAYS}
        rows = table_1(name, data, paths)
        found["table 1"] += map(asdict, rows)
        found["as printed"] += map(asdict, at_the_papers_x2(name, data, 10 if quick else 20))
        if name == "Diabetes":
            t = next(row.t for row in rows if row.method == BENCHMARK)
            assert t is not None
            found["figure 6"] = figure_6(data, paths[FULL], t)
            found["section 7"] = section_7(data, first_at(paths[FULL], LEVELS[-1]))
    return found


def show(title: str, rows: Sequence[dict[str, Any]]) -> None:
    print(f"\n{title}")
    lines = [HEAD, *lines_of(rows)]
    widths = [max(len(cells[i]) for cells in lines) for i in range(len(HEAD))]
    for cells in lines:
        print("  ".join(c.ljust(w) for c, w in zip(cells, widths, strict=True)).rstrip())


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="CAMP-CREST against the t-closeness benchmark")
    parser.add_argument("--quick", action="store_true", help="Diabetes only")
    found = results(parser.parse_args(arguments).quick)
    if not found:
        return
    show("Table 1, the paper's figures in brackets", found["table 1"])
    show("The procedure as printed, at the k whose X² is nearest the paper's", found["as printed"])
    print("\nFigure 6, Diabetes: linkage and ABICO")
    for way, points in found["figure 6"].items():
        print(f"{way:<12}" + "".join(f"  {x:.1%}: {y:.0%}" for x, y in points))
    print("\n§7, Diabetes (the paper: 10.8 % linked, 21.2 % homogeneous; then under 1 % and none)")
    for row in found["section 7"]:
        shares = ", ".join(f"{100 * v:.1f} % {w}" for w, v in row.items() if w != "method")
        print(f"{row['method']:<22} {shares}")
    print("", *findings(found), sep="\n")
    target = PROJECT / "bench" / "results" / "camp_crest.html"
    target.parent.mkdir(exist_ok=True)
    target.write_text(drawn(found), encoding="utf-8")
    print(f"\nwrote {target.relative_to(PROJECT)}")


if __name__ == "__main__":
    main()
