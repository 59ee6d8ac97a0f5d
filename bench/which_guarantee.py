"""One file under each guarantee: k-anonymity, t-closeness, probabilistic k-anonymity, DP.

Adult (ARX's 30,162 records), all columns known to the intruder but the salary class, and 20,000
adults of the synthetic population of EU-SILC, the equivalised income being confidential; a tenth of
the records is held back as a control. The domains of differential privacy are those of ARX's
hierarchies and of the survey's code book, ages and incomes in bins with round ends; δ is one in a
million and the number of records is public. For each release: the distances of single columns and
pairs, the change of association, the overlap of intervals in four declared analyses (1 is best),
and the attacks that apply, each as what it reaches and, after the stroke, what a blind guess
reaches. CPU seconds of the method alone.

--comparable asks instead what is left at the same measured risk: of each guarantee's settings, from
the loosest to the strictest, the first is taken whose risk is at most 5 %. The risk is the largest
of four: the share of records linked, and how far membership (twice, since a coin is right every
other time), inference and singling out exceed a blind guess. It is measured on 12,000 records, a
quarter of them held back as a control.

A few minutes on one core; --quick takes 3,000 records.
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
COMPARABLE, CONTROL, SAME_RISK = 12_000, 0.25, 0.05


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


def close(file: File, t: float) -> list[Any]:
    partition = {"t-closeness-mst": {"k": K, "t": t}}
    return [*file.classes, {"microaggregation": {"partition": partition, **BLOCKS}}]


BLOCKS = {"in_blocks": 3000}
GUARANTEES: dict[str, tuple[Callable[[File, float], list[Any]], tuple[float, ...]]] = {
    "differential privacy, ε": (private, (100, 30, 10, 3, 1, 0.5)),
    "none: CART synthesis, leaf": (cart, (10, 30, 100, 300)),
    "probabilistic k-anonymity: local synthesis, k": (local, (5, 10, 25, 50)),
    "k-anonymity: MDAV, k": (mdav, (5, 10, 25, 50, 100)),
    f"{K}-anonymity and t-closeness, t": (close, (0.3, 0.2, 0.1, 0.05)),
}
"""Each guarantee with its settings, the loosest first."""
SHOWN = (EPSILONS, (10,), (K,), (K,), (T,))


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
        heads = "".join(f"{name:>19}" for name in (*columns, "risk"))
        print(f"{file.title:<55}{heads}{'CPU s':>9}", flush=True)
        for (title, (steps, settings)), shown in zip(GUARANTEES.items(), SHOWN, strict=True):
            for setting in settings if given.comparable else shown:
                tried = _tried(
                    data, file, steps(file, setting), CONTROL if given.comparable else 0.1
                )
                name = f"{title} = {setting:g}"
                if isinstance(tried, str):
                    print(f"{name:<55}  {tried}", flush=True)
                    continue
                found, spent = tried
                risk = _risk(found)
                figures = "".join(f"{figure(found, column):>19}" for column in columns)
                print(f"{name:<55}{figures}{risk:>19.3f}{spent:>9.1f}", flush=True)
                if given.comparable and risk <= SAME_RISK:
                    break


def _tried(
    data: Microdata, file: File, steps: list[Any], control: float
) -> tuple[Assessment, float] | str:
    started = time.process_time()
    try:
        release = discreet.protect(
            data, steps, SEED, hold_back=control, analyses=file.analyses, progress=Progress()
        )
    except DiscreetError as error:
        return str(error)
    spent = time.process_time() - started
    measures = [*UTILITY, *ATTACKS]
    return (
        discreet.assess(data, release, measures, seed=SEED, progress=Progress(), before=False),
        spent,
    )


def _risk(found: Assessment) -> float:
    """Return the largest of the shares by which an attack exceeds what is guessed blindly."""
    beyond = [0.0]
    for name in ATTACKS:
        score = found.risk.get(name)
        if score is not None:
            times = 2 if name == "membership" else 1
            beyond.append(times * (score.value - (score.blind or 0.0)))
    return max(beyond)


if __name__ == "__main__":
    main()
