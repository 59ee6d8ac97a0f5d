"""One file under each guarantee: k-anonymity, t-closeness, probabilistic k-anonymity, DP.

Adult (ARX's 30,162 records), all columns known to the intruder but the salary class, a tenth of the
records held back as a control. The domains of differential privacy are those of ARX's hierarchies
and ages from 15 to 95 in steps of five years; δ is one in a million and the number of records is
public. For each release: the distances of single columns and pairs, the change of association, the
overlap of intervals in four declared analyses (1 is best), and the attacks that apply, each as what
it reaches and, after the stroke, what a blind guess reaches. CPU seconds of the method alone.

About a quarter of an hour on one core; --quick takes 3,000 records.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import discreet
from bench.data import reference_data
from discreet import Microdata
from discreet.contracts import Progress, Score
from discreet.release.assessment import Assessment

SECRET = "salary-class"
K, T, DELTA, SEED = 10, 0.2, 1e-6, 7
EPSILONS = (0.5, 1.0, 3.0)
ANALYSES: tuple[Any, ...] = (
    {"mean": {"of": ["age"], "by": [SECRET]}},
    {"table": {"of": ["sex", SECRET]}},
    {"table": {"of": ["education", SECRET]}},
    {"logistic": {"formula": f"`{SECRET}` ~ age + sex"}},
)
UTILITY = ("marginals", "association", "pairs", "analyses")
ATTACKS = ("strongest-linkage", "membership", "inference", "singling-out")


def adult(folder: Path, records: int | None) -> Microdata:
    path = folder / "adult_arx_30162.csv"
    names = discreet.read(path).schema.names
    data = discreet.read(path, dict.fromkeys(names, "quasi-identifier") | {SECRET: "confidential"})
    rows = np.random.default_rng(SEED).permutation(len(data))[:records]
    return data.take(np.sort(rows))


def domains(folder: Path, data: Microdata) -> dict[str, Any]:
    """Return the domain of each column as a public file states it."""
    found: dict[str, Any] = {"age": {"low": 15, "high": 95, "bins": 16, "whole": True}}
    for name in data.schema.names:
        if name not in found:
            path = folder / "adult_hierarchies" / f"adult_hierarchy_{name}.csv"
            with path.open(encoding="utf-8") as file:
                found[name] = [row[0] for row in list(csv.reader(file))[1:]]
    return found


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
    given = parser.parse_args(words)
    folder = reference_data()
    if folder is None:
        return
    data = adult(folder, 3000 if given.quick else None)
    columns = (*UTILITY, *ATTACKS)
    print(f"{'':<50}" + "".join(f"{name:>19}" for name in columns) + f"{'CPU s':>9}", flush=True)
    for title, step in methods(domains(folder, data)).items():
        started = time.process_time()
        release = discreet.protect(
            data, step, SEED, hold_back=0.1, analyses=ANALYSES, progress=Progress()
        )
        spent = time.process_time() - started
        assessment = discreet.assess(
            data, release, list(columns), seed=SEED, progress=Progress(), before=False
        )
        figures = "".join(f"{figure(assessment, name):>19}" for name in columns)
        print(f"{title:<50}{figures}{spent:>9.1f}", flush=True)


if __name__ == "__main__":
    main()
