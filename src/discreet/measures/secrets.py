"""Attacks that guess confidential columns of people, and the column that is given away most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Aim, Columns, Outcome, Target, param
from discreet.errors import NotApplicable, UsageError
from discreet.measures.people import PeopleAttack
from discreet.microdata import Microdata, Role, unknown_column

FIGURES = ("success", "blind", "control")


class SecretsAttack(PeopleAttack):
    """An attack that guesses confidential values of people whose other columns are known."""

    aim: ClassVar[Aim] = Aim.INFER

    secrets: Columns = param(
        default=None, help="the columns to guess; all confidential ones if not given"
    )

    def asked_about(self, target: Target) -> tuple[list[str], list[str]]:
        """Return the columns that the intruder knows, and those to guess."""
        for name in self.secrets or ():
            if name not in target.original.schema:
                names = target.original.schema.names
                raise UsageError(unknown_column(name, names, asked_by=type(self).__name__))
        secrets = list(self.secrets or target.original.having(Role.CONFIDENTIAL))
        if not secrets:
            raise NotApplicable("no column is confidential")
        known = [name for name in self.known(target) if name not in secrets]
        if not known:
            raise NotApplicable("the intruder knows no column apart from those to be guessed")
        return known, secrets


def worst_of(outcomes: Mapping[str, Outcome]) -> Outcome:
    """Return the outcome of the column that is given away most, with the figures of all.

    That is the one that the release surely gives away most, by the lower end of its interval.
    If it may be chance for every column, none is named for its luck: the one that is easiest to
    guess for anybody counts.

    >>> outcomes = {"pay": Outcome(0.5, 0.4), "ill": Outcome(0.3, 0.1)}
    >>> worst_of(outcomes).detail["column"]
    'ill'
    """
    if not outcomes:
        raise NotApplicable("the release says nothing about a confidential column")
    worst = given_away_most(outcomes, {name: o.without for name, o in outcomes.items()})
    best = outcomes[worst]
    columns = {n: {word: getattr(o, word) for word in FIGURES} for n, o in outcomes.items()}
    return replace(
        best,
        detail={"column": worst, "columns": columns, **best.detail},
        by={name: outcome.success for name, outcome in outcomes.items()},
    )


def given_away_most(outcomes: Mapping[str, Outcome], without: Mapping[str, float]) -> str:
    """Return the column that is given away most, with certainty, beyond what is known without the
    release.

    >>> given_away_most({"pay": Outcome(0.3, 0.1, (0.05, 0.6)), "ill": Outcome(0.4, 0.4)},
    ...                 {"pay": 0.1, "ill": 0.4})
    'ill'
    """

    def surely(name: str) -> float:
        outcome = outcomes[name]
        low = outcome.interval[0] if outcome.interval else outcome.success
        return max(0.0, low - without[name])

    return max(outcomes, key=lambda name: (surely(name), without[name]))


def same_scale(first: Microdata, second: Microdata, name: str) -> bool:
    """Return whether two tables have a column with the same kind and categories."""
    if name not in first.schema or name not in second.schema:
        return False
    attribute, counterpart = first.schema[name], second.schema[name]
    return (
        attribute.continuous == counterpart.continuous
        and attribute.categories == counterpart.categories
    )


def chance_of(kinds: NDArray[Any], weights: NDArray[Any], truth: int, ruled_out: int = 0) -> float:
    """Return the chance that the likeliest value is the true one; ties are drawn from.

    `kinds` are the values that are possible, with their weights. Of the wrong ones the intruder
    knows that some are not the person's, in the worst case the likeliest.

    >>> kinds, weights = np.array([0, 1, 2]), np.array([5, 3, 3])
    >>> chance_of(kinds, weights, 1), chance_of(kinds, weights, 1, ruled_out=1)
    (0.0, 0.5)
    """
    weight_of_truth = weights[kinds == truth]
    if not len(weight_of_truth) or weight_of_truth[0] <= 0:
        return 0.0
    others = np.sort(weights[kinds != truth])[::-1][ruled_out:]
    if len(others) and others[0] > weight_of_truth[0]:
        return 0.0
    return 1.0 / (1 + int((others == weight_of_truth[0]).sum()))


def per_released(
    won: NDArray[np.float64], people: NDArray[np.int64], target: Target
) -> NDArray[np.float64] | None:
    """Return the chance of each released record if everybody in the file was asked about."""
    if target.pairing is None or len(people) < len(target.original):
        return None
    chances = np.zeros(len(target.original))
    chances[people] = won
    return np.asarray(chances[target.pairing.origin])
