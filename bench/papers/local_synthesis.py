"""Local synthesis on THYROID: Tables 1 to 3 and §7 of Oganian & Domingo-Ferrer (2017).

The 1,947 complete records, five continuous attributes; averages over 30 seeds. The paper does not
say what an intruder gets: here record linkage and interval disclosure are shown beside the utility.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.papers import thyroid as file
from bench.papers.local_synthesis_figures import FEW, SOME, Outcome, margins, outcome, score
from bench.papers.local_synthesis_models import STOPPED, TRIED
from bench.papers.local_synthesis_remarks import (
    all_coefficients,
    higher_moments,
    not_explained,
    one_realisation,
    orders,
    regressions,
    sizes,
)
from bench.papers.running import Step, carry_out
from bench.papers.section import (
    Finding,
    Pair,
    Paper,
    Quantity,
    Row,
    Section,
    Table,
    decided,
    share,
)
from bench.papers.thyroid import CATEGORICAL, CONTINUOUS, HYBRID, PRINTED, SYNTHETIC
from discreet.contracts import Context
from discreet.measures.risk.distance_linkage import DistanceLinkage
from discreet.measures.utility.propensity import Propensity
from discreet.methods.synthetic.local_synthesis import LocalSynthesis
from discreet.methods.synthetic.sequential_regression import SequentialRegression

PAPER = Paper(
    name="local_synthesis",
    short="Local synthesis (Oganian & Domingo-Ferrer 2017)",
    citation="Oganian & Domingo-Ferrer: Local synthesis for disclosure limitation that satisfies "
    "probabilistic k-anonymity criterion. Transactions on Data Privacy 10, 2017.",
    absent=(
        (
            "NEOPLASM, the paper's second file, is not available; the paper's Table 2 averages "
            "over both files, ours is of THYROID alone."
        ),
    ),
)
MIXED_SEEDS = 3
ON_GRID = "default on the file's values, null"
Quantities = tuple[tuple[Quantity, str, int | None], ...]
"""A quantity, the name of its figure, and its place in the paper's tables."""


def tables(folder: Path, quick: bool) -> list[Section]:
    """Return Tables 1 to 3 and the risk of the same releases."""
    data = file.thyroid(folder, CONTINUOUS)
    results = [
        outcome(data, name, min(seeds, 3) if quick else seeds, clusters, release)
        for name, seeds, clusters, release in file.ways(data)
    ]
    at = {result.method: result for result in results}
    with_regressions = [
        result
        for result in results
        if result.method in PRINTED and PRINTED[result.method][1] is not None
    ]
    return [
        Section(
            title="Table 1: propensity score utility, as printed",
            says="How well a logistic model with main effects and products of up to three "
            "attributes tells the released from the original records; smaller is better. The "
            "ratio to the null is 1 for a release like another sample.",
            findings=orders(at, "printed"),
            tables=(
                _table(
                    results,
                    ((Quantity("2N·U_p"), "printed", 0),
                     (Quantity("ratio to the null"), "printed, null", None)),
                    f"Means over up to {SOME} seeds",
                    clusters=True,
                ),
                _table(
                    with_regressions,
                    tuple(
                        (Quantity(model, decimals=0), model, None) for model in (*TRIED, *STOPPED)
                    ),
                    f"2N·U_p by other models that were tried, {FEW} seeds",
                ),
            ),
            remarks=(sizes(at), *not_explained(at, (*TRIED, *STOPPED))),
        ),
        Section(
            title="Table 1: propensity score utility, by the default",
            says="The measure as it is used elsewhere: squares too, or boosted trees where these "
            "tell the files apart better. Trees tell real numbers from the file's rounded ones, so "
            "the order is judged with released numbers brought to the nearest that the file has.",
            findings=orders(at, ON_GRID),
            tables=(
                _table(
                    results,
                    ((Quantity("ratio to the null"), "default, null", None),
                     (Quantity("ratio, on the file's values"), ON_GRID, None)),
                    f"Means over up to {FEW} seeds",
                ),
            ),
        ),
        Section(
            title="Table 2: change of regression coefficients and standard errors",
            says="Every attribute regressed on all others.",
            findings=regressions(at),
            tables=(
                _table(
                    with_regressions,
                    ((share("coefficients"), "coefficients", 1),
                     (share("errors"), "errors", 2),
                     (share("coefficients with |t| > 2"), "clear", None)),
                    f"Means over up to {SOME} seeds",
                ),
            ),
            remarks=(
                (
                    "With the exact means and covariances of every cluster no linear regression "
                    "changes except by rounding; the paper's 0.6 and 0.7 % cannot be had with "
                    "exact moments."
                ),
                *all_coefficients(at),
            ),
        ),
        Section(
            title="Table 3: change of third and fourth moments",
            says="Moments about zero of products of different attributes, averaged over the "
            "realisations before the change is taken. This reading was found by a search over 54, "
            "so it is likely, not shown, to be the paper's. Beside it the mean change of all "
            "moments, each realisation by itself.",
            findings=higher_moments(at),
            tables=(
                _table(
                    with_regressions,
                    ((share("order 3, different"), "distinct 3", 3),
                     (share("order 4, different"), "distinct 4", 4),
                     (share("order 3, all"), "all 3", None),
                     (share("order 4, all"), "all 4", None)),
                    f"Over {file.SEEDS if not quick else 3} realisations",
                ),
            ),
            remarks=(one_realisation(at),),
        ),
        Section(
            title="Beside the paper: what an intruder gets from these releases",
            says="The paper reports no measured risk. Shares of records linked to their own, and of"
            " values disclosed within an interval.",
            tables=(
                _table(
                    results,
                    ((share("linkage"), "linkage", None),
                     (share("interval disclosure"), "ID", None)),
                    f"Means over up to {SOME} seeds",
                ),
            ),
            remarks=(
                (
                    "Interval disclosure compares a value with its own original, which records "
                    "drawn within clusters do not have; in linkage any original of the cluster "
                    "stands for it and counts one over the cluster's size."
                ),
            ),
        ),
    ]  # fmt: skip


def _table(
    results: Sequence[Outcome], quantities: Quantities, caption: str, clusters: bool = False
) -> Table:
    return Table(
        caption,
        "method",
        tuple(quantity for quantity, _, _ in quantities),
        tuple(
            Row(
                result.method,
                tuple(
                    Pair(_printed(result.method, at), result.mean(figure))
                    for _, figure, at in quantities
                ),
                result.clusters if clusters else "",
            )
            for result in results
        ),
    )


def _printed(method: str, at: int | None) -> float | None:
    return None if at is None or method not in PRINTED else PRINTED[method][at]


def _seeds(count: int) -> str:
    return f"{count} seed{'s' if count > 1 else ''}"


def mixed(folder: Path, quick: bool) -> list[Section]:
    """Return §7: the fifteen categorical attributes too; propensity with products of two."""
    data = file.thyroid(folder, CONTINUOUS + CATEGORICAL)
    methods = {
        HYBRID: LocalSynthesis(k=60, families="VVV", classes=6),
        SYNTHETIC: SequentialRegression(scale="raw"),
    }
    rows = []
    value: dict[str, list[float]] = {}
    for name, method in methods.items():
        release = file.by(method, data)
        drawn: list[float] = []
        risks: list[float] = []
        for seed in range(1 if quick else MIXED_SEEDS):
            made, pairing = release(seed)
            linked = score(DistanceLinkage(), data, made, pairing)
            utility = score(Propensity(model="logistic", order=2, powers=1), data, made, pairing)
            drawn.append(utility.detail["2N·U_p"])
            risks += [] if linked is None else [100 * linked.value]
        value[name] = drawn
        risk = float(np.mean(risks)) if risks else None
        pairs = (Pair(file.PRINTED_MIXED[name], float(np.mean(drawn))), Pair(None, risk))
        rows.append(Row(name, pairs, _seeds(len(drawn))))
    return [
        Section(
            title="§7: five continuous and fifteen categorical attributes",
            findings=(
                Finding(
                    "Hybrid is more useful than Synthetic.",
                    decided(margins(value[HYBRID], value[SYNTHETIC])),
                    f"2N·U_p {np.mean(value[HYBRID]):.0f} against {np.mean(value[SYNTHETIC]):.0f}",
                ),
            ),
            tables=(
                Table(
                    "Propensity with main effects and products of two",
                    "method",
                    (Quantity("2N·U_p"), share("linkage")),
                    tuple(rows),
                ),
            ),
            remarks=(
                (
                    "The paper does not say which products its model for the twenty attributes "
                    "has; ours has all of two."
                ),
            ),
        )
    ]


def sections(folder: Path | None, quick: bool, context: Context) -> list[Section]:
    """Return Tables 1 to 3, the risk beside them, and §7."""

    def known() -> Path:
        assert folder is not None
        return folder

    steps = [
        Step("Tables 1 to 3", (file.FILE,), lambda: tables(known(), quick)),
        Step(
            "§7: five continuous and fifteen categorical attributes",
            (file.FILE,),
            lambda: mixed(known(), quick),
        ),
    ]
    return carry_out(steps, folder, context)
