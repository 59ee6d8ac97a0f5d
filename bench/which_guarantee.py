"""One file under each guarantee: k-anonymity, t-closeness, probabilistic k-anonymity, DP.

Adult (ARX's 30,162 records), all columns known to the intruder but the salary class, and 20,000
adults of the synthetic population of EU-SILC, the equivalised income being confidential; a tenth of
the records is held back as a control. The domains of differential privacy are those of ARX's
hierarchies and of the survey's code book, ages and incomes in bins with round ends; δ is one in a
million and the number of records is public. For each release: the distances of single columns and
pairs, the change of association, the overlap of intervals in four declared analyses (1 is best),
and the attacks that apply, each as what it reaches and, after the stroke, what a blind guess
reaches. CPU seconds of the method alone.

A few minutes on one core; --quick takes 3,000 records.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Sequence
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


@dataclass(frozen=True)
class File:
    """A file, its domains as a public source states them, and what its users compute."""

    title: str
    data: Microdata
    domains: dict[str, Any]
    analyses: tuple[Any, ...]


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
    known = {
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
    return File("EU-SILC", data.take(np.sort(rows)), known, analyses)


FILES = {"adult": adult, "eusilc": eusilc}


def methods(known: dict[str, Any]) -> dict[str, Any]:
    blocks = {"in_blocks": 3000}
    return {
        **{
            f"differential privacy (ε = {epsilon:g})": {
                "dp-synthesis": {
                    "epsilon": epsilon, "delta": DELTA, "size_is_public": True, "domains": known,
                }
            }
            for epsilon in EPSILONS
        },
        "none (CART synthesis of all columns)": {"cart-synthesis": {"everything": True}},
        f"probabilistic k-anonymity (local synthesis, {K})": {
            "local-synthesis": {"k": K, "classes": 6, "confidential": True}
        },
        f"k-anonymity (MDAV, k = {K})": {
            "microaggregation": {"partition": {"mdav": {"k": K}}, **blocks}
        },
        f"k-anonymity and t-closeness ({K}, {T})": {
            "microaggregation": {"partition": {"t-closeness-mst": {"k": K, "t": T}}, **blocks}
        },
    }  # fmt: skip


def figure(assessment: Assessment, name: str) -> str:
    score: Score | None = {**assessment.utility, **assessment.risk}.get(name)
    if score is None:
        return "–"
    blind = "" if score.blind is None else f"/{score.blind:.3f}"
    return f"{score.value:.3f}{blind}"


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench which_guarantee", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="3,000 records")
    parser.add_argument("--file", choices=FILES, action="append", help="both if not given")
    given = parser.parse_args(words)
    folder = reference_data()
    if folder is None:
        return
    columns = (*UTILITY, *ATTACKS)
    for file in (FILES[name](folder) for name in given.file or FILES):
        data = file.data
        if given.quick:
            data = data.take(np.random.default_rng(SEED).permutation(len(data))[:3000])
        print(
            f"{file.title:<50}{''.join(f'{name:>19}' for name in columns)}{'CPU s':>9}", flush=True
        )
        for title, step in methods(file.domains).items():
            print(f"{title:<50}{_figures(data, file, step, columns)}", flush=True)


def _figures(data: Microdata, file: File, step: Any, columns: Sequence[str]) -> str:
    started = time.process_time()
    try:
        release = discreet.protect(
            data, step, SEED, hold_back=0.1, analyses=file.analyses, progress=Progress()
        )
    except DiscreetError as error:
        return f"  {error}"
    spent = time.process_time() - started
    assessment = discreet.assess(
        data, release, list(columns), seed=SEED, progress=Progress(), before=False
    )
    return "".join(f"{figure(assessment, name):>19}" for name in columns) + f"{spent:>9.1f}"


if __name__ == "__main__":
    main()
