"""Release differences: who joined or left between two releases, and with which value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from discreet.contracts import Context, Findings, Outcome, Spec, Target
from discreet.errors import NotApplicable
from discreet.measures.linkage.cells import Rows
from discreet.measures.sampled import for_all, interval_of_share
from discreet.measures.secrets import SecretsAttack, worst_of
from discreet.microdata import Microdata, Numbers
from discreet.microdata.hierarchy import text_of

HIDDEN = 0.2
"""Nothing is certain if differences hide more than this, relative to what they show."""

MOST_CELLS = 20_000_000
"""Classes times values of a column that are counted; a column with more is left out."""
FEW = 1
"""This many more than the differences show are put down to chance."""


class ReleaseDifferences(SecretsAttack):
    """Subtracts one release from the next, class by class, and reads what is left.

    Anyone who knows that a person joined a file, or left it, between two releases finds that
    person's value in the difference of the two: the values that the person's class has more of in
    one than in the other. If they are all the same, the value is known, however many records the
    class has. If many joined and left, differences hide them behind each other: how many there are
    is estimated from the size of the differences, and for those hidden the guess is right as often
    as the commonest value occurs. Only classes that have the same labels in both releases count;
    the blind guess is the commonest value of the release that a person is in. If the releases are
    recoded differently there is nothing to subtract; earlier-release compares those.

    >>> import discreet
    >>> roles = {"age": "quasi-identifier", "ill": "confidential"}
    >>> first = discreet.read({"age": ["30–39"] * 3, "ill": ["flu", "gout", "flu"]}, roles=roles)
    >>> ill = ["gout", "flu", "gout", "flu"]
    >>> now = discreet.read({"age": ["30–39"] * 4, "ill": ill}, roles=roles)
    >>> people = discreet.read({"age": [31, 32, 33, 38], "ill": ill}, roles=roles)
    >>> outcome = ReleaseDifferences().attempt(Target(people, now, earlier=(first,)), Context())
    >>> outcome.success, outcome.certain, outcome.detail["joined or left"]
    (1.0, 1.0, 1)
    """

    spec: ClassVar[Spec] = Spec(
        name="release-differences",
        title="Releases subtracted: the values of those who joined or left",
        citation="Ganta, Kasiviswanathan & Smith (2008), Composition attacks and auxiliary "
        "information in data privacy; Xiao & Tao (2007), m-Invariance; Denning, Denning & Schwartz "
        "(1979), The tracker",
        missing="a value of its own",
        formula="D(s) = max(0, n₂(s) − n₁(s)) in a class; ŝ = argmax D for those who joined, and "
        "with the releases exchanged for those who left",
        cost="n·log n for each confidential column and release",
    )

    def attack(self, data: Microdata, context: Context) -> Findings:
        """Return what a release of half of the file followed by one of all of it gives away."""
        half = data.take(np.arange(0, len(data), 2))
        return self.tried(Target(data, data, earlier=(half,)), context, "if half joined later")

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return the share of those who joined or left whose confidential value is read off."""
        if not target.earlier:
            raise NotApplicable("there is no earlier release to compare with")
        names, secrets = self.asked_about(target)
        releases = (*target.earlier, target.released)
        names = [n for n in names if all(n in table.schema for table in releases)]
        secrets = [n for n in secrets if all(n in table.schema for table in releases)]
        if not secrets or not names:
            raise NotApplicable(
                "no confidential column, or no column that the intruder knows, is in all releases"
            )
        labels = _classes([_codes(releases, name) for name in names])
        outcomes: dict[str, Outcome] = {}
        for name in secrets:
            values = _codes(releases, name)
            width = max(int(codes.max(initial=0)) + 1 for codes in values)
            if width * len(np.unique(labels[-1])) > MOST_CELLS:
                continue
            changes = [
                _changed(labels[i], values[i], labels[i + 1], values[i + 1])
                for i in range(len(releases) - 1)
            ]
            outcomes[name] = _outcome(changes, len(target.released), for_all(len(secrets)))
        if not outcomes:
            raise NotApplicable("there are too many classes and different values to subtract")
        return worst_of(outcomes)


@dataclass(frozen=True, eq=False)
class _Side:
    """One of two releases: how many records each class that both have has of each value.

    Cells are numbered class times the number of values plus value. `usual` is the commonest value
    of the release, `cell` the cell of each record, −1 in a class that only this release has.
    """

    counts: Numbers
    usual: int
    cell: Rows

    @classmethod
    def of(cls, both: Rows, labels: Rows, values: Rows, width: int) -> _Side:
        at = np.minimum(np.searchsorted(both, labels), max(len(both) - 1, 0))
        inside = both[at] == labels if len(both) else np.zeros(len(labels), dtype=bool)
        cell = np.where(inside, at * width + values, -1)
        counts = np.bincount(cell[inside], minlength=len(both) * width).astype(np.float64)
        return cls(counts, int(np.bincount(values, minlength=width).argmax()), cell)


@dataclass(frozen=True, eq=False)
class _Changed:
    """Those who joined or left between two releases: chance, certainty, blind guess of each.

    `shared` is the share of the later records in classes that both have; `exposed` has the chance
    for each record of the later release.
    """

    chance: Numbers
    certain: Numbers
    blind: Numbers
    shared: float
    exposed: Numbers


def _changed(before: Rows, first: Rows, after: Rows, second: Rows) -> _Changed:
    both = np.intersect1d(before, after)
    width = int(max(first.max(initial=0), second.max(initial=0))) + 1
    sides = [
        _Side.of(both, labels, values, width)
        for labels, values in ((before, first), (after, second))
    ]
    visible, hidden = _turnover(sides[0].counts, sides[1].counts)
    chance, certain, blind = [np.zeros(0)], [np.zeros(0)], [np.zeros(0)]
    exposed = np.zeros(len(after))
    for side, other in (sides[::-1], sides):
        surplus = np.maximum(side.counts - other.counts, 0).reshape(-1, width)
        counts = side.counts.reshape(-1, width)
        # If no value has become more frequent in a class, its commonest value is the best guess.
        weights = np.where(surplus.any(axis=1, keepdims=True), surplus, counts)
        top = weights >= weights.max(axis=1, keepdims=True)
        best_guess = np.where(top, 1 / top.sum(axis=1, keepdims=True), 0.0)
        alone = (surplus > 0).sum(axis=1, keepdims=True) == 1
        times = surplus.astype(np.int64).ravel()
        usual = np.broadcast_to(np.arange(width) == side.usual, surplus.shape)
        chance.append(np.repeat(best_guess.ravel(), times))
        certain.append(np.repeat(np.broadcast_to(alone, surplus.shape).ravel(), times))
        blind.append(np.repeat(usual.ravel(), times))
        total = counts.sum()
        if hidden and total:
            half = np.ones(round(hidden / 2))
            chance.append(half * float((best_guess * counts).sum() / total))
            certain.append(half * 0)
            blind.append(half * float((usual * counts).sum() / total))
        if side is sides[1]:
            # It is not known which of the records with this value is the one that joined.
            share = np.append((best_guess * surplus / np.maximum(counts, 1)).ravel(), 0.0)
            exposed = share[side.cell] * visible / max(visible + hidden, 1)
    sure = np.concatenate(certain) if hidden <= HIDDEN * visible else np.zeros(0)
    chances = np.concatenate(chance)
    shared = float((sides[1].cell >= 0).mean()) if len(after) else 0.0
    return _Changed(
        chances,
        np.resize(sure, len(chances)) if len(sure) else np.zeros(len(chances)),
        np.concatenate(blind),
        shared,
        exposed,
    )


def _turnover(before: Numbers, after: Numbers) -> tuple[float, float]:
    """Return how many joined or left, as the differences show, and how many more they hide.

    If one joins and another leaves with the same value, nothing shows. Numbers of those who come
    and go at random have a variance of their sum, so that squared differences, beyond the growth
    of the file as a whole, add up to all of them. If that is hardly more than what shows, it is
    put down to chance.
    """
    difference = after - before
    visible = float(np.abs(difference).sum())
    growth = after.sum() / before.sum() - 1 if before.sum() else 0.0
    every = float(((difference - growth * before) ** 2).sum())
    return visible, every - visible if every > visible + FEW else 0.0


def _outcome(changes: Sequence[_Changed], released: int, z: float) -> Outcome:
    chance, certain, blind = (
        np.concatenate([getattr(change, word) for change in changes])
        for word in ("chance", "certain", "blind")
    )
    shared = min(change.shared for change in changes)
    detail = {"joined or left": len(chance), "share in classes of both": shared}
    apart = f"{100 * (1 - shared):.0f} % of the records are in classes that some releases lack"
    note = (
        f"of about {len(chance):,} who joined or left"
        if len(chance)
        else "nobody joined or left the classes that all releases have"
    )
    return Outcome(
        float(chance.mean()) if len(chance) else 0.0,
        float(blind.mean()) if len(chance) else 0.0,
        interval=interval_of_share(chance, z) if len(chance) else None,
        certain=float(certain.mean()) if len(chance) else 0.0,
        per_record=changes[-1].exposed if len(chance) else np.zeros(released),
        detail=detail,
        note=f"{note}; {apart}" if shared < 1 else note,
    )


def _codes(tables: Sequence[Microdata], name: str) -> list[Rows]:
    """Return the values of a column in several releases as numbers that agree."""
    columns = [table.column(name) for table in tables]
    if all(column.attribute.continuous for column in columns):
        levels = [column.values for column in columns]
    else:
        levels = []
        for column in columns:
            if column.attribute.continuous:
                texts = np.array([text_of(value) for value in column.values.tolist()], dtype=str)
                levels.append(np.where(column.missing, "", texts))
            else:
                texts = np.array([*map(text_of, column.attribute.categories), ""], dtype=str)
                levels.append(texts[column.values])
    _, codes = np.unique(np.concatenate(levels), return_inverse=True)
    return np.split(codes.reshape(-1), np.cumsum([len(table) for table in tables])[:-1])


def _classes(columns: Sequence[Sequence[Rows]]) -> list[Rows]:
    """Return a label per record of each release; equal ones agree in all columns."""
    joined = np.column_stack([np.concatenate(list(column)) for column in columns])
    _, labels = np.unique(joined, axis=0, return_inverse=True)
    return np.split(labels.reshape(-1), np.cumsum([len(part) for part in columns[0]])[:-1])
