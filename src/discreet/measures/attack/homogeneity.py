"""Homogeneity: records that look alike and have the same confidential value, or nearly all do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Outcome, Spec, Target, param
from discreet.errors import NotApplicable
from discreet.measures.linkage.cells import Cells, Rows
from discreet.measures.people import Everybody, distances
from discreet.measures.sampled import interval_of_share
from discreet.measures.secrets import SecretsAttack, chance_of, per_released, worst_of
from discreet.microdata import Column, Numbers
from discreet.microdata.decoded import Decoded

CURVE = 4
"""Up to so many values ruled out, less one, the detail says how far the attack gets."""
TIE = 1e-6


class Homogeneity(SecretsAttack):
    """Guesses the value that is commonest among the records that a person could be.

    These are the records whose labels contain what is known about the person, or the nearest ones.
    With `ruled_out` of m the intruder knows of m values that the person does not have them, in the
    worst case the m commonest wrong ones: a class with m + 1 different values is then no better
    than one with a single value. Somebody without the release, who knows as much about the person
    and the shares of the whole file, is the blind guess. `certain` is the share of people of whom
    one value is left. Numbers are cut into classes at their quantiles.

    >>> import discreet
    >>> roles = {"age": "quasi-identifier", "ill": "confidential"}
    >>> people = discreet.read({"age": [31, 38, 44, 47], "ill": ["flu", "gout", "cold", "cold"]},
    ...                        roles=roles)
    >>> release = discreet.read({"age": ["30–39"] * 2 + ["40–49"] * 2,
    ...                          "ill": ["flu", "gout", "cold", "cold"]})
    >>> outcome = Homogeneity().attempt(Target(people, release), Context())
    >>> outcome.success, outcome.certain, outcome.blind
    (0.75, 0.5, 0.5)
    >>> Homogeneity(ruled_out=1).attempt(Target(people, release), Context()).certain
    1.0
    """

    spec: ClassVar[Spec] = Spec(
        name="homogeneity",
        title="Homogeneity: the commonest value of those who look alike",
        citation="Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam (2007), l-Diversity, §2; "
        "Martin, Kifer, Machanavajjhala, Gehrke & Halpern (2007), Worst-case background knowledge "
        "for privacy-preserving data publishing",
        missing="equal to another missing value, of a suppressed one nothing is known; people "
        "whose confidential value is missing are not asked about",
        random=True,
        formula="share of people with n(s) ≥ n(s′) for every s′ that is left, n counted among the "
        "records that a person could be; the m commonest wrong values are ruled out",
        cost="n comparisons for each of up to 2,000 people; fewer people where that is more than "
        "500 million",
    )

    ruled_out: int = param(
        default=0,
        help="of how many values the intruder knows that the person does not have them",
        at_least=0,
    )
    classes: int = param(
        default=10,
        help="number of classes that a continuous column is cut into at its quantiles",
        at_least=2,
    )

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return the share of people whose confidential value is guessed."""
        names, secrets = self.asked_about(target)
        everybody = Everybody.of(target)
        origin = None if target.pairing is None else target.pairing.origin
        columns = everybody.cells(target.released, names, origin)
        view = Decoded(target.original, target.released, secrets, origin)
        inside, outside = everybody.drawn(len(target.released), context.generator("people"))
        outcomes: dict[str, Outcome] = {}
        for name in secrets:
            if view[name].lost:
                continue
            drawn = view.drawn(name, context.within(name).generator("labels"))
            secret = _Secret.of(everybody.table.column(name), drawn, self.classes)
            gaps = view[name].unknown
            asked, others = (rows[secret.truth[rows] >= 0] for rows in (inside, outside))
            if not len(asked):
                continue
            won = secret.guessed(columns, asked, gaps, self.ruled_out)
            held = secret.guessed(columns, others, gaps, self.ruled_out) if len(others) else None
            blind = won.blind[:, self.ruled_out].mean()
            chances = won.chances[:, self.ruled_out]
            against = None if held is None else held.chances[:, self.ruled_out]
            outcomes[name] = Outcome(
                float(chances.mean()),
                float(blind),
                interval=interval_of_share(chances),
                certain=float(won.certain.mean()),
                per_record=per_released(chances, asked, target),
                control=None if against is None else float(against.mean()),
                control_interval=None if against is None else interval_of_share(against),
                detail={
                    "people": len(asked),
                    "by values ruled out": won.chances[:, :CURVE].mean(axis=0).tolist(),
                    "blind by values ruled out": won.blind[:, :CURVE].mean(axis=0).tolist(),
                },
            )
        return worst_of(outcomes)


@dataclass(frozen=True, eq=False)
class _Won:
    """Chances of people by how many values are ruled out, and who is left with one value."""

    chances: Numbers
    blind: Numbers
    certain: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class _Secret:
    """A confidential column of everybody and of the release as numbers; −1 is missing."""

    truth: Rows
    released: Rows

    @classmethod
    def of(cls, truth: Column, released: Column, classes: int) -> _Secret:
        if not truth.attribute.continuous:
            return cls(truth.values.astype(np.int64), released.values.astype(np.int64))
        known = released.values[~released.missing]
        if not len(known):
            raise NotApplicable("the release says nothing about a confidential column")
        shares = np.arange(1, classes) / classes
        edges = np.unique(np.quantile(known, shares, method="inverted_cdf"))
        codes = [
            np.where(column.missing, -1, np.searchsorted(edges, column.values))
            for column in (truth, released)
        ]
        return cls(codes[0], codes[1])

    def guessed(
        self, columns: list[Cells], people: Rows, gaps: NDArray[np.bool_], ruled_out: int
    ) -> _Won:
        """Return how each person fares; of records with gaps the released value is not known."""
        steps = range(max(CURVE, ruled_out + 1))
        width = int(max(self.truth.max(initial=0), self.released.max(initial=0))) + 1
        kinds = np.arange(width)
        whole = np.bincount(self.released[self.released >= 0], minlength=width)
        by_value = np.array([[chance_of(kinds, whole, v, m) for m in steps] for v in range(width)])
        chances = np.zeros((len(people), len(steps)))
        certain = np.zeros(len(people), dtype=bool)
        everybody = len(self.truth)
        for places, apart in distances(columns, people, len(self.released), everybody):
            nearest = apart <= apart.min(axis=1, keepdims=True) * (1 + TIE)
            for number, row in zip(range(places.start, len(people)), nearest, strict=False):
                values = self.released[row]
                counts = np.bincount(values[values >= 0], minlength=width)
                own = int(self.truth[people[number]])
                chances[number] = [chance_of(kinds, counts, own, m) for m in steps]
                here = counts > 0
                left = int(here.sum()) - int(here[own]) <= ruled_out
                certain[number] = here[own] and left and not gaps[row].any()
        return _Won(chances, by_value[self.truth[people]], certain)
