"""Inference: the confidential value of the released record that looks most like a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from discreet.contracts import Context, Outcome, Spec, Target, param
from discreet.measures.linkage.cells import Cells, Rows
from discreet.measures.linkage.look_alikes import look_alikes
from discreet.measures.people import Everybody
from discreet.measures.sampled import for_all, interval_of_share
from discreet.measures.secrets import SecretsAttack, worst_of
from discreet.microdata import Column, Numbers
from discreet.microdata.decoded import Decoded


class Inference(SecretsAttack):
    """Guesses a confidential value from the released records nearest to a person.

    The guess is the most frequent class, or the median, of the nearest records; a number is right
    within a tolerance. What it says about people whom the method never saw can be said about
    anybody; only the rest is due to the release. A blind guess is the one value that is right most
    often. If there are several confidential columns, the one whose success exceeds that most
    counts.

    >>> import discreet, numpy as np
    >>> draw = np.random.default_rng(1)
    >>> data = discreet.read({"age": draw.normal(size=200), "pay": draw.lognormal(size=200)},
    ...                      roles={"age": "quasi-identifier", "pay": "confidential"})
    >>> used, control = data.take(np.arange(100)), data.take(np.arange(100, 200))
    >>> outcome = Inference().attempt(Target(used, used, control=control), Context())
    >>> outcome.success, outcome.control < 0.2
    (1.0, True)
    """

    spec: ClassVar[Spec] = Spec(
        name="inference",
        title="Inference: the value of the most similar record",
        citation="Giomi, Boenisch, Wehmeyer & Tasnádi (2022), A unified framework for quantifying "
        "privacy risk in synthetic data, §4.3",
        missing="equal to another missing value; people whose confidential value is missing are "
        "not asked about",
        random=True,
        formula="share of people with ŝ = s, or |ŝ − s| ≤ τ·|s| for numbers; ŝ the mode or median "
        "of the nearest released records",
        cost="n comparisons for each of up to 2,000 people; fewer people where that is more than "
        "500 million",
    )

    tolerance: float = param(
        default=0.05,
        help="how far a guessed number may be from the true one, as a share of it",
        at_least=0,
        below=1,
    )

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return the share of people whose confidential value is guessed."""
        names, secrets = self.asked_about(target)
        everybody = Everybody.of(target)
        origin = None if target.pairing is None else target.pairing.origin
        columns = everybody.cells(target.released, names, origin)
        view = Decoded(target.original, target.released, secrets, origin)
        inside, outside = everybody.drawn(len(target.released), context.generator("people"))
        secret_of = {
            name: _Secret(
                everybody.table.column(name),
                view.drawn(name, context.within(name).generator("labels")),
                self.tolerance,
            )
            for name in secrets
            if not view[name].lost
        }
        won, others = (
            _guessed(secret_of, columns, people, len(everybody.table))
            for people in (inside, outside)
        )
        z = for_all(len(secrets))
        outcomes = {
            name: Outcome(
                float(won[name].mean()),
                secret.blind(inside),
                interval=interval_of_share(won[name], z),
                control=float(others[name].mean()) if len(others[name]) else None,
                control_interval=interval_of_share(others[name], z) if len(others[name]) else None,
                detail={"people": len(won[name])},
            )
            for name, secret in secret_of.items()
            if len(won[name])
        }
        return worst_of(outcomes)


@dataclass(frozen=True, eq=False)
class _Secret:
    """A confidential column of everybody and of the release, on the same scale."""

    truth: Column
    released: Column
    tolerance: float

    def chance(self, rows: Rows, person: int) -> float:
        """Return the chance that the value of a person is guessed from some released records."""
        values, truth = self.released.values[rows], self.truth.values[person]
        if self.truth.attribute.continuous:
            return float(self._right(np.array([np.median(values)]), np.array([truth]))[0])
        counts = np.bincount(values, minlength=len(self.truth.attribute.categories))
        likeliest = np.flatnonzero(counts == counts.max())
        return float((likeliest == truth).any() / len(likeliest))

    def _right(self, guesses: Numbers, truth: Numbers) -> Numbers:
        return (np.abs(guesses - truth) <= self.tolerance * np.abs(truth) * (1 + 1e-9)).astype(
            np.float64
        )

    def blind(self, people: Rows) -> float:
        """Return how often the value that fits most released records is right."""
        known = self.released.values[~self.released.missing]
        truth = self.truth.values[people[~self.truth.missing[people]]]
        if not len(known) or not len(truth):
            return 0.0
        if not self.truth.attribute.continuous:
            return float((truth == np.bincount(known).argmax()).mean())
        ordered = np.sort(known)
        # A value v is within the tolerance of all s between v/(1 + τ) and v/(1 − τ).
        ends = np.sort([ordered / (1 + self.tolerance), ordered / (1 - self.tolerance)], axis=0)
        slack = 1e-12 * np.abs(ends)
        first = np.searchsorted(ordered, ends[0] - slack[0], "left")
        last = np.searchsorted(ordered, ends[1] + slack[1], "right")
        guess = ordered[int((last - first).argmax())]
        return float(self._right(np.full(len(truth), guess), truth).mean())


def _guessed(
    secrets: Mapping[str, _Secret], columns: Sequence[Cells], people: Rows, everybody: int
) -> dict[str, Numbers]:
    """Return the chance of each person whose value is known, one column after another.

    Columns that the same released records have are looked up together.
    """
    won = {name: np.zeros(len(people)) for name in secrets}
    alike: dict[bytes, list[str]] = {}
    for name, secret in secrets.items():
        alike.setdefault(secret.released.missing.tobytes(), []).append(name)
    for names in alike.values():
        known = np.flatnonzero(~secrets[names[0]].released.missing)
        for nearest in look_alikes(columns, people, known, everybody) if len(known) else ():
            for place, rows in nearest:
                for name in names:
                    won[name][place] = secrets[name].chance(rows, int(people[place]))
    return {name: won[name][~secrets[name].truth.missing[people]] for name in secrets}
