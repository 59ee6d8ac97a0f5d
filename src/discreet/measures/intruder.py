"""An intruder's tree: trained on the release, asked about the persons of the original.

The intruder knows the quasi-identifiers of a person as they are, and how they were recoded: a
regression tree (that of the attack "regression-attack", without chance) learns from the released
records how the confidential value depends on the quasi-identifiers, and then guesses it from the
person's true ones. Where the released labels of a column have no value in common, the person is
looked up under the label of their own value; where they overlap, as ranges of groups do, the tree
learns from values drawn from the labels, five times, and the guess combines all trees. A tree that
may cut a column of many rare categories memorises them: if there is one, a second tree does without
it, and the better of the two is reported.

The persons asked about are those in the file, and the tree has learned from their own released
records among others: that is what a release gives away about them, and how Li & Sarkar define the
attack. It is compared with what the same tree says about persons whose own record was held out
(cross-fitting in five parts): that much is due to the population, and could be guessed about
somebody who is not in the file too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Pairing, Randomness, Score
from discreet.errors import NotApplicable
from discreet.measures.lookup import asked_about, learned_from
from discreet.measures.sampled import NORMAL_95, widened
from discreet.microdata import Column, Kind, Microdata, Numbers, Role
from discreet.microdata.decoded import Decoded
from discreet.models.regression_tree import Tree, grow

SAMPLE = Randomness(0)
LEARNED_FROM = 50_000
"""The most released records that a tree learns from; more hardly change it."""
PARTS = 5
MOST_CLASSES = 32
"""The most confidential classes that the tree distinguishes as it grows; rarer ones are merged."""

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Guesses:
    """What the intruder guesses about the originals whose confidential value is known.

    `rows` are those originals, `truth` and `guess` their values; `blind` is the guess of an
    intruder without a tree. `kept_out` has the guesses without the person's own record, where it
    is known which that is. `leaf` and `learned` are the leaves and responses of the released
    records that the tree learned from.
    """

    rows: Rows
    truth: Numbers
    guess: Numbers
    blind: float
    leaf: NDArray[np.int64]
    learned: Numbers
    kept_out: Numbers | None = None
    note: str = ""


@dataclass(frozen=True, eq=False)
class Intruder:
    """What an intruder has: the release in the decoded view, and what is known about whom."""

    original: Microdata
    view: Decoded
    quasi: tuple[str, ...]
    targets: tuple[str, ...]
    pairing: Pairing | None

    @classmethod
    def of(
        cls,
        original: Microdata,
        released: Microdata,
        confidential: str | None,
        kinds: Collection[Kind],
        pairing: Pairing | None,
    ) -> Intruder:
        """Determine which columns are guessed from which; those that say nothing are left out."""
        targets = _targets(original, confidential, kinds)
        quasi = [name for name in original.quasi_identifiers if name not in targets]
        if not quasi:
            raise NotApplicable("no quasi-identifier is left to guess from")
        origin = None if pairing is None else pairing.origin
        view = Decoded(original, released, [*quasi, *targets], origin)
        guessed = tuple(name for name in targets if name not in view.lost)
        if not guessed:
            raise NotApplicable("the release says nothing about a confidential column")
        # A tree without anything to cut on is a single leaf.
        known = tuple(name for name in quasi if name not in view.lost) or tuple(quasi[:1])
        return cls(original, view, known, guessed, pairing)

    def guesses(self, target: str, leaf: int, context: Context) -> Guesses:
        """Train trees on the release and guess the target of the originals as well as they can."""
        asked = np.flatnonzero(~self.original.column(target).missing)
        if not len(asked):
            raise NotApplicable("every confidential value of the original is missing")
        persons = asked_about(self.view, self.quasi, asked)
        draws = list(learned_from(self.view, self.quasi, target, context.generator("draws")))
        with_all = self._guesses(target, leaf, asked, persons, draws)
        few = tuple(name for name in self.quasi if not _many_valued(draws[0], name, leaf))
        if not few or few == self.quasi:
            return with_all
        without = replace(self, quasi=few)._guesses(target, leaf, asked, persons, draws)
        column = self.original.column(target)
        return without if _error(without, column) < _error(with_all, column) else with_all

    def _guesses(
        self, target: str, leaf: int, asked: Rows, persons: Microdata, draws: Sequence[Microdata]
    ) -> Guesses:
        """Guess by a tree, or by all together where the release is drawn from its labels."""
        guessed, kept_out = [], []
        first: tuple[Tree, Column, Rows] | None = None
        note = ""
        for table in draws:
            known = self._known(table, target, leaf)
            if len(known) > LEARNED_FROM:
                # The same records for every seed: a claim must not depend on who is drawn.
                chosen = SAMPLE.generator("sample").choice(len(known), LEARNED_FROM, replace=False)
                known = known[np.sort(chosen)]
                note = f"the tree learned from {LEARNED_FROM:,} records drawn at random"
            tree = self._tree(table, known, target, leaf)
            column = table.column(target)
            guessed.append(_guessed(tree, persons, column, known))
            kept_out.append(self._kept_out(table, known, persons, target, leaf))
            first = first or (tree, column, known)
        assert first is not None  # there is at least one draw
        tree, column, known = first
        learned = column.values[known].astype(np.float64)
        others = [guesses for guesses in kept_out if guesses is not None]
        return Guesses(
            asked,
            self.original[target][asked].astype(np.float64),
            _together(column, guessed),
            _typical(column, learned),
            tree.labels,
            learned,
            _together(column, others) if len(others) == len(guessed) else None,
            note,
        )

    def _known(self, table: Microdata, target: str, leaf: int) -> Rows:
        """Return the released records that have the target, in the order of their originals."""
        # So the tree does not depend on how the release is shuffled.
        order = np.arange(len(table))
        if self.pairing is not None:
            order = np.argsort(self.pairing.origin, kind="stable")
        known = order[~table.column(target).missing[order]]
        if len(known) < 2 * leaf:
            raise NotApplicable(
                f"a tree with leaves of {leaf} records needs at least {2 * leaf} released records "
                f"with the confidential value, but there are {len(known)}"
            )
        return known

    def _tree(self, table: Microdata, rows: Rows, target: str, leaf: int) -> Tree:
        data = table.take(rows)
        return grow(data.replace([_few_classes(data.column(target))]), self.quasi, [target], leaf)

    def _kept_out(
        self,
        table: Microdata,
        known: Rows,
        persons: Microdata,
        target: str,
        leaf: int,
    ) -> Numbers | None:
        """Return guesses by trees that did not learn from the person's own record."""
        if self.pairing is None:
            return None
        asked = np.flatnonzero(~self.original.column(target).missing)
        part = SAMPLE.generator("parts").permutation(len(self.original)) % PARTS
        kept_out = np.full(len(asked), np.nan)
        for number in range(PARTS):
            others = known[part[self.pairing.origin[known]] != number]
            held_out = np.flatnonzero(part[asked] == number)
            if not len(others) or not len(held_out):
                continue
            tree = self._tree(table, others, target, leaf)
            kept_out[held_out] = _guessed(
                tree, persons.take(held_out), table.column(target), others
            )
        return None if np.isnan(kept_out).any() else kept_out


def _targets(original: Microdata, named: str | None, kinds: Collection[Kind]) -> list[str]:
    words = " or ".join(kind.value for kind in kinds)
    if named is not None:
        if original.column(named).attribute.kind not in kinds:
            raise NotApplicable(f"the confidential column '{named}' is not {words}")
        names = [named]
    else:
        names = [n for n in original.having(Role.CONFIDENTIAL) if original.schema[n].kind in kinds]
        if not names:
            raise NotApplicable(f"no column is confidential and {words}")
    return names


def _many_valued(table: Microdata, name: str, leaf: int) -> bool:
    """Whether most categories of a column have fewer records than a leaf, which tempts a tree.

    >>> import discreet
    >>> data = discreet.read({"town": ["a"] * 3 + ["b", "c"], "sex": ["f", "m", "f", "m", "f"]})
    >>> [_many_valued(data, name, 2) for name in ("town", "sex")]
    [True, False]
    """
    column = table.column(name)
    if column.attribute.kind is not Kind.NOMINAL:
        return False
    values = column.values[~column.missing]
    counts = np.bincount(values, minlength=len(column.attribute.categories))
    return bool((counts < leaf).mean() > 0.5)


def _error(guesses: Guesses, column: Column) -> float:
    """Return the squared error of guessed numbers, or the share of classes guessed wrong."""
    if column.attribute.continuous:
        return float(((guesses.truth - guesses.guess) ** 2).mean())
    return float((guesses.truth != guesses.guess).mean())


def _few_classes(column: Column) -> Column:
    """Return a column of classes with the rare ones joined; numbers as they are."""
    if column.attribute.continuous:
        return column
    counts = np.bincount(column.values, minlength=len(column.attribute.categories))
    if (counts > 0).sum() <= MOST_CLASSES:
        return column
    frequent = np.argsort(-counts, kind="stable")[: MOST_CLASSES - 1]
    rest = np.argsort(-counts, kind="stable")[MOST_CLASSES - 1]
    table = np.full(len(counts), rest)
    table[frequent] = frequent
    return column.with_values(table[column.values])


def _guessed(tree: Tree, persons: Microdata, column: Column, rows: Rows) -> Numbers:
    """Return the mean, or the most frequent class, of the leaf of each person."""
    values = column.values[rows]
    typical = np.zeros(len(tree))
    order = np.argsort(tree.labels, kind="stable")
    ends = np.cumsum(tree.count[tree.leaves])[:-1]
    for leaf, members in zip(tree.leaves, np.split(order, ends), strict=True):
        typical[leaf] = _typical(column, values[members].astype(np.float64))
    return typical[tree.assign(persons)]


def _typical(column: Column, values: Numbers) -> float:
    """Return the mean of the numbers, or the most frequent class."""
    if column.attribute.continuous:
        return float(values.mean())
    return float(np.bincount(values.astype(np.int64)).argmax())


def _together(column: Column, guesses: Sequence[Numbers]) -> Numbers:
    """Return the mean of several guesses of each person, or the class guessed most often."""
    every = np.array(guesses)
    if column.attribute.continuous or len(guesses) == 1:
        return np.asarray(every.mean(axis=0))
    times = (every[:, None] == every[None]).sum(axis=0)
    return np.asarray(np.take_along_axis(every, times.argmax(axis=0)[None], axis=0)[0])


def interval_of_mean(differences: Numbers) -> float:
    """Return half the width of a 95 % interval for a mean, if the records were a sample."""
    if len(differences) < 2:
        return 0.0
    return float(NORMAL_95 * differences.std(ddof=1) / np.sqrt(len(differences)))


def per_released(figures: Numbers, rows: Rows, pairing: Pairing | None, originals: int) -> Any:
    """Return a figure of each asked original for each released record; NaN where not asked."""
    if pairing is None:
        return None
    table = np.full(originals, np.nan)
    table[rows] = figures
    return table[pairing.origin]


def worst_of(scores: Mapping[str, Score], predictors: Sequence[str]) -> Score:
    """Return the score of the column that is guessed best; detail has those of all.

    The interval holds for all columns together: the best of several is so by luck, too.

    >>> worst_of({"pay": Score(0.2), "rent": Score(0.7)}, ["age"]).value
    0.7
    """
    worst = max(scores, key=lambda name: scores[name].value)
    worst_score = scores[worst]
    return replace(
        worst_score,
        interval=worst_score.interval
        and widened(worst_score.value, worst_score.interval, len(scores)),
        parts={(name,): score.value for name, score in scores.items()},
        column=worst,
        detail={
            "predictors": list(predictors),
            "columns": {name: score.detail for name, score in scores.items()},
        },
    )
