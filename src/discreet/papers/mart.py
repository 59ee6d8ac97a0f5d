"""MART against Regression Mondrian (RM) on Alcohol: Table 4 of Li & Sarkar.

Both grow a tree on income and drinks and give the records of a leaf the same quasi-identifiers:
numbers get the leaf's mean; categories the label of a hierarchy (RM) or all categories of the leaf
joined (MART). The paper sets the least group size k, and MART's alpha, so that the average group
size is about the same. Here, before any error is looked at: for RM, and for MART without pruning,
the k that comes nearest; for MART, of all pairs of k and alpha in `SETTINGS` within 5 % of the
size, the one with the highest RSD. The last is a choice among hundreds, so that a small lead in
RSD says nothing; the choice without pruning is like RM's. MART with alpha = 0.05 stands beside, at
the size that it comes to.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from discreet.contracts import Context, Groups, Method, Pairing
from discreet.methods.perturbative.mart import MART
from discreet.methods.perturbative.regression_k_anonymity import RegressionKAnonymity
from discreet.microdata import Microdata
from discreet.papers.alcohol import (
    FILE,
    RESPONSES,
    Numbers,
    alcohol,
    cross_validated,
    write_hierarchies,
)
from discreet.papers.mart_example import example
from discreet.papers.running import Step, carry_out
from discreet.papers.section import (
    Finding,
    Pair,
    Paper,
    Quantity,
    Row,
    Section,
    Table,
    share,
)
from discreet.partition.regression_mondrian import RegressionMondrian
from discreet.regression_tree import Tree, grow
from discreet.regression_tree.pruning import prune
from discreet.risk.rsd import RSD

PAPER = Paper(
    name="mart",
    short="MART (Li & Sarkar)",
    citation="Li & Sarkar: Protecting privacy against regression attacks in predictive data "
    "mining. Completed research paper.",
    absent=("Offer, the paper's other file of Table 4 (salaries), is not public.",),
)
# Average group size: RSD and MAPE of RM and of MART in the paper's Table 4, in percent.
TABLE_4 = {25: {"RM": (78.97, 14.85), "MART": (92.08, 9.89)},
           40: {"RM": (86.98, 15.29), "MART": (93.92, 10.33)}}  # fmt: skip
SETTINGS = [
    (k, alpha)
    for k in range(5, 31)
    for alpha in (0.0, 1e-100, 1e-90, 1e-80, 1e-70, 1e-60, 1e-50, 1e-40, 1e-20, 1e-5, 0.05)
]
NEAR = 0.05
DEALS = 5
CEILINGS = (2, 3, 5, 10, 15)


@dataclass(frozen=True)
class Outcome:
    """One method at one average group size; shares, not percent."""

    method: str
    target: int | None
    k: int | None
    alpha: float | None
    average_size: float
    rsd: float
    mape: float
    deviation: float | None
    scaled_error: float


def rsd(data: Microdata, groups: Groups) -> float:
    """Return RSD (eq. 10) of the groups of the whole file."""
    pairing = Pairing(np.arange(len(data)), groups)
    return RSD().score(data, data, Context(), pairing).value


def tried(data: Microdata) -> list[tuple[int, float, float, float]]:
    """Return k, alpha, average group size and RSD of MART at all settings."""
    found = []
    trees: dict[int, Tree] = {}
    for k, alpha in SETTINGS:
        if k not in trees:
            trees[k] = grow(data, data.quasi_identifiers, RESPONSES, k)
        groups = Groups(prune(trees[k], k, alpha).tree.labels)
        found.append((k, alpha, len(data) / groups.count, rsd(data, groups)))
    return found


def ceiling(data: Microdata, k: int, leaves: int) -> float:
    """Return the highest RSD of all subtrees, with so many leaves, of the tree grown with k."""
    tree = grow(data, data.quasi_identifiers, RESPONSES, k)
    y = tree.responses.numbers
    best: dict[int, Numbers] = {}
    for node in range(len(tree) - 1, -1, -1):
        own = y[tree.records(node)]
        within = ((own - own.mean(axis=0)) ** 2).sum(axis=0)
        ratio = (within / ((own - y.mean(axis=0)) ** 2).sum(axis=0)).mean()
        # By number of leaves, the largest sum of ratios over the leaves below this node.
        sums = np.full(2, -np.inf)
        children = tree.children(node)
        if children:
            low, high = (best.pop(child) for child in children)
            sums = np.full(len(low) + len(high) - 1, -np.inf)
            for m in range(1, len(low)):
                part = slice(m + 1, m + len(high))
                sums[part] = np.maximum(sums[part], low[m] + high[1:])
        sums[1] = max(sums[1], ratio)
        best[node] = sums
    return float(best[0][leaves] / leaves) if leaves < len(best[0]) else float("nan")


def outcome(
    data: Microdata, name: str, method: Method | None, target: int | None, deals: int
) -> Outcome:
    """Return one method; the standard deviation is that over the deals of folds."""
    groups = method.protect(data, Context()).groups if method else None
    found = np.array([cross_validated(data, method, seed) for seed in range(deals)])
    return Outcome(
        name,
        target,
        getattr(method, "k", None),
        getattr(method, "alpha", None),
        len(data) / groups.count if groups else 1.0,
        rsd(data, groups) if groups else 0.0,
        float(found[:, 0].mean()),
        float(found[:, 0].std(ddof=1)) if deals > 1 else None,
        float(found[:, 1].mean()),
    )


def outcomes(data: Microdata, deals: int) -> list[Outcome]:
    """Return all methods at both sizes, the original file and MART with a usual alpha first."""
    found = [
        outcome(data, "original", None, None, deals),
        outcome(data, "MART, alpha 0.05", MART(k=5), None, deals),
    ]
    settings = tried(data)
    with tempfile.TemporaryDirectory() as place:
        hierarchies = write_hierarchies(data, Path(place))
        sizes = {
            k: len(data)
            / RegressionMondrian(k=k, hierarchies=hierarchies)
            .groups(data, data.quasi_identifiers, Context())
            .count
            for k in range(5, 41)
        }
        for target in TABLE_4:
            k = min(sizes, key=lambda k: abs(sizes[k] - target))
            mondrian = RegressionKAnonymity(k=k, hierarchies=hierarchies)
            found.append(outcome(data, "RM", mondrian, target, deals))
            whole = [one for one in settings if one[1] == 0]
            k = min(whole, key=lambda one: abs(one[2] - target))[0]
            found.append(outcome(data, "MART unpruned", MART(k=k, alpha=0), target, deals))
            near = [one for one in settings if abs(one[2] / target - 1) <= NEAR]
            k, alpha, _, _ = max(near, key=lambda one: one[3])
            found.append(outcome(data, "MART", MART(k=k, alpha=alpha), target, deals))
            weighted = MART(k=k, alpha=alpha, weighted=True)
            found.append(outcome(data, "MART weighted", weighted, target, deals))
    return found


def table_4(data: Microdata, found: Sequence[Outcome]) -> Section:
    """Return Table 4 from what was found."""
    at = {(one.method, one.target): one for one in found}
    findings = []
    for target in TABLE_4:
        rm, mart = at["RM", target], at["MART", target]
        findings += [
            Finding(
                f"Average size {target}: RSD of MART is larger than that of RM.",
                mart.rsd > rm.rsd,
                f"{100 * mart.rsd:.1f} against {100 * rm.rsd:.1f} %, the best of MART's settings "
                f"near this size; without pruning {100 * at['MART unpruned', target].rsd:.1f} %",
            ),
            Finding(
                f"Average size {target}: MAPE of MART is smaller than that of RM.",
                mart.mape < rm.mape,
                f"{100 * mart.mape:.0f} against {100 * rm.mape:.0f} %",
            ),
        ]
    rows = []
    for one in found:
        printed = TABLE_4[one.target].get(one.method) if one.target else None
        setting = "" if one.k is None else f"k = {one.k}"
        setting += "" if one.alpha is None else f", α = {one.alpha:g}"
        pairs = (
            Pair(None, one.average_size),
            Pair(printed[0] if printed else None, 100 * one.rsd),
            Pair(printed[1] if printed else None, 100 * one.mape),
            Pair(None, 100 * one.scaled_error),
            *([] if one.deviation is None else [Pair(None, 100 * one.deviation)]),
        )
        name = f"size {one.target}: {one.method}" if one.target else one.method
        rows.append(Row(name, pairs, setting))
    quantities = (
        Quantity("average size", decimals=1),
        share("RSD", printed=2),
        share("MAPE", decimals=0, printed=2),
        share("error / range"),
        *([] if found[0].deviation is None else [share("MAPE, deviation over deals", 0)]),
    )
    return Section(
        title=f"Table 4: Alcohol, {len(data):,} men",
        says="Relative squared distance (RSD, larger is safer) of groups of about the same average "
        "size, and the error of a regression fitted to the anonymised folds and tested on one that "
        "nothing touched (MAPE, smaller is better).",
        findings=tuple(findings),
        tables=(Table("RM and MART", "method", quantities, tuple(rows)),),
        remarks=remarks(data, at),
    )


def remarks(data: Microdata, at: dict[tuple[str, int | None], Outcome]) -> tuple[str, ...]:
    """Return why the figures are not the paper's."""
    zeros = 100 * float((data["drinks"] == 0).mean())
    usual, original = at["MART, alpha 0.05", None], at["original", None]
    said = [
        (
            f"MART's rows have the highest RSD of all settings tried ({len(SETTINGS)}) whose "
            f"average size is within {100 * NEAR:.0f} % of the paper's, RM's the k that comes "
            "nearest: a small lead of MART says nothing. The rows without pruning are chosen as "
            "RM's are."
        ),
        (
            f"MAPE of the original file is {100 * original.mape:.0f} % here, so that no "
            f"anonymised one can be near the paper's level: {zeros:.0f} % of the men have no "
            "drinks (and are left out), and many have few drinks or a low income, where a small "
            "miss is a large share."
        ),
        (
            f"With α = 0.05 MART ends in groups of {usual.average_size:,.0f} on average. Drinks "
            "are far from normal, which the likelihood ratio test takes for a difference; only "
            "with α near 0 are the groups of the paper's size."
        ),
    ]
    if any(at["MART", target].mape > at["RM", target].mape for target in TABLE_4):
        said.append(
            "MART's MAPE above RM's may come from this, which was seen in one fold and not tested "
            "further: the regression has as few different records as there are groups, and joined "
            "categories leave it more free directions than generalised ones, since a column that "
            "is * throughout has none. Predicting untouched records then goes far beyond what the "
            "groups show."
        )
    return tuple(said)


def ceilings(data: Microdata) -> Section:
    """Return the highest RSD that any pruning could reach, beside the paper's."""
    rows = []
    for target, printed in TABLE_4.items():
        leaves = round(len(data) / target)
        best = max(CEILINGS, key=lambda k: ceiling(data, k, leaves))
        reached = 100 * ceiling(data, best, leaves)
        rows.append(Row(f"average size {target}", (Pair(printed["MART"][0], reached),),
                        f"tree grown with k = {best}"))  # fmt: skip
    pairs = [row.pairs[0] for row in rows]
    below = [pair for pair in pairs if (pair.ours or 0.0) < (pair.paper or 0.0)]
    return Section(
        title="Table 4: the highest RSD that pruning can reach on Alcohol",
        says="Of all subtrees with as many leaves as the average size asks for, whatever the rule "
        f"that prunes, the one of highest RSD; trees grown with k of {_listed(CEILINGS)}.",
        tables=(Table("RSD of MART", "", (share("RSD", printed=2),), tuple(rows)),),
        remarks=(
            (
                f"No pruning of these trees reaches the paper's RSD at {len(below)} of "
                f"{len(pairs)} sizes: its file, its trees, its scaling or its measure must differ "
                "from ours."
            ),
        )
        if below
        else (),
    )


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def sections(folder: Path | None, quick: bool, context: Context) -> list[Section]:
    """Return the worked example and Table 4; --quick deals the folds once."""

    def data() -> Microdata:
        assert folder is not None
        return alcohol(folder)

    def experiments() -> list[Section]:
        read = data()
        return [table_4(read, outcomes(read, 1 if quick else DEALS))]

    steps = [
        Step("The worked example: Figure 1, its pruning, and Table 3", (), lambda: [example()]),
        Step("Table 4: Alcohol", (FILE,), experiments),
        Step("Table 4: the highest RSD", (FILE,), lambda: [ceilings(data())]),
    ]
    return carry_out(steps, folder, context)
