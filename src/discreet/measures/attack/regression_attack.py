"""Regression attack: the intruder's tree, and what its leaves give away."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from discreet.contracts import (
    Attack,
    Columns,
    Context,
    Exposed,
    Findings,
    Measure,
    Outcome,
    Randomness,
    Spec,
    Target,
    param,
)
from discreet.contracts.registry import build
from discreet.errors import DataError, NotApplicable, UsageError
from discreet.measures.attack.narrowness import Narrowness
from discreet.measures.sampled import widened
from discreet.microdata import MISSING_CODE, Kind, Microdata, Numbers, Role, unknown_column
from discreet.models.regression_tree import Tree, grow
from discreet.models.regression_tree.digression import measure
from discreet.models.regression_tree.responses import GROWN_CLASSES, confidential_responses

DRAWN = 12
"""The most leaves of the tree in `detail`: as many as a person can look at."""


class RegressionAttack(Attack):
    """A tree that predicts the confidential columns from the quasi-identifiers of the same file.

    All confidential columns are responses of one tree, numbers scaled to [0, 1] and categories as
    indicators of their classes. Anyone who knows enough about a person to see that a rule of the
    tree applies knows the range of the confidential values: each leaf is reported with its rule,
    the range and standard deviation of numbers and the most frequent class of categories, relative
    to those of the whole file. `attributes` has the share of the total error that the cuts on each
    quasi-identifier remove: these are the key attributes for disclosure.

    On an original file it shows what has to be protected, on a release what is left. A tree also
    fits noise: `chance` is what it removes when the confidential values are assigned to the records
    at random, always the same way for files of the same length. Against a release, the success is
    what the measure of the same name says (for classes, that of the classification attack).

    >>> import discreet
    >>> data = discreet.read({"job": ["clerk"] * 20 + ["judge"] * 20,
    ...                       "pay": [20, 60] * 10 + [90, 91] * 10},
    ...                      roles={"job": "quasi-identifier", "pay": "confidential"})
    >>> findings = RegressionAttack().run(data)
    >>> worst = findings.places[0]
    >>> worst.rule, worst.narrowed[0].low, worst.narrowed[0].high
    (('job is judge',), 90.0, 91.0)
    >>> round(worst.narrowed[0].range, 3)
    0.014
    """

    spec: ClassVar[Spec] = Spec(
        name="regression-attack",
        title="Regression attack: the leaves that give confidential values away",
        citation="Li & Sarkar, Protecting privacy against regression attacks in predictive data "
        "mining, introduction and Figure 1; Breiman et al. (1984), De'ath (2002)",
        missing="a missing quasi-identifier is below all numbers or is a category; of a "
        "confidential column the values present are reported",
        formula="e(t) = Σᵢ ‖yᵢ − ȳ(t)‖²; a node is cut where e(t) − Σ e(children) is largest (eq. "
        "2)\n"
        "gain = 1 − Σ e(leaves)/e(whole file), for each confidential column\n"
        "exposure of a leaf = 1 − s(leaf)/s(whole file), s the standard deviation or the Gini "
        "index",
        cost="n·log n time to sort each column, n·c for each level of the two trees; memory n·c",
    )

    leaf: int = param(
        default=20, help="minimum number of records in a leaf of the tree", at_least=1
    )
    columns: Columns = param(
        default=None, help="the columns that the intruder knows; all quasi-identifiers if not given"
    )
    responses: Columns = param(
        default=None, help="the columns to guess; all confidential ones if not given"
    )
    places: int = param(
        default=20, help="how many of the most exposed leaves are described", at_least=1
    )

    def attack(self, data: Microdata, context: Context) -> Findings:
        """Grow the tree and report its leaves."""
        targets = confidential_responses(data, self.responses, "RegressionAttack")
        known = self._known(data, targets)
        if not len(data):
            raise DataError("RegressionAttack needs records to learn from, but the data have none")
        with context.task("attacking", 2 * len(data)) as advance:
            tree = grow(_coarse(data, targets), known, targets, self.leaf, advance=advance)
            dealt = _dealt_out(data, targets)
            noise = grow(_coarse(dealt, targets), known, targets, self.leaf, advance=advance)
        error = measure(tree).error
        count = len(tree.leaves)
        columns = _narrowness(data, tree, targets)
        exposure = np.max([column.exposure for column in columns], axis=0)
        worst = np.lexsort((-tree.count[tree.leaves], -exposure))[: self.places]
        return Findings(
            _gains(columns),
            exposure[tree.labels],
            _attributes(tree, error),
            tuple(
                Exposed(
                    tuple(tree.rule(int(tree.leaves[i]))) or ("every record",),
                    tree.records(int(tree.leaves[i])),
                    tuple(column.narrowed(int(i)) for column in columns),
                )
                for i in worst
            ),
            _gains(_narrowness(dealt, noise, targets)),
            {"leaves": count, "tree": _drawn(data, tree, error, targets)},
            _note(error, count),
        )

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return how far the tree helps to guess what is confidential about the people.

        The confidential column that is guessed best counts, by the measure of this name for numbers
        and by that of the classification attack for classes; the interval holds for all columns
        together. The control is the success with people whose own record the tree did not learn
        from.
        """
        original = self._as_asked(target.original)
        scores, reasons = {}, []
        for name in ("regression-attack", "classification-attack"):
            measure = build("measure", {name: {"leaf": self.leaf}})
            assert isinstance(measure, Measure)
            try:
                scores[name] = measure.score(
                    original, target.released, context.within(name), target.pairing
                )
            except NotApplicable as reason:
                reasons.append(str(reason))
        if not scores:
            raise NotApplicable(reasons[0])
        score = max(scores.values(), key=lambda score: score.value)
        per_record = None if score.per_record is None else np.nan_to_num(score.per_record)
        kept_out = score.detail["columns"][score.column].get("own record kept out")
        columns = sum(len(each.parts) for each in scores.values())
        return Outcome(
            score.value,
            0.0,
            control=None if kept_out is None else min(1.0, max(0.0, kept_out)),
            interval=score.interval
            and widened(score.value, score.interval, columns, holds_for=len(score.parts)),
            per_record=per_record,
            detail={"column": score.column, **score.detail},
            note=score.note,
        )

    def _as_asked(self, original: Microdata) -> Microdata:
        """Return the table with the roles that the parameters give to its columns."""
        if self.columns is None and self.responses is None:
            return original
        targets: Sequence[str] = original.having(Role.CONFIDENTIAL)
        if self.responses is not None:
            targets = confidential_responses(original, self.responses, "RegressionAttack")
        known: Sequence[str] = original.quasi_identifiers
        if self.columns is not None:
            known = self._known(original, targets)
        roles = dict.fromkeys(original.having(Role.QUASI_IDENTIFIER, Role.CONFIDENTIAL), Role.OTHER)
        roles |= dict.fromkeys(known, Role.QUASI_IDENTIFIER)
        roles |= dict.fromkeys(targets, Role.CONFIDENTIAL)
        return original.with_attributes(
            replace(original.schema[name], role=role) for name, role in roles.items()
        )

    def _known(self, data: Microdata, targets: Sequence[str]) -> list[str]:
        for name in self.columns or ():
            if name not in data.schema:
                raise UsageError(
                    unknown_column(name, data.schema.names, asked_by="RegressionAttack")
                )
        names = self.columns or data.quasi_identifiers
        known = [name for name in dict.fromkeys(names) if name not in targets]
        if not known:
            raise UsageError(
                "RegressionAttack needs a column that the intruder knows, but there is none; give "
                "a column the role quasi-identifier, or name columns with the parameter 'columns'"
            )
        return known


def _coarse(data: Microdata, targets: Sequence[str]) -> Microdata:
    """Return the table with the rare classes of the columns to guess merged, for growing a tree.

    Every class is a separate response, and a hundred of them would take minutes; what the leaves
    give away is then found with all classes.
    """
    columns = []
    for name in targets:
        column = data.column(name)
        if column.attribute.continuous or len(column.attribute.categories) <= GROWN_CLASSES:
            continue
        counts = np.bincount(column.values[~column.missing], minlength=1)
        place = np.full(len(counts) + 1, GROWN_CLASSES - 1, dtype=np.int32)
        place[np.argsort(-counts, kind="stable")[: GROWN_CLASSES - 1]] = np.arange(
            min(GROWN_CLASSES - 1, len(counts))
        )
        place[-1] = MISSING_CODE
        columns.append(column.recoded(place[column.values], Kind.NOMINAL, range(GROWN_CLASSES)))
    return data.replace(columns)


def _dealt_out(data: Microdata, targets: Sequence[str]) -> Microdata:
    """Return the table with each record's confidential values given to another record."""
    order = Randomness(0).generator("dealt out").permutation(len(data))
    return data.replace(data.column(name).with_values(data[name][order]) for name in targets)


def _narrowness(data: Microdata, tree: Tree, targets: Sequence[str]) -> list[Narrowness]:
    count = len(tree.leaves)
    return [Narrowness.of(data.column(name), tree.labels, count) for name in targets]


def _gains(columns: Sequence[Narrowness]) -> dict[str, float]:
    return {column.column.name: max(0.0, 1 - column.left) for column in columns}


def _attributes(tree: Tree, error: Numbers) -> dict[str, float]:
    """Return the share of the root's error that the cuts in each column remove."""
    fall = _falls(tree, error)
    whole = float(error[0])
    shares = {
        predictor.name: float(fall[tree.column == i].sum() / whole) if whole > 0 else 0.0
        for i, predictor in enumerate(tree.predictors)
    }
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def _falls(tree: Tree, error: Numbers) -> Numbers:
    """Return e(t) − Σ e(children) for each inner node, 0 for leaves."""
    fall = np.where(tree.column >= 0, error, 0.0)
    np.subtract.at(fall, tree.parent[1:], error[1:])
    return np.maximum(fall, 0.0)


def _note(error: Numbers, count: int) -> str:
    if not error[0] > 0:
        return "the confidential values are all equal: there is nothing to learn"
    return "" if count > 1 else "no quasi-identifier distinguishes confidential values"


def _drawn(
    data: Microdata, tree: Tree, error: Numbers, targets: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the upper part of the tree as plain data: the cuts that remove most error."""
    fall = _falls(tree, error)
    opened, waiting = set(), [(-fall[0], 0)]
    leaves = 1
    while waiting:
        _, node = heapq.heappop(waiting)
        children = tree.children(node)
        if not children or leaves + len(children) - 1 > DRAWN:
            continue
        opened.add(node)
        leaves += len(children) - 1
        for child in children:
            heapq.heappush(waiting, (-fall[child], child))
    shown = [n for n in range(len(tree)) if n == 0 or int(tree.parent[n]) in opened]
    place = {node: i for i, node in enumerate(shown)}
    labels = np.full(len(data), -1, dtype=np.int64)
    nodes: list[dict[str, Any]] = []
    for node in shown:
        rows = tree.records(node)
        labels[:] = 1
        labels[rows] = 0
        nodes.append(
            {
                "parent": None if node == 0 else place[int(tree.parent[node])],
                "condition": tree.condition(node),
                "records": int(tree.count[node]),
                "taken_off": float(fall[node] / error[0]) if error[0] > 0 else 0.0,
                "below": 0 if node in opened else _leaves_below(tree, node),
                "narrowed": [
                    Narrowness.of(data.column(name), labels, 2).narrowed(0) for name in targets
                ],
            }
        )
    return nodes


def _leaves_below(tree: Tree, node: int) -> int:
    """Return how many leaves are below a node that is not drawn further; 0 for a leaf."""
    below = tree.column[node : tree.after[node]] < 0
    return int(below.sum()) if tree.column[node] >= 0 else 0
