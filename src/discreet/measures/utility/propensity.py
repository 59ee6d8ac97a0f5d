"""Propensity: how well a model can tell released records from original ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Better, Context, Measure, MeasureSpec, Pairing, Score, Side, param
from discreet.errors import NotApplicable
from discreet.microdata import Microdata, Numbers
from discreet.microdata.concatenation import fractional
from discreet.models.design_matrix import FARTHEST, MOST_TERMS, DesignMatrix, TreeMatrix, analysed
from discreet.models.regression import logistic

RECORDS_PER_TERM = 5
"""With fewer the model would tell the files apart by chance alone."""
WORK = 4_000_000_000
"""Records × terms² of one step of the logistic regression, beyond which records are sampled."""
FEW = 10_000
"""Records of both files together, below which a tree is too coarse to replace the regression."""
TREE_RECORDS = 40_000
LEAVES = 200
LEAST_LEAF = 20
NULL_DRAWS = 5
BLOCK = 2_048
CERTAIN = 1e-6
"""A propensity this near to 0 or 1 tells a record apart with certainty."""


@dataclass(frozen=True, eq=False)
class _Fitted:
    """Estimated propensities of the stacked files, and U_p expected under the null."""

    propensities: Numbers
    expected: float
    model: str
    detail: dict[str, Any]


class Propensity(Measure):
    """The mean squared distance of the propensity scores from the share of released records.

    Original and released records are stacked, and a model estimates for each the probability of
    being a released one. If the files have the same distribution all of these are near the share
    c of the released records (1/2 for files of one size), and U_p is near 0; c(1 − c) is the most.
    Records of which each has a twin in the other file give exactly 0.

    The logistic model has the main effects and the products of up to `order` different
    standardised columns, each up to the power `powers`; the order is lowered while there are more
    than 400 terms, or fewer than five records for each. Without powers a release whose means and
    products of different columns are right looks perfect, whatever became of each column's spread
    and tails: noise, averages and normal draws then look better than they are.

    The tree, for files with too many terms, grows at most 200 leaves on the same records that it
    scores. The automatic choice is the logistic model wherever its products fit and in files of up
    to 10,000 records together, and the tree elsewhere.

    The value expected under the null is that of a release drawn from the original's own
    distribution: (terms)·(1 − c)²·c / N for the logistic model, by simulation for the tree.

    >>> import discreet
    >>> original = discreet.read({"x": [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]})
    >>> released = discreet.read({"x": [0, 0, 0, 0, 0, 0, 0, 0, 1, 1]})
    >>> found = Propensity().score(original, released, Context())
    >>> round(found.value, 6)   # scores 8/13 (13 records) and 2/7 (7 records)
    0.024725
    >>> found.detail["2N·U_p"].__round__(6)
    0.989011
    """

    spec: ClassVar[MeasureSpec] = MeasureSpec(
        name="propensity",
        title="Propensity score utility U_p",
        citation="Oganian & Domingo-Ferrer (2017), eq. 11; Woo, Reiter, Oganian & Karr (2009); "
        "expectation under the null: Snoke, Raab, Nowok, Dibben & Slavkovic (2018)",
        missing="at the mean with an indicator; a category of its own in nominal columns",
        random=True,
        side=Side.UTILITY,
        better=Better.LOWER,
        low=0,
        high=0.25,
        at_identity=0,
        formula="U_p = (1/N) Σᵢ (p̂ᵢ − c)²,  N the records of both files, c the share of released "
        "ones",
        cost="N·p² time for each step of the fit with p terms, at most 400; a sample of larger "
        "files",
    )

    model: str = param(
        default="auto",
        help="what estimates the propensities; auto chooses by the number of records and terms",
        choices=("auto", "logistic", "tree"),
    )
    order: int = param(
        default=3,
        help="products of up to this many columns (logistic model)",
        at_least=1,
        at_most=3,
    )

    powers: int = param(
        default=1,
        help="highest power in which a continuous or ordinal column enters (logistic model); from "
        "2 on the spread and the tails of each column are compared too",
        at_least=1,
        at_most=3,
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return U_p; detail has 2N·U_p, its expectation under the null and the ratio to it."""
        names, other_scale, released = analysed(original, released)
        shared = fractional(original, released, other_scale)
        if not names and (self.model == "tree" or not shared):
            raise NotApplicable("no column was released on its original scale")
        if not len(original) or not len(released):
            raise NotApplicable("one of the files has no records")
        records = len(original) + len(released)
        design = DesignMatrix.fit(original, [*names, *shared], also=released, reference=True)
        columns = _columns(design, self.powers)
        order = _order(columns, self.order, records)
        if names and self._tree(order, records, bool(design.left_out)):
            rows = _sample(original, released, pairing, TREE_RECORDS, context)
            fitted = _by_tree(original.take(rows[0]), released.take(rows[1]), names, context)
        else:
            if not design.terms:
                raise NotApplicable("no column has few enough categories for the logistic model")
            order = max(order, 1)
            # Shares of categories are for linear models; a tree has no place for them.
            other_scale = [name for name in other_scale if name not in shared]
            most = WORK // (1 + _count(columns, order)) ** 2
            rows = _sample(original, released, pairing, int(max(most // 2, 1_000)), context)
            files = (original.take(rows[0]), released.take(rows[1]))
            fitted = _by_logistic(*files, design, columns, order)
            fitted.detail["columns left out"] = list(design.left_out)
        share = len(rows[1]) / (len(rows[0]) + len(rows[1]))
        squared = (fitted.propensities - share) ** 2
        sampled = len(rows[1]) < len(released) or len(rows[0]) < len(original)
        value = min(float(squared.mean()), 0.25)
        reach = float(1.96 * squared.std() / np.sqrt(len(squared)))
        return Score(
            value,
            interval=(max(0.0, value - reach), min(0.25, value + reach)) if sampled else None,
            per_record=None if sampled else squared[len(original) :],
            detail={
                "U_p": value,
                "2N·U_p": 2 * len(squared) * value,
                "records": len(squared),
                "expected under the null": fitted.expected,
                "ratio to the null": value / fitted.expected if fitted.expected > 0 else None,
                "released share": share,
                **fitted.detail,
            },
            note=_note(fitted, value, len(squared), sampled, other_scale),
        )

    def _tree(self, order: int, records: int, incomplete: bool) -> bool:
        if self.model != "auto":
            return self.model == "tree"
        lowered = order < self.order or incomplete
        return order == 0 or (lowered and records > FEW)


Factor = tuple[int, int]
"""A term of the design matrix by its place, and its power."""


def _columns(design: DesignMatrix, powers: int) -> list[list[Factor]]:
    """Return for each column what of it can be a factor of a product."""
    columns: dict[str, list[Factor]] = {}
    for place, term in enumerate(design.terms):
        number = term.category is None and not term.missing
        most = powers if number else 1
        columns.setdefault(term.column, []).extend((place, p) for p in range(1, most + 1))
    return list(columns.values())


def _order(columns: Sequence[Sequence[Factor]], wanted: int, records: int) -> int:
    """Return the highest order up to `wanted` whose terms the records can carry, 0 if none."""
    most = min(MOST_TERMS, records // RECORDS_PER_TERM)
    return max((o for o in range(1, wanted + 1) if _count(columns, o) <= most), default=0)


def _count(columns: Sequence[Sequence[Factor]], order: int) -> int:
    """Return the number of products of up to `order` different columns."""
    # The coefficients of Π(1 + wᵢ·t): one more column at a time.
    totals = [1] + [0] * order
    for factors in columns:
        for o in range(order, 0, -1):
            totals[o] += totals[o - 1] * len(factors)
    return sum(totals[1:])


def _products(columns: Sequence[Sequence[Factor]], order: int) -> NDArray[np.int64]:
    """Return for each term the numbers of its factors; number 0 is the constant one."""
    numbered, last = [], 0
    for factors in columns:
        numbered.append(range(last + 1, last + 1 + len(factors)))
        last += len(factors)
    found: list[Sequence[int]] = [[0] * order]
    for count in range(1, order + 1):
        for chosen in combinations(numbered, count):
            found += [[*numbers, *[0] * (order - count)] for numbers in product(*chosen)]
    return np.array(found, dtype=np.int64)


def _by_logistic(
    original: Microdata,
    released: Microdata,
    design: DesignMatrix,
    columns: Sequence[Sequence[Factor]],
    order: int,
) -> _Fitted:
    base = np.vstack([*design.blocks(original), *design.blocks(released)])
    powers = [_power(base[:, 1 + place], p) for factors in columns for place, p in factors]
    base = np.column_stack([base[:, 0], *powers])
    target = np.repeat([0.0, 1.0], [len(original), len(released)])
    factors = _products(columns, order)

    def block(piece: slice) -> Numbers:
        rows = base[piece]
        terms = rows[:, factors[:, 0]]
        for place in range(1, order):
            terms *= rows[:, factors[:, place]]
        return terms

    fit = logistic(target, block, BLOCK)
    share = float(target.mean())
    expected = (fit.rank - 1) * (1 - share) ** 2 * share / len(target)
    return _Fitted(
        fit.probabilities,
        expected,
        f"logistic model, {fit.rank - 1} terms of order up to {order}",
        {
            "model": "logistic",
            "order": order,
            "terms": fit.rank - 1,
            "columns": len(columns),
            "settled": fit.settled,
        },
    )


def _power(values: Numbers, power: int) -> Numbers:
    # A power of what lies far out must not lie farther, or its square would have no end.
    farthest = FARTHEST ** (1 / power)
    return np.asarray(np.clip(values, -farthest, farthest) ** power)


def _by_tree(
    original: Microdata, released: Microdata, names: Sequence[str], context: Context
) -> _Fitted:
    propensities, leaves = _grow(original, released, names)
    generator = context.generator("null")
    share = len(released) / (len(original) + len(released))
    draws = []
    for _ in range(NULL_DRAWS):
        drawn = original.take(generator.integers(0, len(original), len(released)))
        draws.append(float(((_grow(original, drawn, names)[0] - share) ** 2).mean()))
    return _Fitted(
        propensities,
        float(np.mean(draws)),
        f"tree of {leaves} leaves",
        {"model": "tree", "leaves": leaves},
    )


def _grow(original: Microdata, released: Microdata, names: Sequence[str]) -> tuple[Numbers, int]:
    from sklearn.tree import DecisionTreeClassifier

    target = np.repeat([0.0, 1.0], [len(original), len(released)])
    encoding = TreeMatrix.fit([original, released], names, target[:, None])
    points = np.vstack([encoding.matrix(original), encoding.matrix(released)])
    tree = DecisionTreeClassifier(
        min_samples_leaf=max(LEAST_LEAF, len(target) // LEAVES),
        min_impurity_decrease=1e-9,
        random_state=0,
    )
    tree.fit(points.astype(np.float32), target)
    leaf = tree.apply(points.astype(np.float32))
    counts = np.bincount(leaf)
    sums = np.bincount(leaf, target)
    return sums[leaf] / counts[leaf], int(tree.get_n_leaves())


def _sample(
    original: Microdata,
    released: Microdata,
    pairing: Pairing | None,
    most: int,
    context: Context,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return at most about `most` rows of each file; the same persons where they are known."""
    if len(original) <= most and len(released) <= most:
        return np.arange(len(original)), np.arange(len(released))
    generator = context.generator("rows")
    rate = most / max(len(original), len(released))
    kept = generator.random(len(original)) < rate
    if pairing is not None:
        rows = np.flatnonzero(kept), np.flatnonzero(kept[pairing.origin])
    else:
        rows = np.flatnonzero(kept), np.flatnonzero(generator.random(len(released)) < rate)
    if not len(rows[0]) or not len(rows[1]):
        raise NotApplicable("one of the files is too small beside the other to be sampled")
    return rows


def _note(
    fitted: _Fitted, value: float, records: int, sampled: bool, other_scale: Sequence[str]
) -> str:
    told = [f"{fitted.model}; 2N·U_p = {2 * records * value:.4g}"]
    if fitted.expected > 0:
        told.append(f"{value / fitted.expected:.3g} times the value expected under the null")
    if sampled:
        told.append(f"on {records:,} sampled records of both files")
    if fitted.detail.get("settled") is False:
        told.append("the fit had not settled, and the value may be too low")
    if fitted.detail["model"] == "logistic":
        certain = int((np.abs(fitted.propensities - 0.5) > 0.5 - CERTAIN).sum())
        if certain:
            who = "all records are" if certain == records else f"{certain:,} records are"
            who = "1 record is" if certain == 1 else who
            told.append(f"{who} told apart with certainty")
    if fitted.detail.get("order") == 1 and fitted.detail.get("columns", 1) > 1:
        told.append(
            "products of columns did not fit, so how columns go together was not compared: a "
            "release with swapped values looks perfect"
        )
    left_out = [*other_scale, *fitted.detail.get("columns left out", [])]
    if left_out:
        told.append(f"without {', '.join(left_out)}")
    return "; ".join(told)
