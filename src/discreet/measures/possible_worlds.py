"""Possible worlds: who can have which confidential value, given that finer recodings failed.

For somebody who has the quasi-identifiers and the release, every way in which the confidential
values of a class may belong to its members is a world, all equally likely. If the method takes the
least recoding that meets its conditions, a world in which a finer one meets them is ruled out
(Wong, Fu, Wang & Pei 2007, Minimality attack in privacy preserving data publishing; Zhang, Jajodia
& Brodsky 2007, Information disclosure under realistic assumptions).

A finer recoding fails if it does so anywhere. So the classes of the release, independent before,
depend on each other through which of the finer recodings fail in them: sets whose union must be
all. Worlds are drawn, or enumerated if there are few, in each class separately, and weighted by the
chance that the other classes make up the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import PassedOver
from discreet.microdata import Numbers

Rows = NDArray[np.int64]
MOST_RECODINGS = 6
"""The most finer recodings that are taken into account; the work doubles with each."""
LEAST_WORLDS, MOST_CELLS = 50, 20_000_000
"""The fewest worlds drawn for a class, and the most records times worlds in total."""


@dataclass(frozen=True, eq=False)
class Values:
    """A confidential column: the value of each record as a number below `count`."""

    codes: Rows
    count: int


@dataclass(frozen=True, eq=False)
class Posterior:
    """The chance of each value for each record, with and without knowledge of the choice.

    `counted` says that all worlds were enumerated, so that a chance of 1 is certain; `possible`
    that there is a world in which the finer recodings fail, among those drawn.
    """

    chances: list[Numbers]
    without: list[Numbers]
    counted: NDArray[np.bool_]
    possible: bool


def posterior(
    passed_over: PassedOver,
    columns: Sequence[Values],
    most_worlds: int,
    generator: np.random.Generator,
) -> Posterior:
    """Return what follows about each record from the choice of a recoding.

    Two people of one kind and four of another share two cases of an illness. If the kinds could
    not be released by themselves, either of the first two has it in one of seven worlds, each of
    the four in three of seven; without that, everybody in one of three.

    >>> kinds = PassedOver(np.zeros(6, int), {"kind": np.array([0, 0, 1, 1, 1, 1])}, l=2)
    >>> ill = Values(np.array([0, 0, 0, 0, 1, 1]), 2)
    >>> found = posterior(kinds, [ill], 1000, np.random.default_rng(1))
    >>> (7 * found.chances[0][[0, 2], 1]).round(6).tolist(), found.without[0][0].round(2).tolist()
    ([1.0, 3.0], [0.67, 0.33])
    """
    records = len(passed_over.classes)
    finer = list(passed_over.finer.values())[:MOST_RECODINGS]
    without = [_shares(passed_over.classes, column) for column in columns]
    counted = np.zeros(records, dtype=bool)
    if not finer or not records:
        return Posterior(without, without, counted, possible=True)
    order = np.argsort(passed_over.classes, kind="stable")
    classes = np.split(order, np.cumsum(np.bincount(passed_over.classes))[:-1])
    worlds = int(np.clip(MOST_CELLS // records, LEAST_WORLDS, most_worlds))
    drawn = [_worlds(len(members), worlds, generator) for members in classes]
    failing = [
        _failing(members, orders, columns, finer, passed_over.l)
        for members, orders in zip(classes, drawn, strict=True)
    ]
    others = _others(failing, 2 ** len(finer))
    chances = [share.copy() for share in without]
    possible = False
    for members, orders, sets, rest in zip(classes, drawn, failing, others, strict=True):
        weight = _completing(rest)[sets]
        if weight.sum() <= 0:
            continue
        possible = True
        counted[members] = factorial(min(len(members), 20)) <= worlds
        change = weight / weight.sum() - 1 / len(weight)
        for kind in _alike(members, finer):
            for column, chance in zip(columns, chances, strict=True):
                values = column.codes[members[orders[:, kind]]]
                moved = np.bincount(values.ravel(), np.repeat(change, len(kind)), column.count)
                chance[members[kind]] += moved / len(kind)
    return Posterior([np.clip(c, 0, 1) for c in chances], without, counted, possible)


def _shares(classes: Rows, column: Values) -> Numbers:
    """Return for each record the share of each value in its class."""
    count = int(classes.max(initial=-1)) + 1
    keys = classes * column.count + column.codes
    counts = np.bincount(keys, minlength=count * column.count).reshape(count, column.count)
    return np.asarray((counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))[classes])


def _worlds(size: int, worlds: int, generator: np.random.Generator) -> Rows:
    """Return whose values each member has in each world: all orders, or some drawn at random."""
    if size <= 20 and factorial(size) <= worlds:
        return np.array(list(permutations(range(size))), dtype=np.int64)
    return generator.permuted(np.tile(np.arange(size), (worlds, 1)), axis=1)


def _failing(
    members: Rows, orders: Rows, columns: Sequence[Values], finer: Sequence[Rows], least: int
) -> Rows:
    """Return for each world which finer recodings fail among these members, as bits."""
    sets = np.zeros(len(orders), dtype=np.int64)
    for bit, labels in enumerate(finer):
        fails = np.zeros(len(orders), dtype=bool)
        member_labels = labels[members]
        for label in np.unique(member_labels).tolist():
            part = np.flatnonzero(member_labels == label)
            for column in columns:
                values = np.sort(column.codes[members[orders[:, part]]], axis=1)
                fails |= (np.diff(values, axis=1) > 0).sum(axis=1) + 1 < least
        sets |= fails.astype(np.int64) << bit
    return sets


def _others(failing: Sequence[Rows], sets: int) -> list[Numbers]:
    """Return for each class how likely each set is to fail in all the others together."""
    laws = [np.bincount(worlds, minlength=sets) / len(worlds) for worlds in failing]
    nothing = np.zeros(sets)
    nothing[0] = 1.0
    before, after = [nothing], [nothing]
    for law in laws:
        before.append(_united(before[-1], law))
    for law in laws[::-1]:
        after.append(_united(after[-1], law))
    return [_united(before[i], after[len(laws) - 1 - i]) for i in range(len(laws))]


def _united(first: Numbers, second: Numbers) -> Numbers:
    """Return the distribution of the union of two independent random sets.

    >>> _united(np.array([0.5, 0.5]), np.array([0.5, 0.5])).tolist()
    [0.25, 0.75]
    """
    union = np.zeros(len(first))
    for chosen in np.flatnonzero(second).tolist():
        union += np.bincount(np.arange(len(first)) | chosen, first * second[chosen], len(first))
    return union


def _completing(rest: Numbers) -> Numbers:
    """Return for each set the chance that the rest makes it complete."""
    every = np.arange(len(rest))
    full = len(rest) - 1
    return np.array([rest[(every | failed) == full].sum() for failed in every])


def _alike(members: Rows, finer: Sequence[Rows]) -> list[Rows]:
    """Return the places of members whom no finer recoding distinguishes."""
    labels = np.column_stack([recoding[members] for recoding in finer])
    _, kind = np.unique(labels, axis=0, return_inverse=True)
    kind = kind.reshape(-1)
    return [np.flatnonzero(kind == k) for k in range(int(kind.max()) + 1)]
