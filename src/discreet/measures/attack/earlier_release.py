"""Earlier release: what two releases about the same people give away together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

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
    param,
)
from discreet.errors import DataError, NotApplicable, UsageError
from discreet.measures.linkage.cells import Cells, Rows, cells
from discreet.measures.people import Everybody, distances
from discreet.measures.sampled import interval_of_share
from discreet.microdata import Column, Microdata, Numbers, Role, unknown_column
from discreet.microdata.decoded import Decoded

TIE = 1e-6


class EarlierRelease(Attack):
    """Guesses confidential values from two releases about overlapping people.

    In each release the intruder looks up the records that a person could be: those whose labels
    contain what is known of the person, or the nearest ones. Each of the two sets may hide the
    person among others with different values; a value that occurs in one of them only is ruled out
    by the other. What is left is guessed by how often it occurs in both. The detail has the success
    of each release alone, and `certain` is the share of people of whom a single value is left, the
    right one, where neither release alone leaves one.

    >>> import discreet
    >>> roles = {"age": "quasi-identifier", "ill": "confidential"}
    >>> people = discreet.read({"age": [31, 38, 44], "ill": ["flu", "gout", "none"]}, roles=roles)
    >>> first = discreet.read({"age": ["30–39", "30–39", "44"], "ill": ["flu", "gout", "none"]})
    >>> second = discreet.read({"age": ["31", "35–49", "35–49"], "ill": ["flu", "gout", "none"]})
    >>> outcome = EarlierRelease().attempt(Target(people, second, earlier=first), Context())
    >>> outcome.success, [round(alone, 2) for alone in outcome.detail["alone"]]
    (1.0, [0.67, 0.67])
    """

    aim: ClassVar[Aim] = Aim.INFER
    against_people: ClassVar[bool] = True
    spec: ClassVar[Spec] = Spec(
        name="earlier-release",
        title="Two releases together: values that both leave possible",
        citation="Ganta, Kasiviswanathan & Smith (2008), Composition attacks and auxiliary "
        "information in data privacy",
        missing="equal to another missing value; of a suppressed one nothing is known",
        random=True,
        formula="ŝ = argmax over s of share₁(s)·share₂(s), the shares among the records that a "
        "person could be in each release",
        cost="n comparisons in each release for each of up to 2,000 people; fewer people where "
        "that is more than 500 million",
    )

    columns: Columns = param(
        default=None,
        help="the columns that the intruder knows; all quasi-identifiers if not given",
    )
    secrets: Columns = param(
        default=None, help="the columns to guess; all confidential ones if not given"
    )

    def attack(self, data: Microdata, context: Context) -> Findings:
        """Return what two releases of the file as it is would give away."""
        try:
            target = Target(data, data, Pairing.same_order(len(data)), earlier=data)
            outcome = self.attempt(target, context)
        except NotApplicable as reason:
            raise DataError(f"{self.spec.name} cannot be tried on this file: {reason}") from None
        return Findings(
            {},
            np.full(len(data), outcome.success),
            {},
            detail=dict(outcome.detail),
            note=f"{100 * outcome.success:.1f} % of the values are guessed from two releases of "
            "the file as it is",
        )

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return the share of people whose confidential value both releases together give away."""
        if target.earlier is None:
            raise NotApplicable("there is no earlier release to compare with")
        if not all(map(len, (target.original, target.released, target.earlier))):
            raise NotApplicable("one of the releases has no records")
        names, secrets = self._columns(target)
        origins = (None, None if target.pairing is None else target.pairing.origin)
        releases = (target.earlier, target.released)
        seen = [
            cells(target.original, table, names, origin)
            for table, origin in zip(releases, origins, strict=True)
        ]
        if not all(seen):
            raise NotApplicable("one of the releases says nothing about what the intruder knows")
        size = max(map(len, releases))
        people, _ = Everybody(target.original, len(target.original)).drawn(
            size, context.generator("people")
        )
        found: dict[str, _Guessed] = {}
        for name in secrets:
            views = [
                Decoded(target.original, table, [name], origin)
                for table, origin in zip(releases, origins, strict=True)
            ]
            if any(view[name].lost for view in views):
                continue
            generator = context.within(name).generator("labels")
            columns = [view.drawn(name, generator) for view in views]
            found[name] = _guess(target.original.column(name), columns, seen, people)
        if not found:
            raise NotApplicable("no confidential column is in both releases")
        worst = max(found, key=lambda name: found[name].gain)
        best = found[worst]
        return Outcome(
            float(best.together.mean()),
            best.blind,
            interval=interval_of_share(best.together),
            certain=float(best.certain.mean()),
            detail={
                "column": worst,
                "alone": [float(alone.mean()) for alone in best.alone],
                "values left": float(np.median(best.left)),
                "people": len(best.together),
                "columns": {
                    name: {"success": float(g.together.mean()),
                           "alone": [float(alone.mean()) for alone in g.alone]}
                    for name, g in found.items()
                },
            },
            note="an earlier release alone gives "
            f"{100 * best.alone[0].mean():.1f} %, this one {100 * best.alone[1].mean():.1f} %",
        )  # fmt: skip

    def _columns(self, target: Target) -> tuple[list[str], list[str]]:
        for name in (*(self.columns or ()), *(self.secrets or ())):
            if name not in target.original.schema:
                there = target.original.schema.names
                raise UsageError(unknown_column(name, there, asked_by=type(self).__name__))
        secrets = list(self.secrets or target.original.having(Role.CONFIDENTIAL))
        names = [
            name
            for name in self.columns or target.original.quasi_identifiers
            if name not in secrets
        ]
        if not secrets:
            raise NotApplicable("no column is confidential")
        if not names:
            raise NotApplicable("no column that is not guessed is a quasi-identifier")
        return names, secrets


@dataclass(frozen=True, eq=False)
class _Guessed:
    """The chance of each person that a value is guessed: by both, by each alone, by nobody."""

    together: Numbers
    alone: tuple[Numbers, Numbers]
    certain: Numbers
    left: Numbers
    blind: float

    @property
    def gain(self) -> float:
        return float(self.together.mean() - max(alone.mean() for alone in self.alone))


def _guess(
    truth: Column, releases: Sequence[Column], seen: Sequence[Sequence[Cells]], people: Rows
) -> _Guessed:
    asked = people[~truth.missing[people]]
    if not len(asked):
        raise NotApplicable("every confidential value of the original is missing")
    codes, own = _shared_codes(truth, releases)
    together, certain, left = (np.zeros(len(asked)) for _ in range(3))
    alone = np.zeros(len(asked)), np.zeros(len(asked))
    blocks = [
        dict(_candidates(columns, asked, len(values), len(truth.values)))
        for columns, values in zip(seen, codes, strict=True)
    ]
    for number, person in enumerate(asked.tolist()):
        shares = []
        for side in (0, 1):
            values = codes[side][blocks[side][number]]
            kinds, counts = np.unique(values[values >= 0], return_counts=True)
            alone[side][number] = _chance(kinds, counts, own[person])
            shares.append((kinds, counts))
        (kinds, first), (others, second) = shares
        both, at, beside = np.intersect1d(kinds, others, return_indices=True)
        if not len(both):
            # The releases say different things; the later one is believed.
            together[number], left[number] = alone[1][number], len(others)
            continue
        together[number] = _chance(both, first[at] * second[beside], own[person])
        left[number] = len(both)
        narrowed = len(both) == 1 < min(len(kinds), len(others))
        certain[number] = narrowed and both[0] == own[person]
    usual = codes[1][codes[1] >= 0]
    likeliest = int(np.bincount(usual).argmax()) if len(usual) else -1
    return _Guessed(together, alone, certain, left, float((own[asked] == likeliest).mean()))


def _chance(kinds: NDArray[Any], weights: NDArray[Any], truth: int) -> float:
    """Return the chance that the likeliest value is the true one; ties are drawn from."""
    if not len(kinds):
        return 0.0
    likeliest = kinds[weights == weights.max()]
    return float((likeliest == truth).any() / len(likeliest))


def _shared_codes(truth: Column, releases: Sequence[Column]) -> tuple[list[Rows], Rows]:
    """Return the values of both releases and of the people as codes that agree; −1 is missing."""
    columns = [*releases, truth]
    if not truth.attribute.continuous:
        codes = [c.values.astype(np.int64) for c in columns]
        return codes[:2], codes[2]
    levels = np.unique(np.concatenate([c.values[~c.missing] for c in columns]))
    codes = [np.where(c.missing, -1, np.searchsorted(levels, c.values)) for c in columns]
    return codes[:2], codes[2]


def _candidates(
    columns: Sequence[Cells], people: Rows, released: int, everybody: int
) -> list[tuple[int, Rows]]:
    """Return for each person the records that he or she could be: the nearest ones."""
    found = []
    for places, apart in distances(columns, people, released, everybody):
        nearest = apart <= apart.min(axis=1, keepdims=True) * (1 + TIE)
        found += [
            (places.start + number, np.flatnonzero(row)) for number, row in enumerate(nearest)
        ]
    return found
