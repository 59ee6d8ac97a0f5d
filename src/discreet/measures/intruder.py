"""An intruder's tree: trained on the release, asked about the persons of the original.

The intruder knows the quasi-identifiers of a person as they are, and takes the release for what it
says: a regression or classification tree learns from the released records how the confidential
value goes with the quasi-identifiers, and then guesses it from the person's true ones. A label of
several categories, made by value concatenation, is read as its parts; columns that were recoded to
another scale cannot be looked up and are left out.

The persons asked about are those in the file, and their own released records are among what the
tree learned from: that is what a release gives away about them, and how Li & Sarkar put the
attack. Beside it stands what the same tree says of persons whose own record was kept from it
(cross-fitting in five parts): so much is a matter of the population, and would be guessed of
somebody who is not in the file too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Pairing, Score
from discreet.errors import NotApplicable
from discreet.microdata import Column, Kind, Microdata, Numbers
from discreet.microdata.comparison import comparable, in_same_categories
from discreet.microdata.concatenation import Shares, fractional

LEARNED_FROM = 50_000
"""Released records that a tree learns from at most; more hardly change it."""
PARTS = 5
INDICATORS = 8
"""Confidential classes, the most frequent first, whose shares describe a nominal category."""
NORMAL_95 = 1.959964
AT_ONCE = 200_000

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Reading:
    """How a quasi-identifier is read as numbers that a tree can cut.

    A continuous or ordinal value is its place among the values that occur in the release, between
    two of them in proportion; a missing one lies before all. A nominal category is the mean
    response of its records, in the order of which Breiman et al. cut categories; categories with
    fewer records than a leaf, and those never seen, share one mean. A concatenated label is the
    mean of its categories by their shares, and counts for each of them with its share.
    """

    name: str
    levels: Numbers | None
    table: Numbers | None
    shares: Shares | None = None

    @classmethod
    def fit(
        cls, column: Column, rows: Rows, responses: Numbers, leaf: int, shares: Shares | None = None
    ) -> Reading:
        """Learn from these rows of a released column."""
        values = column.values[rows]
        if column.attribute.kind is not Kind.NOMINAL:
            present = values[~column.missing[rows]].astype(np.float64)
            return cls(column.name, np.unique(present), None)
        width = len(column.attribute.categories) + 1
        codes = np.where(values < 0, width - 1, values)
        sizes = np.bincount(codes, minlength=width).astype(np.float64)
        sums: Numbers = np.array([np.bincount(codes, r, width) for r in responses.T]).T
        if shares is not None:
            sizes, sums = shares.table.T @ sizes, shares.table.T @ sums
        rare = sizes < leaf
        few = sizes[rare].sum()
        pooled = sums[rare].sum(axis=0) / few if few > 0 else responses.mean(axis=0)
        table = np.divide(sums, sizes[:, None], out=np.zeros_like(sums), where=sizes[:, None] > 0)
        table[rare] = pooled
        return cls(column.name, None, table, shares)

    def numbers(self, column: Column, rows: Rows) -> Numbers:
        """Return the values of these rows as one or more coordinates."""
        values = column.values[rows]
        if self.table is not None:
            table = self.table
            if self.shares is not None and self.shares.read(column.attribute):
                table = self.shares.table @ table
            return np.asarray(table[values])  # the code −1 of a missing value is the last row
        assert self.levels is not None
        places = np.full(len(rows), -1.0)
        present = ~column.missing[rows]
        if len(self.levels):
            ranks = np.arange(len(self.levels), dtype=np.float64)
            places[present] = np.interp(values[present], self.levels, ranks)
        return places[:, None]


@dataclass(frozen=True, eq=False)
class Guesses:
    """What the intruder guesses of the originals whose confidential value is known.

    `rows` are those originals, `truth` and `guess` their values; `blind` is the guess of an
    intruder without a tree. `kept_out` has the guesses without the person's own record, where it
    is known which that is. `leaf` and `learned` are the leaves and responses of the released
    records that the tree learned from.
    """

    rows: Rows
    truth: Numbers
    guess: Numbers
    blind: float
    kept_out: Numbers | None
    leaf: NDArray[np.int64]
    learned: Numbers
    note: str


Learner = Callable[[int, int], Any]
"""Makes an untrained tree from the least leaf size and a seed."""


def quasi_identifiers(original: Microdata, released: Microdata, named: str | None) -> list[str]:
    """Return the quasi-identifiers that can be looked up in the release."""
    known = [name for name in original.quasi_identifiers if name != named]
    names = comparable(original, released, known)
    parts = fractional(original, released, [n for n in known if n in released.schema])
    names = [name for name in known if name in names or name in parts]
    if not names:
        raise NotApplicable("no quasi-identifier was released on its original scale")
    return names


def guess(
    original: Microdata,
    released: Microdata,
    target: str,
    quasi: Sequence[str],
    leaf: int,
    learner: Learner,
    context: Context,
    pairing: Pairing | None,
) -> Guesses:
    """Train the intruder's tree on the release and guess the target of the originals.

    `target` and `quasi` are columns on the scale that they had in the original, the latter also
    concatenated.
    """
    parts = fractional(original, released, quasi)
    same = [name for name in quasi if name not in parts]
    released = in_same_categories(original, released, [*same, target])
    column, truth = released.column(target), original.column(target)
    asked = np.flatnonzero(~truth.missing)
    # The order of the originals, so that the tree does not depend on how the release is shuffled.
    order = (
        np.arange(len(released)) if pairing is None else np.argsort(pairing.origin, kind="stable")
    )
    known = order[~column.missing[order]]
    if len(known) < 2 * leaf:
        raise NotApplicable(
            f"a tree with leaves of {leaf} records needs at least {2 * leaf} released records with "
            f"the confidential value, and there are {len(known)}"
        )
    if not len(asked):
        raise NotApplicable("every confidential value of the original is missing")
    note = ""
    if len(known) > LEARNED_FROM:
        drawn = context.generator("sample").choice(len(known), LEARNED_FROM, replace=False)
        known = known[np.sort(drawn)]
        note = f"the tree learned from {LEARNED_FROM:,} records drawn by lot"
    seed = int(context.generator("tree").integers(2**31))

    def trained(rows: Rows) -> tuple[list[Reading], Any]:
        responses = _responses(column, rows)
        readings = [
            Reading.fit(released.column(n), rows, responses, leaf, parts.get(n)) for n in quasi
        ]
        tree = learner(leaf, seed)
        tree.fit(_points(readings, released, rows), column.values[rows].astype(np.float64))
        return readings, tree

    readings, tree = trained(known)
    guessed = _asked(readings, tree, original, asked)
    kept_out = None
    if pairing is not None:
        part = context.generator("parts").permutation(len(original)) % PARTS
        kept_out = np.full(len(asked), np.nan)
        for number in range(PARTS):
            others = known[part[pairing.origin[known]] != number]
            mine = part[asked] == number
            if len(others) and mine.any():
                kept_out[mine] = _asked(*trained(others), original, asked[mine])
    values = column.values[known].astype(np.float64)
    return Guesses(
        asked,
        truth.values[asked].astype(np.float64),
        guessed,
        _blind(column, values),
        kept_out if kept_out is not None and not np.isnan(kept_out).any() else None,
        np.asarray(tree.apply(_points(readings, released, known)), dtype=np.int64),
        values,
        note,
    )


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


def worst_of(found: Mapping[str, Score], predictors: Sequence[str]) -> Score:
    """Return the score of the column that is guessed best; detail has those of all.

    >>> worst_of({"pay": Score(0.2), "rent": Score(0.7)}, ["age"]).value
    0.7
    """
    worst = max(found.values(), key=lambda score: score.value)
    return replace(
        worst,
        detail={
            "predictors": predictors,
            "columns": {name: score.detail for name, score in found.items()},
        },
    )


def _responses(column: Column, rows: Rows) -> Numbers:
    """Return what a nominal category is described by: the number, or indicators of classes."""
    values = column.values[rows]
    if column.attribute.continuous:
        return np.asarray(values[:, None], dtype=np.float64)
    sizes = np.bincount(values, minlength=len(column.attribute.categories))
    frequent = np.argsort(-sizes, kind="stable")[:INDICATORS]
    return np.asarray(values[:, None] == frequent, dtype=np.float64)


def _blind(column: Column, values: Numbers) -> float:
    """Return the mean of the numbers, or the most frequent class."""
    if column.attribute.continuous:
        return float(values.mean())
    return float(np.bincount(values.astype(np.int64)).argmax())


def _points(readings: Sequence[Reading], data: Microdata, rows: Rows) -> NDArray[np.float32]:
    columns = [reading.numbers(data.column(reading.name), rows) for reading in readings]
    return np.ascontiguousarray(np.hstack(columns), dtype=np.float32)


def _asked(readings: Sequence[Reading], tree: Any, data: Microdata, rows: Rows) -> Numbers:
    parts = [
        tree.predict(_points(readings, data, rows[at : at + AT_ONCE]))
        for at in range(0, len(rows), AT_ONCE)
    ]
    return np.concatenate(parts).astype(np.float64)
