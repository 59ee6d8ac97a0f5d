"""MART's default level on heavy tails: how many groups are left, and what they reveal.

    python -m bench mart_defaults [--quick]

Generated responses (normal, t with 3 degrees of freedom, lognormal) and visits and income of
Medicare were used to choose how large groups may be on average before α is lowered; Alcohol was
only used to check the choice. RSD (larger is safer) by eq. 10, by records and pooled; 'told' is the
share of the responses' variance that the group means reveal to an analyst, and to an intruder.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import discreet
from bench.data import reference_data
from bench.papers.alcohol import alcohol
from bench.papers.mart import rsd
from discreet.contracts import Context
from discreet.microaggregation.partition.regression_tree import RegressionTree
from discreet.microdata import Microdata, Role
from discreet.models.regression_tree import level

KINDS = ("normal", "t, 3 degrees", "lognormal", "lognormal, wide")
MOST = (5, 10, 20)


def generated(kind: str, n: int = 2_000) -> Microdata:
    """Four quasi-identifiers, a response that depends on three of them, and one on the last."""
    rng = np.random.default_rng(3)
    x, noise = rng.normal(size=(n, 4)), rng.normal(size=(n, 2))
    signal = x[:, 0] + 0.5 * x[:, 1] * (x[:, 2] > 0)
    second = 0.5 * x[:, 3] + noise[:, 1]
    first = {
        "normal": signal + noise[:, 0],
        "t, 3 degrees": signal + rng.standard_t(3, n),
        "lognormal": np.exp(0.6 * signal + 0.8 * noise[:, 0]),
        "lognormal, wide": np.exp(0.9 * signal + 1.2 * noise[:, 0]),
    }[kind]
    columns = {f"x{j}": x[:, j].round(1).tolist() for j in range(4)}
    roles = dict.fromkeys(columns, "quasi-identifier") | dict.fromkeys("yz", "confidential")
    second = second if kind == "normal" else np.exp(second)
    return discreet.read({**columns, "y": first.tolist(), "z": second.tolist()}, roles)


def medicare(folder: Path) -> Microdata:
    """Medicare with visits and income as confidential, without the other counts of visits."""
    names = ["health", "chronic", "adl", "region", "age", "afam", "gender", "married", "school",
             "employed", "insurance", "medicaid", "visits", "income"]  # fmt: skip
    roles = dict.fromkeys(names, "quasi-identifier")
    roles |= dict.fromkeys(("visits", "income"), "confidential")
    return discreet.read(folder / "medicare_nmes1988.csv", roles, columns=names)


def row(name: str, data: Microdata, words: str, partition: RegressionTree) -> None:
    groups = partition.groups(data, data.quasi_identifiers, Context())
    by_group, by_records, pooled = rsd(data, groups)
    explained = []
    for response in data.having(Role.CONFIDENTIAL):
        y = data[response]
        means = np.bincount(groups.labels, y) / np.bincount(groups.labels)
        explained.append(float(np.var(means[groups.labels]) / np.var(y)))
    print(
        f"{name:18}{words:22}{groups.detail['leaves grown']:7}{groups.count:7}"
        f"{len(data) / groups.count:8.1f}{by_group:9.1%}{by_records:9.1%}{pooled:9.1%}"
        f"{np.mean(explained):8.1%}",
        flush=True,
    )


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="mart_defaults", description="MART on heavy tails")
    parser.add_argument("--quick", action="store_true", help="generated responses only")
    quick = parser.parse_args(arguments).quick
    files = {kind: generated(kind) for kind in KINDS}
    folder = None if quick else reference_data()
    if folder is not None:
        files |= {"Medicare": medicare(folder), "Alcohol, checked": alcohol(folder)}
    print(
        f"{'responses':18}{'level':22}{'grown':>7}{'left':>7}{'size':>8}{'eq. 10':>9}"
        f"{'records':>9}{'pooled':>9}{'told':>8}"
    )
    usual = level.MOST
    for name, data in files.items():
        for k in (5, 10):
            row(name, data, f"k = {k}, α = 0.05", RegressionTree(k=k, alpha=0.05))
            for most in MOST:
                level.MOST = most
                row(name, data, f"k = {k}, size ≤ {most} k", RegressionTree(k=k))
            level.MOST = usual
            row(name, data, f"k = {k}, no pruning", RegressionTree(k=k, prune=False))


if __name__ == "__main__":
    main()
