"""Suppressed cells: values that can be read off other columns or members of a household."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from discreet.contracts import (
    Aim,
    Attack,
    Columns,
    Context,
    Findings,
    Outcome,
    Pairing,
    Spec,
    Target,
    known_pairing,
    param,
)
from discreet.errors import DataError, NotApplicable, UsageError
from discreet.measures.filling import Filled, filled, typical
from discreet.measures.linkage.cells import Cells, Rows, cells
from discreet.measures.people import in_words
from discreet.measures.sampled import interval_of_share
from discreet.measures.secrets import same_scale
from discreet.microdata import Column, Microdata, Numbers, unknown_column
from discreet.microdata.decoded import Decoded
from discreet.models.recovery import CLOSE

MOST_GAPS = 10_000
"""The most cells of a column that are filled; if there are more, this many are drawn."""
HIDDEN = 10
"""In an unprotected file, one cell in this many is hidden and read off the rest."""


class SuppressedCells(Attack):
    """Reads suppressed cells off the rest of the release.

    A region is a function of its town, a title tells the sex, the members of a household share
    their address. For each column with suppressed cells the intruder learns from the cells that are
    there how it depends on each other column, on all of them together, and on what the others of a
    household have, and fills the gaps in the best of these ways. A number is right within a
    twentieth of a standard deviation, a label if it contains the original value; the blind guess is
    the commonest value or the median of the cells that are present. The control is a guess for the
    people held back, without the release: that a region follows from its town for anybody is no
    excuse, since the town of this record is in the release. `by` names the ways, and `certain` is
    the share of cells filled in a way that has no exception among the cells that are present.

    >>> import discreet
    >>> town = ["Ayle", "Bron", "Cull"] * 40
    >>> region = ["coast", "coast", "hills"] * 40
    >>> data = discreet.read({"town": town, "region": region})
    >>> release = discreet.read({"town": town, "region": [None] * 6 + region[6:]})
    >>> target = Target(data, release, Pairing.same_order(120))
    >>> outcome = SuppressedCells().attempt(target, Context())
    >>> outcome.success, outcome.by
    (1.0, {"region by 'town'": 1.0})
    """

    aim: ClassVar[Aim] = Aim.INFER
    against_people: ClassVar[bool] = True
    spec: ClassVar[Spec] = Spec(
        name="suppressed-cells",
        title="Suppressed cells: values read off other columns or members of a household",
        citation="Hundepool et al. (2012), Statistical disclosure control, §3.4; Wong, Fu, Wang & "
        "Pei (2007); functional dependencies as in Wang & Liu (2011), Privacy-preserving "
        "publishing microdata with full functional dependencies",
        missing="a value that is missing in the original is not asked about",
        random=True,
        formula="share of suppressed cells with x̂ = x, or |x̂ − x| ≤ σ/20 for numbers; x̂ the "
        "commonest value, or the mean, among records alike in what tells most",
        cost="m·c for m cells of each column, 20,000 at most; n·log n for households",
    )

    columns: Columns = param(
        default=None, help="the columns whose gaps are filled; all released ones if not given"
    )

    def attack(self, data: Microdata, context: Context) -> Findings:
        """Return how many cells could be read off the rest if one in ten were suppressed."""
        generator = context.generator("hidden")
        names = set(self.columns or data.quasi_identifiers or data.schema.names)
        hidden = data.replace(
            _with_gaps(column, generator.permutation(len(data))[: len(data) // HIDDEN])
            for column in data
            if column.name in names
        )
        try:
            target = Target(data, hidden, Pairing.same_order(len(data)))
            outcome = self.attempt(target, context)
        except NotApplicable as reason:
            raise DataError(f"{self.spec.name} cannot be tried on this file: {reason}") from None
        attributes = {words: share for words, share in outcome.by.items() if share > 0}
        return Findings(
            {},
            np.full(len(data), outcome.success),
            dict(sorted(attributes.items(), key=lambda entry: -entry[1])),
            detail={"success": outcome.success, "blind": outcome.blind, **outcome.detail},
            note=in_words(outcome, "if one cell in ten were suppressed"),
        )

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return the share of suppressed cells that are filled correctly."""
        for name in self.columns or ():
            if name not in target.original.schema:
                known_names = target.original.schema.names
                raise UsageError(unknown_column(name, known_names, asked_by=type(self).__name__))
        origin, released = known_pairing(target.pairing).origin, target.released
        names = [
            name
            for name in self.columns or target.original.schema.names
            if name in released.schema and name in target.original.schema
        ]
        view = Decoded(target.original, released, names, origin)
        guesses = _Guesses(len(released))
        for name in names:
            gaps = np.flatnonzero(view[name].unknown & released.column(name).missing)
            if not len(gaps) or view[name].lost:
                continue
            generator = context.within(name).generator("gaps")
            asked = np.sort(generator.permutation(gaps)[:MOST_GAPS])
            fills = filled(released, name, asked, generator)
            [cell] = cells(target.original, released, [name], origin)
            column, truth = released.column(name), target.original.column(name)
            right, blind = (
                _right(cell, column, truth, guesses, origin[asked])
                for guesses in (fills.guess, np.full(len(asked), fills.blind))
            )
            guesses.add(name, fills, asked, right, blind, len(gaps))
            control = target.control
            if (
                control is not None
                and name in control.schema
                and same_scale(control, target.original, name)
            ):
                guesses.others.append(_by_others(truth, control.column(name), origin[asked]))
        return guesses.outcome()


class _Guesses:
    """What was found column by column."""

    def __init__(self, records: int) -> None:
        self.per_record = np.zeros(records)
        self.right: list[Numbers] = []
        self.blind: list[Numbers] = []
        self.others: list[Numbers] = []
        self.sure: list[Numbers] = []
        self.by: dict[str, int] = {}
        self.columns: dict[str, dict[str, float]] = {}
        self.cells = 0

    def add(
        self, name: str, fills: Filled, asked: Rows, right: Numbers, blind: Numbers, gaps: int
    ) -> None:
        """Add the cells of a column."""
        self.right.append(right)
        self.blind.append(blind)
        self.sure.append(right * (np.array(fills.trusted)[fills.way] == 1.0) * (fills.way > 0))
        self.per_record[asked] = np.maximum(self.per_record[asked], right)
        self.cells += gaps
        for way in np.unique(fills.way).tolist():
            words = f"{name} by {fills.ways[way]}"
            self.by[words] = self.by.get(words, 0) + int(right[fills.way == way].sum())
        self.columns[name] = {
            "success": float(right.mean()),
            "blind": float(blind.mean()),
            "suppressed": float(gaps),
            "where the value is there": float(max(fills.trusted)),
        }

    def outcome(self) -> Outcome:
        """Return how often it succeeds."""
        if not self.right:
            nothing = "no cell was suppressed"
            return Outcome(0.0, 0.0, per_record=self.per_record, note=nothing, moot=nothing)
        right, blind, sure = (np.concatenate(x) for x in (self.right, self.blind, self.sure))
        others = np.concatenate(self.others) if self.others else None
        asked = len(right)
        worst = max(
            self.columns, key=lambda n: self.columns[n]["success"] - self.columns[n]["blind"]
        )
        return Outcome(
            float(right.mean()),
            float(blind.mean()),
            interval=interval_of_share(right),
            certain=float(sure.mean()),
            per_record=self.per_record if asked == self.cells else None,
            control=None if others is None else float(others.mean()),
            control_interval=None if others is None else interval_of_share(others),
            detail={"column": worst, "columns": self.columns, "cells": self.cells},
            note=f"{self.cells:,} suppressed cells"
            + (f", of which {asked:,} were tried" if asked < self.cells else ""),
            by={
                words: count / asked
                for words, count in sorted(self.by.items(), key=lambda entry: -entry[1])
            },
        )


def _right(
    cell: Cells, column: Column, truth: Column, guesses: Numbers, originals: Rows
) -> Numbers:
    """Return which guesses are what the originals have."""
    if column.attribute.continuous and truth.attribute.continuous:
        return _near(truth, guesses, originals)
    # A label is right if a record that has it could be that of the person.
    holders = np.full(len(column.attribute.categories) + 1, -1, dtype=np.int64)
    holders[column.values[::-1]] = np.arange(len(column.values))[::-1]
    holder = holders[np.nan_to_num(guesses, nan=-1.0).astype(np.int64)]
    comparable = ~np.isnan(guesses) & (holder >= 0)
    near_enough = cell.gaps_beside(np.maximum(holder, 0), originals) <= 0
    return np.asarray(near_enough & comparable, dtype=np.float64)


def _by_others(truth: Column, others: Column, originals: Rows) -> Numbers:
    """Return which originals have the commonest value, or the median, of people held back."""
    if others.missing.all():
        return np.zeros(len(originals))
    usual = typical(others.values[~others.missing].astype(np.float64), others)
    return _near(truth, np.full(len(originals), usual), originals)


def _near(truth: Column, guesses: Numbers, originals: Rows) -> Numbers:
    """Return which guesses are the value of the original, a number within the tolerance."""
    near = 0.0
    if truth.attribute.continuous:
        near = CLOSE * float(truth.values[~truth.missing].std()) * (1 + 1e-9)
    return np.asarray(np.abs(guesses - truth.values[originals]) <= near, dtype=np.float64)


def _with_gaps(column: Column, rows: Rows) -> Column:
    values = column.values.copy()
    values[rows] = np.nan if column.attribute.continuous else -1
    return column.with_values(values)
