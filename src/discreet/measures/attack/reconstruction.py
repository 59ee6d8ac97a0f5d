"""Reconstruction: the values before noise, swapping or PRAM, by the distribution of the method's
changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from discreet.contracts import (
    Aim,
    Attack,
    Columns,
    Context,
    Findings,
    Imitated,
    Outcome,
    Pairing,
    Spec,
    Target,
    known_pairing,
    param,
)
from discreet.errors import DataError, NotApplicable, UsageError
from discreet.measures.linkage.imitation import imitations
from discreet.measures.sampled import for_all, interval_of_share
from discreet.measures.secrets import given_away_most, same_scale
from discreet.microdata import Microdata, Numbers, Role, unknown_column

NOT_LOOKED_AT = (Role.IDENTIFIER, Role.HOUSEHOLD, Role.WEIGHT)


class Reconstruction(Attack):
    """Estimates the original value of each released cell, as somebody who knows the method can.

    The intruder knows how the method changes values, from its published parameters; here by its own
    runs. Numbers are estimated by the linear Bayes estimator from all released numbers together:
    noise that is not correlated like the columns is removed to a large extent, since the columns
    are about the same person (spectral filtering does the same, direction by direction). Categories
    are estimated by Bayes' rule with the matrix of PRAM. A number is right within a tenth of its
    column's standard deviation.

    The detail has for each column the success of trusting the released values, that of the
    estimate, and the mean squared error before and after in units of the column's variance. The
    column whose estimate exceeds a blind guess most counts.

    >>> import discreet
    >>> draw = np.random.default_rng(1)
    >>> common = draw.normal(size=400)
    >>> data = discreet.read({c: common + draw.normal(0, 0.1, 400) for c in "abcd"},
    ...                      roles=dict.fromkeys("abcd", "quasi-identifier"))
    >>> noise = discreet.AdditiveNoise(alpha=0.5, variant="uncorrelated")
    >>> release = discreet.protect(data, noise, seed=1)
    >>> outcome = Reconstruction().attempt(release.target, Context())
    >>> errors = outcome.detail["columns"]["a"]
    >>> errors["error after"] < 0.5 * errors["error before"]
    True
    """

    aim: ClassVar[Aim] = Aim.INFER
    knows_method: ClassVar[bool] = True
    against_people: ClassVar[bool] = True
    spec: ClassVar[Spec] = Spec(
        name="reconstruction",
        title="Reconstruction of the original values",
        citation="Kargupta, Datta, Wang & Sivakumar (2003), On the privacy preserving properties "
        "of random data perturbation techniques; Huang, Du & Chen (2005), Deriving private "
        "information from randomized data; Gouweleeuw et al. (1998) for PRAM",
        missing="a missing value is not estimated",
        random=True,
        formula="x̂ = μ + Σₓᵧ Σᵧ⁻¹ (y − μᵧ) for numbers; x̂ = argmaxₓ P(y | x) P(x) for categories",
        cost="up to five runs of the method; n·c² time",
    )

    columns: Columns = param(
        default=None, help="the columns to reconstruct; all that the method changed if not given"
    )
    tolerance: float = param(
        default=0.1, help="how far off a number may be, in standard deviations", above=0
    )

    def attack(self, data: Microdata, context: Context) -> Findings:
        """Return what the file gives away as it is: every value."""
        rows = np.arange(len(data))
        pairing = Pairing(rows, imitate=lambda _: Imitated(data, rows))
        try:
            outcome = self.attempt(Target(data, data, pairing), context)
        except NotApplicable as reason:
            raise DataError(f"{self.spec.name} cannot be tried on this file: {reason}") from None
        return Findings(
            {},
            np.full(len(data), outcome.success),
            {},
            detail=dict(outcome.detail),
            note=f"{100 * outcome.success:.1f} % of the values are those of the file itself",
        )

    def attempt(self, target: Target, context: Context) -> Outcome:
        """Return the share of cells that are estimated correctly, in the column at most risk."""
        pairing = known_pairing(target.pairing)
        if not len(target.released):
            raise NotApplicable("the release has no records")
        before = target.original.take(pairing.origin)
        names = self._names(target, before)
        runs = [
            (run.released, target.original.take(run.origin))
            for run in imitations(pairing, len(target.original), context)
            if all(name in run.released.schema for name in names)
        ]
        if not runs:
            raise NotApplicable("what the method does to these columns is not known")
        of_columns: dict[str, dict[str, Any]] = {}
        numbers = [name for name in names if before.schema[name].continuous]
        of_columns |= self._numbers(numbers, before, target.released, runs)
        for name in names:
            if name not in numbers:
                of_columns[name] = _category(name, before, target.released, runs)
        z = for_all(len(of_columns))
        outcomes = {
            name: Outcome(
                figures["success"],
                figures["blind"],
                interval=interval_of_share(figures.pop("right"), z),
                note=f"the released values of '{name}' alone give "
                f"{100 * figures['as released']:.1f} %",
            )
            for name, figures in of_columns.items()
        }
        worst = given_away_most(outcomes, {name: o.blind for name, o in outcomes.items()})
        return replace(outcomes[worst], detail={"column": worst, "columns": of_columns})

    def _names(self, target: Target, before: Microdata) -> list[str]:
        for name in self.columns or ():
            if name not in target.original.schema:
                known = target.original.schema.names
                raise UsageError(unknown_column(name, known, asked_by=type(self).__name__))
        released_names = [
            a.name
            for a in before.schema
            if a.role not in NOT_LOOKED_AT
            and a.name in target.released.schema
            and same_scale(before, target.released, a.name)
        ]
        changed = [
            n for n in released_names if not target.released.column(n).same_as(before.column(n))
        ] or released_names
        names = (
            changed if self.columns is None else [n for n in released_names if n in self.columns]
        )
        if not names:
            raise NotApplicable("no column that the method changed is released on its own scale")
        return names

    def _numbers(
        self,
        names: Sequence[str],
        before: Microdata,
        released: Microdata,
        runs: Sequence[tuple[Microdata, Microdata]],
    ) -> dict[str, dict[str, Any]]:
        if not names:
            return {}
        centres = {n: _centre(before, n) for n in names}
        masked = np.vstack([_filled(table, names, centres) for table, _ in runs])
        truth = np.vstack([_filled(table, names, centres) for _, table in runs])
        weights = np.linalg.lstsq(_with_ones(masked), truth, rcond=None)[0]
        estimate = _with_ones(_filled(released, names, centres)) @ weights
        of_columns = {}
        for at, name in enumerate(names):
            centre, spread = centres[name]
            x, y = ((table[name] - centre) / spread for table in (before, released))
            both_present = ~(np.isnan(x) | np.isnan(y))
            if not both_present.any():
                continue
            x, y, guess = x[both_present], y[both_present], estimate[both_present, at]
            right = (np.abs(guess - x) <= self.tolerance).astype(np.float64)
            of_columns[name] = {
                "success": float(right.mean()),
                "as released": float((np.abs(y - x) <= self.tolerance).mean()),
                "blind": _best_window(x, self.tolerance),
                "error before": float(((y - x) ** 2).mean()),
                "error after": float(((guess - x) ** 2).mean()),
                "right": right,
            }
        return of_columns


def _centre(table: Microdata, name: str) -> tuple[float, float]:
    values = table[name][~table.column(name).missing]
    if not len(values):
        return 0.0, 1.0
    return float(values.mean()), float(values.std()) or 1.0


def _filled(
    table: Microdata, names: Sequence[str], centres: dict[str, tuple[float, float]]
) -> Numbers:
    columns = [(table[name] - centres[name][0]) / centres[name][1] for name in names]
    return np.nan_to_num(np.column_stack(columns))


def _with_ones(values: Numbers) -> Numbers:
    return np.column_stack([np.ones(len(values)), values])


def _best_window(values: Numbers, tolerance: float) -> float:
    """Return the largest share of values within a tolerance of one of them."""
    ordered = np.sort(values)
    within = np.searchsorted(ordered, ordered + tolerance, "right") - np.searchsorted(
        ordered, ordered - tolerance, "left"
    )
    return float(within.max() / len(ordered))


def _category(
    name: str,
    before: Microdata,
    released: Microdata,
    runs: Sequence[tuple[Microdata, Microdata]],
) -> dict[str, Any]:
    width = len(before.schema[name].categories) + 1  # the last is a missing value
    together = np.zeros((width, width))
    for masked, truth in runs:
        np.add.at(together, (masked[name] % width, truth[name] % width), 1.0)
    usual = together.sum(axis=0)
    # A category that no run produced says nothing: the most frequent one is guessed.
    guess = np.where(together.sum(axis=1) > 0, together.argmax(axis=1), usual.argmax())
    x, y = before[name] % width, released[name] % width
    right = (guess[y] == x).astype(np.float64)
    return {
        "success": float(right.mean()),
        "as released": float((x == y).mean()),
        "blind": float(np.bincount(x).max() / max(len(x), 1)),
        "right": right,
    }
