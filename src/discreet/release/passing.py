"""Passing the gate: a protected table becomes what is released, with claims that were measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from discreet.contracts import Analysis, Claim, Context, Imitated, Masked, Method, paired
from discreet.errors import ClaimError
from discreet.io.frames import settled
from discreet.microdata import Microdata
from discreet.release.accounting import promise_of
from discreet.release.calibrating import calibrated_to
from discreet.release.gate import check_claims, check_promises
from discreet.release.imitation import imitation
from discreet.release.keeping_rules import keep_rules
from discreet.release.notes import unique_weights
from discreet.release.rules import kept_rules


@dataclass(frozen=True, eq=False)
class Passed:
    """What leaves the gate: the table, its claims, and notes on the rules and the table."""

    table: Microdata
    claims: tuple[Claim, ...]
    on_rules: tuple[str, ...]
    on_table: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Passing:
    """What the gate knows about a release: where its records came from, and what is claimed."""

    data: Microdata
    masked: Masked
    origin: NDArray[np.int64]
    in_order: bool
    steps: tuple[Method, ...]
    wished: Sequence[Claim]
    analyses: tuple[Analysis, ...]
    calibrate: Sequence[str]
    context: Context

    def passed(self, table: Microdata, rules: Sequence[str]) -> Passed:
        """Return the table with its rules kept, or, where that would break a claim, without."""
        drawn = self.context.generator("rules")
        repaired, on_rules = keep_rules(self.data, table, self.origin, rules, drawn)
        try:
            checked = self._checked(repaired)
        except ClaimError as error:
            if repaired is table:
                raise
            checked = self._checked(table)
            on_rules = [f"the rules were not enforced, since that would break a claim: {error}"]
        released, claims, on_table = checked
        on_rules += [kept.words for kept in kept_rules(self.data, released, rules) if kept.words]
        return Passed(released, claims, tuple(on_rules), tuple(on_table))

    def _checked(self, table: Microdata) -> tuple[Microdata, tuple[Claim, ...], list[str]]:
        """Return what is released, with claims and notes; raise an error if one is false."""
        on_weights: list[str] = []
        if self.calibrate:
            table, note = calibrated_to(self.data, table, self.calibrate)
            on_weights.append(note)
        table = settled(table)
        imitate = imitation(self.data, self.steps, Imitated(table, self.origin))
        pairing = paired(self.origin, self.masked.groups, self.in_order, imitate, self.steps)
        accounting = self.context.accounting
        by_noise, unmade = ([], []) if accounting is None else promise_of(accounting, table)
        claims = (*self.masked.claims, *by_noise)
        kept, not_made = check_promises(claims, self.data, table, pairing, self.context)
        promised = {(claim.measure, claim.bound, claim.by) for claim in kept}
        stated = [c for c in self.wished if (c.measure, c.bound, c.by) not in promised]
        checked = check_claims(stated, self.data, table, pairing, self.context, self.analyses)
        on_table = [*on_weights, *unique_weights(table), *not_made, *unmade]
        return table, (*kept, *checked), on_table
