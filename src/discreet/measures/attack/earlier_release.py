"""Earlier releases: what several releases about the same people give away together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from discreet.contracts import Context, Findings, Outcome, Pairing, Spec, Target, Way
from discreet.errors import NotApplicable
from discreet.measures.linkage.cells import Rows, cells
from discreet.measures.linkage.choice_of_way import crossed
from discreet.measures.linkage.look_alikes import look_alikes
from discreet.measures.people import Everybody
from discreet.measures.sampled import for_all, interval_of_share
from discreet.measures.secrets import SecretsAttack, chance_of, given_away_most
from discreet.microdata import Column, Microdata, Numbers
from discreet.microdata.decoded import Decoded


class EarlierRelease(SecretsAttack):
    """Guesses confidential values from two or more releases about overlapping people.

    In each release the intruder looks up the records that a person could be: those whose labels
    contain what is known about the person, or the nearest ones. Each of the sets may hide the
    person among others with different values; a value that does not occur in all of them is ruled
    out. What is left is guessed by how often it occurs in each. Where releases contradict each
    other, one of them is believed, or one is used alone: for each half of the people, whichever is
    best for the other half. The detail has the success of each release alone, and `certain` is the
    share of people for whom a single value is left, the right one, although no release alone leaves
    one.

    >>> import discreet
    >>> roles = {"age": "quasi-identifier", "ill": "confidential"}
    >>> people = discreet.read({"age": [31, 38, 44], "ill": ["flu", "gout", "none"]}, roles=roles)
    >>> first = discreet.read({"age": ["30–39", "30–39", "44"], "ill": ["flu", "gout", "none"]})
    >>> second = discreet.read({"age": ["31", "35–49", "35–49"], "ill": ["flu", "gout", "none"]})
    >>> outcome = EarlierRelease().attempt(Target(people, second, earlier=(first,)), Context())
    >>> outcome.success, [round(alone, 2) for alone in outcome.detail["alone"]]
    (1.0, [0.67, 0.67])
    """

    spec: ClassVar[Spec] = Spec(
        name="earlier-release",
        title="Releases together: values that all leave possible",
        citation="Ganta, Kasiviswanathan & Smith (2008), Composition attacks and auxiliary "
        "information in data privacy",
        missing="equal to another missing value; of a suppressed one nothing is known",
        random=True,
        formula="ŝ = argmax over s of Πᵣ shareᵣ(s), the shares among the records that a person "
        "could be in each release r",
        cost="n comparisons in each release for each of up to 2,000 people; fewer people where "
        "that is more than 500 million",
    )

    def attack(self, data: Microdata, context: Context) -> Findings:
        """Return what two releases of the file as it is would give away."""
        target = Target(data, data, Pairing.same_order(len(data)), earlier=(data,))
        return self.tried(target, context, "from two releases of the file as it is")

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return the share of people whose confidential value all releases together give away."""
        if not target.earlier:
            raise NotApplicable("there is no earlier release to compare with")
        if not all(map(len, (target.original, target.released, *target.earlier))):
            raise NotApplicable("one of the releases has no records")
        names, secrets = self.asked_about(target)
        releases = (*target.earlier, target.released)
        latest_origin = None if target.pairing is None else target.pairing.origin
        origins = [*(None for _ in target.earlier), latest_origin]
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
        guesses = {}
        for name in secrets:
            views = [
                Decoded(target.original, table, [name], origin)
                for table, origin in zip(releases, origins, strict=True)
            ]
            if any(view[name].lost for view in views):
                continue
            generator = context.within(name).generator("labels")
            columns = [view.drawn(name, generator) for view in views]
            guesses[name] = _Guessed.of(target.original.column(name), columns, people)
        everybody = len(target.original)
        sides = [
            look_alikes(c, people, len(table), everybody)
            for c, table in zip(seen, releases, strict=True)
        ]
        for batches in zip(*sides, strict=True):
            for each in zip(*batches, strict=True):
                place, rows = each[0][0], [candidates for _, candidates in each]
                for guessed in guesses.values():
                    guessed.look(place, int(people[place]), rows)
        z = for_all(len(secrets))
        outcomes = {name: guessed.outcome(z) for name, guessed in guesses.items()}
        if not outcomes:
            raise NotApplicable("no confidential column is in all releases")
        # What the releases give away together is what counts, beyond the best of them alone.
        alone = {name: max(o.blind, *o.detail["alone"]) for name, o in outcomes.items()}
        worst = given_away_most(outcomes, alone)
        best = outcomes[worst]
        *before, now = (f"{100 * alone:.1f} %" for alone in best.detail["alone"])
        return replace(
            best,
            detail={
                "column": worst,
                "columns": {
                    name: {
                        "success": outcome.success,
                        "blind": outcome.blind,
                        "alone": outcome.detail["alone"],
                    }
                    for name, outcome in outcomes.items()
                },
                **best.detail,
            },
            note=f"an earlier release alone gives {', '.join(before)}, this one {now}",
            by={name: outcome.success for name, outcome in outcomes.items()},
        )


class _Guessed:
    """How often the value of a person is guessed: by all releases, and by each alone."""

    def __init__(self, codes: list[Rows], true_codes: Rows, people: Rows) -> None:
        self.codes, self.true_codes, self.people = codes, true_codes, people
        self.certain, self.left = (np.zeros(len(people)) for _ in range(2))
        self.together, self.alone = (np.zeros((len(codes), len(people))) for _ in range(2))

    @classmethod
    def of(cls, truth: Column, releases: Sequence[Column], people: Rows) -> _Guessed:
        return cls(*_shared_codes(truth, releases), people)

    def look(self, place: int, person: int, candidates: Sequence[Rows]) -> None:
        """Guess the value of a person, who may be any of the candidates in each release."""
        true_code = int(self.true_codes[person])
        shares: list[tuple[Rows, Numbers]] = []
        for side, values in enumerate(self.codes):
            candidate_values = values[candidates[side]]
            kinds, counts = np.unique(candidate_values[candidate_values >= 0], return_counts=True)
            self.alone[side, place] = chance_of(kinds, counts, true_code)
            shares.append((kinds.astype(np.int64), counts.astype(np.float64)))
        for believed in range(len(shares)):
            possible, weights = _left_by_all(shares, believed)
            self.together[believed, place] = chance_of(possible, weights, true_code)
        # The last one believed is this release.
        self.left[place] = len(possible)
        narrowed = all(len(kinds) > 1 for kinds, _ in shares)
        self.certain[place] = narrowed and len(possible) == 1 and possible[0] == true_code

    def outcome(self, z: float) -> Outcome:
        """Return how well it succeeds for the people whose value is known."""
        asked = np.flatnonzero(self.true_codes[self.people] >= 0)
        if not len(asked):
            raise NotApplicable("every confidential value of the original is missing")
        usual = self.codes[-1][self.codes[-1] >= 0]
        likeliest = int(np.bincount(usual).argmax()) if len(usual) else -1
        ways = [Way(chances[asked]) for chances in (*self.together[::-1], *self.alone)]
        together = crossed(ways).chances
        assert together is not None
        return Outcome(
            float(together.mean()),
            float((self.true_codes[self.people[asked]] == likeliest).mean()),
            interval=interval_of_share(together, z),
            certain=float(self.certain[asked].mean()),
            detail={
                "alone": self.alone[:, asked].mean(axis=1).tolist(),
                "values left": float(np.median(self.left[asked])),
                "people": len(asked),
            },
        )


def _left_by_all(shares: Sequence[tuple[Rows, Numbers]], believed: int) -> tuple[Rows, Numbers]:
    """Return the values that all releases leave possible, and their weights.

    A release that contradicts the one believed, or those before it, is ignored.

    >>> first, second = (np.array([0, 1]), np.array([2, 1])), (np.array([1, 2]), np.array([3, 1]))
    >>> _left_by_all([first, second], 1)
    (array([1]), array([3]))
    """
    possible, weights = shares[believed]
    for others, times in [share for at, share in enumerate(shares) if at != believed][::-1]:
        both, at, beside = np.intersect1d(possible, others, return_indices=True)
        if len(both):
            possible, weights = both, weights[at] * times[beside]
    return possible, weights


def _shared_codes(truth: Column, releases: Sequence[Column]) -> tuple[list[Rows], Rows]:
    """Return the values of all releases and of the people as codes that agree; −1 is missing."""
    columns = [*releases, truth]
    if not truth.attribute.continuous:
        codes = [c.values.astype(np.int64) for c in columns]
        return codes[:-1], codes[-1]
    levels = np.unique(np.concatenate([c.values[~c.missing] for c in columns]))
    codes = [np.where(c.missing, -1, np.searchsorted(levels, c.values)) for c in columns]
    return codes[:-1], codes[-1]
