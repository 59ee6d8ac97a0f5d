"""Homogeneity: records that look alike and have the same confidential value, or nearly all do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Context, Outcome, Spec, Target, param
from discreet.errors import NotApplicable
from discreet.measures.linkage.cells import Cells, Rows
from discreet.measures.linkage.look_alikes import look_alikes
from discreet.measures.people import Everybody
from discreet.measures.sampled import for_all, interval_of_share
from discreet.measures.secrets import SecretsAttack, chance_of, per_released, worst_of
from discreet.microdata import Column, Numbers
from discreet.microdata.decoded import Decoded

CURVE = 4
"""The detail has the success for up to this many ruled-out values, less one."""


class Homogeneity(SecretsAttack):
    """Guesses the value that is commonest among the records that a person could be.

    These are the records whose labels contain what is known about the person, or the nearest ones.
    With `ruled_out` of m the intruder knows m values that the person does not have, in the worst
    case the m commonest wrong ones: a class with m + 1 different values is then no better than one
    with a single value. The blind guess is that of somebody without the release who knows as much
    about the person and the shares of the whole file. `certain` is the share of people for whom one
    value is left. Numbers are cut into classes at their quantiles.

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
        help="the number of values that the intruder knows the person does not have",
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
        steps = max(CURVE, self.ruled_out + 1)
        secret_of: dict[str, _Secret] = {}
        for name in secrets:
            if not view[name].lost:
                drawn = view.drawn(name, context.within(name).generator("labels"))
                truth, gaps = everybody.table.column(name), view[name].unknown
                secret_of[name] = _Secret.of(truth, drawn, gaps, self.classes)
        won, others = (
            _guessed(secret_of, columns, people, len(everybody.table), steps, self.ruled_out)
            for people in (inside, outside)
        )
        z = for_all(len(secrets))
        outcomes: dict[str, Outcome] = {}
        for name in secret_of:
            asked, against = won[name], others[name].chances[:, self.ruled_out]
            if not len(asked.people):
                continue
            chances = asked.chances[:, self.ruled_out]
            outcomes[name] = Outcome(
                float(chances.mean()),
                float(asked.blind[:, self.ruled_out].mean()),
                interval=interval_of_share(chances, z),
                certain=float(asked.certain.mean()),
                per_record=per_released(chances, asked.people, target),
                control=float(against.mean()) if len(against) else None,
                control_interval=interval_of_share(against, z) if len(against) else None,
                detail={
                    "people": len(asked.people),
                    "by values ruled out": asked.chances[:, :CURVE].mean(axis=0).tolist(),
                    "blind by values ruled out": asked.blind[:, :CURVE].mean(axis=0).tolist(),
                },
            )
        return worst_of(outcomes)


@dataclass(frozen=True, eq=False)
class _Won:
    """Chances of people by how many values are ruled out, and who is left with one value."""

    people: Rows
    chances: Numbers
    blind: Numbers
    certain: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class _Secret:
    """A confidential column of everybody and of the release as numbers; −1 is missing.

    The value of released records with gaps is not known.
    """

    truth: Rows
    released: Rows
    gaps: NDArray[np.bool_]

    @classmethod
    def of(cls, truth: Column, released: Column, gaps: NDArray[np.bool_], classes: int) -> _Secret:
        if not truth.attribute.continuous:
            return cls(truth.values.astype(np.int64), released.values.astype(np.int64), gaps)
        known = released.values[~released.missing]
        if not len(known):
            raise NotApplicable("the release says nothing about a confidential column")
        shares = np.arange(1, classes) / classes
        edges = np.unique(np.quantile(known, shares, method="inverted_cdf"))
        codes = [
            np.where(column.missing, -1, np.searchsorted(edges, column.values))
            for column in (truth, released)
        ]
        return cls(codes[0], codes[1], gaps)

    @property
    def width(self) -> int:
        """The number of values."""
        return int(max(self.truth.max(initial=0), self.released.max(initial=0))) + 1

    def look(self, rows: Rows, person: int, steps: int, ruled_out: int) -> tuple[list[float], bool]:
        """Return the chance of a person by values ruled out, and whether one value is left."""
        values = self.released[rows]
        counts = np.bincount(values[values >= 0], minlength=1)
        true_value = int(self.truth[person])
        kinds = np.flatnonzero(counts)
        chances = [chance_of(kinds, counts[kinds], true_value, m) for m in range(steps)]
        possible = bool((kinds == true_value).any())
        sure = possible and len(kinds) - 1 <= ruled_out and not self.gaps[rows].any()
        return chances, sure

    def blind(self, people: Rows, steps: int) -> Numbers:
        """Return the chance of each person for somebody who has the shares of the whole file."""
        whole = np.bincount(self.released[self.released >= 0], minlength=self.width)
        kinds = np.arange(len(whole))
        values, place = np.unique(self.truth[people], return_inverse=True)
        table = [[chance_of(kinds, whole, v, m) for m in range(steps)] for v in values.tolist()]
        return np.array(table).reshape(-1, steps)[place.reshape(-1)]


def _guessed(
    secrets: Mapping[str, _Secret],
    columns: Sequence[Cells],
    people: Rows,
    everybody: int,
    steps: int,
    ruled_out: int,
) -> dict[str, _Won]:
    """Return how each person whose value is known fares, one column after another."""
    chances = {name: np.zeros((len(people), steps)) for name in secrets}
    certain = {name: np.zeros(len(people), dtype=bool) for name in secrets}
    records = len(next(iter(secrets.values())).released) if secrets else 0
    for alike in look_alikes(columns, people, records, everybody) if records else ():
        for place, rows in alike:
            for name, secret in secrets.items():
                chances[name][place], certain[name][place] = secret.look(
                    rows, int(people[place]), steps, ruled_out
                )
    won = {}
    for name, secret in secrets.items():
        asked = secret.truth[people] >= 0
        known_people = people[asked]
        won[name] = _Won(
            known_people,
            chances[name][asked],
            secret.blind(known_people, steps),
            certain[name][asked],
        )
    return won
