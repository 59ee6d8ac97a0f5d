"""One file under each guarantee: k-anonymity, t-closeness, probabilistic k-anonymity, DP.

Adult (ARX's 30,162 records), all columns known to the intruder but the salary class, and 20,000
adults of the synthetic population of EU-SILC, the equivalised income being confidential; a tenth of
the records is held back as a control. The domains of differential privacy are those of ARX's
hierarchies and of the survey's code book, ages and incomes in bins with round ends; δ is one in a
million and the number of records is public. For each release: the distances of single columns and
pairs, the change of association, the overlap of intervals in four declared analyses (1 is best),
and the attacks that apply, each with its success and, after the slash, that of a blind guess. CPU
seconds of the method alone.

--comparable shows instead what is left at the same measured risk, of 5 % and of 1 %: of each
guarantee's settings, from the loosest to the strictest, the first whose risk exceeds that level by
at most half a point is taken. The risk is the largest of four: the share of records linked, and how
far membership (twice, since a coin is right every other time), inference and singling out exceed a
blind guess. It is measured on 12,000 records, a quarter of which is held back as a control, as the
mean of three releases with another control each; linkage, which hardly varies, is measured on the
first of them. Intervals combine those of the attacks, of 95 %.

A few minutes on one core, more with --comparable; --quick takes 3,000 records.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import discreet
from bench.data import reference_data
from discreet import DiscreetError, Microdata
from discreet.contracts import Progress, Score
from discreet.release.assessment import Assessment

K, T, DELTA, SEED = 10, 0.2, 1e-6, 7
EPSILONS = (0.5, 1.0, 3.0)
UTILITY = ("marginals", "association", "pairs", "analyses")
ATTACKS = ("strongest-linkage", "membership", "inference", "singling-out")
COMPARABLE, CONTROL, LEVELS, RELEASES, NOISE = 12_000, 0.25, (0.05, 0.01), 3, 0.005


@dataclass(frozen=True)
class File:
    """A file, its domains as a public source states them, and what its users compute."""

    title: str
    data: Microdata
    domains: dict[str, Any]
    analyses: tuple[Any, ...]
    classes: tuple[Any, ...] = ()
    """Steps that give the confidential column the classes that t-closeness needs."""


def adult(folder: Path) -> File:
    path, secret = folder / "adult_arx_30162.csv", "salary-class"
    names = discreet.read(path).schema.names
    data = discreet.read(path, dict.fromkeys(names, "quasi-identifier") | {secret: "confidential"})
    known: dict[str, Any] = {"age": {"low": 15, "high": 95, "bins": 16, "whole": True}}
    for name in names:
        if name not in known:
            hierarchy = folder / "adult_hierarchies" / f"adult_hierarchy_{name}.csv"
            with hierarchy.open(encoding="utf-8") as file:
                known[name] = [row[0] for row in list(csv.reader(file))[1:]]
    analyses = (
        {"mean": {"of": ["age"], "by": [secret]}},
        {"table": {"of": ["sex", secret]}},
        {"table": {"of": ["education", secret]}},
        {"logistic": {"formula": f"`{secret}` ~ age + sex"}},
    )
    return File("Adult", data, known, analyses)


def eusilc(folder: Path) -> File:
    known: dict[str, Any] = {
        "region": [
            "Burgenland", "Carinthia", "Lower Austria", "Salzburg", "Styria", "Tyrol",
            "Upper Austria", "Vienna", "Vorarlberg",
        ],
        "hsize": list(range(1, 10)),
        "age": {"low": 16, "high": 101, "bins": 17, "whole": True},
        "gender": ["female", "male"],
        "ecoStat": list(range(1, 8)),
        "citizenship": ["AT", "EU", "Other"],
        "eqIncome": {"bins": [*range(0, 50_000, 2_500), 50_000, 75_000, 200_000]},
    }  # fmt: skip
    roles = dict.fromkeys(known, "quasi-identifier") | {"eqIncome": "confidential"}
    kinds = {"hsize": "nominal", "ecoStat": "nominal"}
    data = discreet.read(folder / "eusilcP.parquet", roles, kinds, columns=list(known))
    adults = np.flatnonzero(~data.column("ecoStat").missing & (data["age"] >= 16))
    rows = np.random.default_rng(SEED).permutation(adults)[:20_000]
    analyses = (
        {"mean": {"of": ["eqIncome"], "by": ["region"]}},
        {"mean": {"of": ["eqIncome"], "by": ["gender"]}},
        {"table": {"of": ["ecoStat", "gender"]}},
        {"linear": {"formula": "eqIncome ~ age + gender"}},
    )
    bands = {"eqIncome": known["eqIncome"]["bins"][1:-1]}
    classes = {"global-recoding": {"k": None, "columns": ["eqIncome"], "intervals": bands}}
    return File("EU-SILC", data.take(np.sort(rows)), known, analyses, (classes,))


FILES = {"adult": adult, "eusilc": eusilc}


def private(file: File, epsilon: float) -> list[Any]:
    stated = {"epsilon": epsilon, "delta": DELTA, "size_is_public": True, "domains": file.domains}
    return [{"dp-synthesis": stated}]


def cart(file: File, leaf: float) -> list[Any]:
    return [{"cart-synthesis": {"everything": True, "leaf": int(leaf)}}]


def local(file: File, k: float) -> list[Any]:
    return [{"local-synthesis": {"k": int(k), "classes": 6, "confidential": True}}]


def mdav(file: File, k: float) -> list[Any]:
    return [{"microaggregation": {"partition": {"mdav": {"k": int(k)}}, **BLOCKS}}]


def close(file: File, k: float) -> list[Any]:
    partition = {"t-closeness-mst": {"k": int(k), "t": T}}
    return [*file.classes, {"microaggregation": {"partition": partition, **BLOCKS}}]


BLOCKS = {"in_blocks": 3000}
GUARANTEES: dict[str, tuple[Callable[[File, float], list[Any]], tuple[float, ...]]] = {
    "differential privacy, ε": (private, (1000, 100, 30, 10, 3, 1, 0.5)),
    "none: CART synthesis, leaf": (cart, (10, 30, 100, 300, 1000, 3000)),
    "probabilistic k-anonymity: local synthesis, k": (local, (3, 5, 10, 25, 50)),
    "k-anonymity: MDAV, k": (mdav, (10, 25, 50, 100, 200)),
    f"t-closeness, t = {T}, and k-anonymity, k": (close, (10, 25, 50, 100, 200)),
}
"""Each guarantee with its settings, the loosest first."""
SHOWN = (EPSILONS, (10,), (K,), (K,), (K,))


def figure(assessment: Assessment, name: str) -> str:
    score: Score | None = {**assessment.utility, **assessment.risk}.get(name)
    if score is None:
        return "–"
    blind = "" if score.blind is None else f"/{score.blind:.3f}"
    return f"{score.value:.3f}{blind}"


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench which_guarantee", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="3,000 records")
    parser.add_argument("--comparable", action="store_true", help="at the same measured risk")
    parser.add_argument("--file", choices=FILES, action="append", help="both if not given")
    given = parser.parse_args(words)
    folder = reference_data()
    if folder is None:
        return
    columns = (*UTILITY, *ATTACKS)
    size = COMPARABLE if given.comparable else 3000 if given.quick else None
    for file in (FILES[name](folder) for name in given.file or FILES):
        data = file.data.take(np.random.default_rng(SEED).permutation(len(file.data))[:size])
        if given.comparable:
            _at_the_same_risk(data, file)
            continue
        heads = "".join(f"{name:>19}" for name in columns)
        print(f"{file.title:<55}{heads}{'CPU s':>9}", flush=True)
        for (title, (steps, _)), shown in zip(GUARANTEES.items(), SHOWN, strict=True):
            for setting in shown:
                tried = _tried(data, file, steps(file, setting), 0.1)
                name = f"{title} = {setting:g}"
                if isinstance(tried, str):
                    print(f"{name:<55}  {tried}", flush=True)
                    continue
                assessment, spent = tried
                figures = "".join(f"{figure(assessment, column):>19}" for column in columns)
                print(f"{name:<55}{figures}{spent:>9.1f}", flush=True)


def _at_the_same_risk(data: Microdata, file: File) -> None:
    """Print the settings that were tried, and the level that the risk of each has reached."""
    heads = "".join(f"{name:>13}" for name in UTILITY)
    print(f"{file.title:<55}{heads}{'risk':>9}{'interval':>17}  by what, level", flush=True)
    for title, (steps, settings) in GUARANTEES.items():
        left = list(LEVELS)
        for setting in settings:
            name = f"{title} = {setting:g}"
            assessments: list[Assessment] = []
            while len(assessments) < RELEASES and not (
                assessments and _surely_above(assessments[0], left[0])
            ):
                attacks = ATTACKS[1:] if assessments else ATTACKS
                seed = SEED + len(assessments)
                tried = _tried(data, file, steps(file, setting), CONTROL, attacks, seed)
                if isinstance(tried, str):
                    print(f"{name:<55}  {tried}", flush=True)
                    break
                assessments.append(tried[0])
            else:
                if len(assessments) < RELEASES:
                    print(f"{name:<55}  surely above {left[0]:.0%}", flush=True)
            if len(assessments) < RELEASES:
                continue
            risk, low, high, attack = _risk(assessments)
            figures = "".join(f"{_mean(assessments, column):>13.3f}" for column in UTILITY)
            reached = [level for level in left if risk <= level + NOISE]
            levels = ", ".join(f"{level:.0%}" if high >= level else f"below {level:.0%}"
                               for level in reached)  # fmt: skip
            interval = f"{low:.3f} to {high:.3f}"
            words = f"{attack}, {levels or 'above'}"
            print(f"{name:<55}{figures}{risk:>9.3f}{interval:>17}  {words}", flush=True)
            left = [level for level in left if level not in reached]
            if not left:
                break


def _tried(
    data: Microdata,
    file: File,
    steps: list[Any],
    control: float,
    attacks: Sequence[str] = ATTACKS,
    seed: int = SEED,
) -> tuple[Assessment, float] | str:
    started = time.process_time()
    try:
        release = discreet.protect(
            data, steps, seed, hold_back=control, analyses=file.analyses, progress=Progress()
        )
    except DiscreetError as error:
        return str(error)
    spent = time.process_time() - started
    measures = [*UTILITY, *attacks]
    return (
        discreet.assess(data, release, measures, seed=seed, progress=Progress(), before=False),
        spent,
    )


def _mean(assessments: Sequence[Assessment], name: str) -> float:
    return float(np.mean([assessment.utility[name].value for assessment in assessments]))


def _beyond(assessment: Assessment) -> dict[str, float]:
    """Return how far each attack exceeds a blind guess."""
    scores = {name: assessment.risk[name] for name in ATTACKS if name in assessment.risk}
    return {name: _times(name) * (s.value - (s.blind or 0.0)) for name, s in scores.items()}


def _times(attack: str) -> int:
    return 2 if attack == "membership" else 1


def _surely_above(assessment: Assessment, level: float) -> bool:
    """Whether a single release shows that an attack exceeds a level."""
    return any(_reach([assessment], name)[1] > level + NOISE for name in _beyond(assessment))


def _reach(assessments: Sequence[Assessment], attack: str) -> tuple[float, float, float]:
    """Return how far an attack exceeds a blind guess on average, and an interval for it."""
    shown = [assessment for assessment in assessments if attack in assessment.risk]
    mean = float(np.mean([_beyond(assessment)[attack] for assessment in shown]))
    gaps = []
    for score in (assessment.risk[attack] for assessment in shown):
        low, high = score.interval or (score.value, score.value)
        gaps.append((score.value - low, high - score.value))
    # The success of a blind guess is estimated from as many attempts, except for the coin.
    times = _times(attack) * (2**0.5 if attack in ("inference", "singling-out") else 1)
    below, above = times * np.linalg.norm(gaps, axis=0) / len(shown)
    return mean, mean - float(below), mean + float(above)


def _risk(assessments: Sequence[Assessment]) -> tuple[float, float, float, str]:
    """Return the excess of the most successful attack, its interval, and its name."""
    reach = {name: _reach(assessments, name) for name in _beyond(assessments[0])}
    attack = max(reach, key=lambda name: reach[name][0])
    return *reach[attack], attack


if __name__ == "__main__":
    main()
