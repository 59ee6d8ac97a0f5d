"""Earlier releases: what several releases about the same people give away together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from discreet.contracts import Context, Findings, Outcome, Pairing, Spec, Target
from discreet.errors import NotApplicable
from discreet.measures.linkage.cells import Cells, Rows, cells
from discreet.measures.people import Everybody, distances
from discreet.measures.sampled import interval_of_share
from discreet.measures.secrets import SecretsAttack, chance_of
from discreet.microdata import Column, Microdata, Numbers
from discreet.microdata.decoded import Decoded

TIE = 1e-6


class EarlierRelease(SecretsAttack):
    """Guesses confidential values from two or more releases about overlapping people.

    In each release the intruder looks up the records that a person could be: those whose labels
    contain what is known of the person, or the nearest ones. Each of the sets may hide the
    person among others with different values; a value that does not occur in all of them is ruled
    out. What is left is guessed by how often it occurs in each. The detail has the success of each
    release alone, and `certain` is the share of people of whom a single value is left, the right
    one, where no release alone leaves one.

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
        own = None if target.pairing is None else target.pairing.origin
        origins = [*(None for _ in target.earlier), own]
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
        outcomes: dict[str, Outcome] = {}
        for name in secrets:
            views = [
                Decoded(target.original, table, [name], origin)
                for table, origin in zip(releases, origins, strict=True)
            ]
            if any(view[name].lost for view in views):
                continue
            generator = context.within(name).generator("labels")
            columns = [view.drawn(name, generator) for view in views]
            outcomes[name] = _guess(target.original.column(name), columns, seen, people)
        if not outcomes:
            raise NotApplicable("no confidential column is in all releases")
        # What the releases give away together is what counts, beyond the best of them alone.
        worst = max(outcomes, key=lambda n: outcomes[n].success - max(outcomes[n].detail["alone"]))
        best = outcomes[worst]
        *before, now = (f"{100 * alone:.1f} %" for alone in best.detail["alone"])
        return replace(
            best,
            detail={
                "column": worst,
                "columns": {
                    name: {"success": outcome.success, "alone": outcome.detail["alone"]}
                    for name, outcome in outcomes.items()
                },
                **best.detail,
            },
            note=f"an earlier release alone gives {', '.join(before)}, this one {now}",
            by={name: outcome.success for name, outcome in outcomes.items()},
        )


def _guess(
    truth: Column, releases: Sequence[Column], seen: Sequence[Sequence[Cells]], people: Rows
) -> Outcome:
    """Return the chance that the value of a person is guessed: by all releases, by each alone."""
    asked = people[~truth.missing[people]]
    if not len(asked):
        raise NotApplicable("every confidential value of the original is missing")
    codes, own = _shared_codes(truth, releases)
    together, certain, left = (np.zeros(len(asked)) for _ in range(3))
    alone = np.zeros((len(releases), len(asked)))
    blocks = [
        dict(_candidates(columns, asked, len(values), len(truth.values)))
        for columns, values in zip(seen, codes, strict=True)
    ]
    for number, person in enumerate(asked.tolist()):
        shares: list[tuple[Rows, Numbers]] = []
        for side, values in enumerate(codes):
            mine = values[blocks[side][number]]
            kinds, counts = np.unique(mine[mine >= 0], return_counts=True)
            alone[side, number] = chance_of(kinds, counts, own[person])
            shares.append((kinds.astype(np.int64), counts.astype(np.float64)))
        # The releases may say different things; a later one is believed.
        possible, weights = shares[-1]
        narrowed = len(possible) > 1
        for others, times in shares[-2::-1]:
            both, at, beside = np.intersect1d(possible, others, return_indices=True)
            if len(both):
                possible, weights = both, weights[at] * times[beside]
                narrowed = narrowed and len(others) > 1
        together[number] = chance_of(possible, weights, own[person])
        left[number] = len(possible)
        certain[number] = narrowed and len(possible) == 1 and possible[0] == own[person]
    usual = codes[-1][codes[-1] >= 0]
    likeliest = int(np.bincount(usual).argmax()) if len(usual) else -1
    return Outcome(
        float(together.mean()),
        float((own[asked] == likeliest).mean()),
        interval=interval_of_share(together),
        certain=float(certain.mean()),
        detail={
            "alone": alone.mean(axis=1).tolist(),
            "values left": float(np.median(left)),
            "people": len(asked),
        },
    )


def _shared_codes(truth: Column, releases: Sequence[Column]) -> tuple[list[Rows], Rows]:
    """Return the values of all releases and of the people as codes that agree; −1 is missing."""
    columns = [*releases, truth]
    if not truth.attribute.continuous:
        codes = [c.values.astype(np.int64) for c in columns]
        return codes[:-1], codes[-1]
    levels = np.unique(np.concatenate([c.values[~c.missing] for c in columns]))
    codes = [np.where(c.missing, -1, np.searchsorted(levels, c.values)) for c in columns]
    return codes[:-1], codes[-1]


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
