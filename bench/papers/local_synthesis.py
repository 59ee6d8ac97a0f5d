"""Local synthesis on THYROID: Tables 1 to 3 and §7 of Oganian & Domingo-Ferrer (2017).

The 1,947 complete records, five continuous attributes; averages over 30 seeds. The paper leaves out
what an intruder gets: record linkage and interval disclosure stand beside the utility here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.papers import thyroid as file
from bench.papers.local_synthesis_models import (
    LEAST,
    MODELS,
    MOST,
    STATED,
    limits,
    propensities,
)
from bench.papers.local_synthesis_remarks import (
    higher_moments,
    moment_remarks,
    orders,
    propensity_remarks,
    regressions,
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
    share,
    told,
)
from bench.papers.thyroid import CATEGORICAL, CONTINUOUS, HYBRID, PRINTED, SYNTHETIC, Release
from discreet.contracts import Context, Measure, Pairing
from discreet.errors import NotApplicable
from discreet.measures.risk.distance_linkage import DistanceLinkage
from discreet.measures.risk.interval_disclosure import IntervalDisclosure
from discreet.measures.utility.higher_moments import HigherMoments
from discreet.measures.utility.propensity import Propensity
from discreet.measures.utility.regression_fit import RegressionFit
from discreet.methods.synthetic.local_synthesis import LocalSynthesis
from discreet.methods.synthetic.sequential_regression import SequentialRegression
from discreet.microdata import Microdata

PAPER = Paper(
    name="local_synthesis",
    short="Local synthesis (Oganian & Domingo-Ferrer 2017)",
    citation="Oganian & Domingo-Ferrer: Local synthesis for disclosure limitation that satisfies "
    "probabilistic k-anonymity criterion. Transactions on Data Privacy 10, 2017.",
    absent=(
        (
            "NEOPLASM, the paper's second file, is not to be had; the paper's Table 2 averages "
            "over both files, ours is of THYROID alone."
        ),
    ),
)
MIXED_SEEDS, LIMIT_SEEDS = 3, 10
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Outcome:
    """One method: means over the seeds, shares in percent; `found` lacks what is not defined."""

    method: str
    seeds: int
    clusters: str
    found: dict[str, float]


def score(measure: Measure, data: Microdata, made: Microdata, pairing: Pairing | None) -> Any:
    """Return a score, or None where the measure is not defined."""
    try:
        return measure.score(data, made, file.seeded(0), pairing)
    except NotApplicable:
        return None


def raw_change(before: Numbers, after: Numbers, order: int) -> float:
    """Return the mean relative change of the moments of one order about zero, in percent.

    >>> raw_change(np.array([[1.0], [1.0]]), np.array([[2.0], [2.0]]), 3)
    700.0
    """
    terms = list(combinations_with_replacement(range(before.shape[1]), order))
    old, new = ([x[:, t].prod(axis=1).mean() for t in terms] for x in (before, after))
    return 100 * float(np.mean(np.abs(np.array(new) / old - 1)))


def figures(data: Microdata, made: Microdata, pairing: Pairing | None) -> dict[str, float]:
    """Return every figure of one release."""
    before, after = data.matrix(CONTINUOUS), made.matrix(CONTINUOUS)
    found = propensities(data, made, pairing)
    fit = score(RegressionFit(), data, made, pairing)
    found["coefficients"] = 100 * fit.value
    found["errors"] = 100 * fit.detail["standard errors"]
    moments = score(HigherMoments(), data, made, pairing)
    for order in (3, 4):
        found[f"raw {order}"] = raw_change(before, after, order)
        found[f"central {order}"] = 100 * moments.detail[f"order {order}"]["relative"]
    for name, measure in (("linkage", DistanceLinkage()), ("interval", IntervalDisclosure())):
        risk = score(measure, data, made, pairing)
        if risk is not None:
            found[name] = 100 * risk.value
    return found


def outcome(data: Microdata, name: str, seeds: int, clusters: str, release: Release) -> Outcome:
    """Return one method over its seeds."""
    drawn = []
    for seed in range(seeds):
        made, pairing = release(seed)
        drawn.append(figures(data, made, pairing))
    means = {what: float(np.mean([one[what] for one in drawn])) for what in drawn[0]}
    return Outcome(name, seeds, clusters, means)


def tables(folder: Path, quick: bool) -> list[Section]:
    """Return Tables 1 to 3 and the risk of the same releases."""
    data = file.thyroid(folder, CONTINUOUS)
    found = [
        outcome(data, name, min(seeds, 3) if quick else seeds, clusters, release)
        for name, seeds, clusters, release in file.ways(data)
    ]
    listed = [one for one in found if one.method in PRINTED]
    in_tables_2_and_3 = [one for one in listed if PRINTED[one.method][1] is not None]
    values = {one.method: one.found for one in found}
    bounds = limits(data, file.clusters(data), 3 if quick else LIMIT_SEEDS)
    return [
        Section(
            title="Table 1: propensity score utility, 2N·U_p",
            says="How well a logistic model tells the released from the original records; smaller "
            "is better. As far as its words go, the paper's model has main effects and products "
            "of up to three attributes: it decides whether a statement holds. Others, found by "
            "looking for what could have given the paper's figures, stand beside it.",
            findings=orders(values, MODELS),
            tables=(
                Table(
                    "Means over the seeds; rows without a figure of the paper are ours",
                    "method",
                    tuple(Quantity(model) for model in MODELS),
                    tuple(
                        Row(
                            one.method,
                            (
                                Pair(_printed(one.method, 0), one.found[STATED]),
                                *(Pair(None, one.found[model]) for model in MODELS[1:]),
                            ),
                            f"{one.clusters}; {_seeds(one.seeds)}",
                        )
                        for one in found
                    ),
                ),
                Table(
                    "What the models can give at all",
                    "release",
                    tuple(Quantity(model) for model in MODELS),
                    tuple(
                        Row(what, tuple(Pair(None, bounds[what][model]) for model in MODELS))
                        for what in (LEAST, MOST)
                    ),
                ),
            ),
            remarks=propensity_remarks(values, MODELS, bounds, _sizes(found)),
        ),
        Section(
            title="Table 2: change of regression coefficients and standard errors",
            says="Every attribute regressed on all others.",
            findings=regressions(values),
            tables=(
                _table(
                    in_tables_2_and_3,
                    ((share("coefficients"), "coefficients", 1), (share("errors"), "errors", 2)),
                ),
            ),
            remarks=(
                (
                    "Synthesis with the exact means and covariances of every cluster keeps those "
                    "of the file, and so every linear regression: the change is 0 but for "
                    "rounding. The paper's 0.6 and 0.7 % must come from inexact moments."
                ),
                (
                    "The change is relative, so coefficients near zero weigh most; the paper "
                    "does not say whether it left any out, and its averages include NEOPLASM."
                ),
            ),
        ),
        Section(
            title="Table 3: change of third and fourth moments",
            says="Moments about zero, which come nearest to the paper's level, decide whether a "
            "statement holds.",
            findings=higher_moments(values),
            tables=(
                _table(
                    in_tables_2_and_3,
                    (
                        (share("order 3, about zero"), "raw 3", 3),
                        (share("order 4, about zero"), "raw 4", 4),
                        (share("order 3, central"), "central 3", None),
                        (share("order 4, central"), "central 4", None),
                    ),
                ),
            ),
            remarks=moment_remarks(values),
        ),
        Section(
            title="Beside the paper: what an intruder gets from these releases",
            says="The paper reports no measured risk. Shares of records linked to their own, and of"
            " values disclosed within an interval.",
            tables=(
                _table(
                    found,
                    (
                        (share("linkage"), "linkage", None),
                        (share("interval disclosure"), "interval", None),
                    ),
                ),
            ),
            remarks=(
                (
                    "Interval disclosure compares a value with its own original, which records "
                    "drawn within clusters do not have; in linkage any original of the cluster "
                    "stands for it and counts one over the cluster's size. Synthetic records come "
                    "from no original at all."
                ),
            ),
        ),
    ]


def _table(
    found: Sequence[Outcome], quantities: tuple[tuple[Quantity, str, int | None], ...]
) -> Table:
    return Table(
        "Means over the seeds",
        "method",
        tuple(quantity for quantity, _, _ in quantities),
        tuple(
            Row(
                one.method,
                tuple(
                    Pair(_printed(one.method, at), one.found.get(what))
                    for _, what, at in quantities
                ),
                _seeds(one.seeds),
            )
            for one in found
        ),
    )


def _printed(method: str, at: int | None) -> float | None:
    return None if at is None or method not in PRINTED else PRINTED[method][at]


def _seeds(count: int) -> str:
    return f"{count} seed{'s' if count > 1 else ''}"


def _sizes(found: Sequence[Outcome]) -> str:
    return next(one.clusters for one in found if one.method == HYBRID)


def mixed(folder: Path, quick: bool) -> list[Section]:
    """Return §7: the fifteen categorical attributes too; propensity with products of two."""
    data = file.thyroid(folder, CONTINUOUS + CATEGORICAL)
    methods = {
        HYBRID: LocalSynthesis(k=60, families="VVV", classes=6),
        SYNTHETIC: SequentialRegression(scale="raw"),
    }
    rows, value = [], {}
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
        value[name] = float(np.mean(drawn))
        risk = float(np.mean(risks)) if risks else None
        pairs = (Pair(file.PRINTED_MIXED[name], value[name]), Pair(None, risk))
        rows.append(Row(name, pairs, _seeds(len(drawn))))
    return [
        Section(
            title="§7: five continuous and fifteen categorical attributes",
            findings=(
                Finding(
                    "Hybrid is more useful than Synthetic.",
                    told(value[HYBRID] < value[SYNTHETIC]),
                    f"2N·U_p {value[HYBRID]:.0f} against {value[SYNTHETIC]:.0f}",
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
