"""Measures whose value is the success of an attack of the registry."""

from __future__ import annotations

from typing import ClassVar

from discreet.contracts import Attack, Columns, Context, Measure, Pairing, Score, Target, param
from discreet.contracts.registry import build
from discreet.errors import NotApplicable
from discreet.microdata import Microdata


class ByAttack(Measure):
    """The share of attempts in which an attack succeeds, beside that without the release.

    `blind` of the score is the success that does not need the release: of a blind guess, or against
    people held back where that is more.
    """

    attack: ClassVar[str]
    needs_control: ClassVar[bool] = False
    """Whether what is due to the release cannot be determined without a control."""

    columns: Columns = param(
        default=None,
        help="the columns that the intruder knows; all quasi-identifiers if not given",
    )

    def score(
        self,
        original: Microdata,
        released: Microdata,
        context: Context,
        pairing: Pairing | None = None,
    ) -> Score:
        """Return the success of the attack."""
        attack = build("attack", {self.attack: self.values()})
        assert isinstance(attack, Attack)
        target = Target(original, released, pairing, context.control)
        outcome = attack.attempt(target, context)
        if outcome.moot:
            raise NotApplicable(outcome.moot)
        controlled = outcome.control is not None or not self.needs_control
        notes = [outcome.note] if outcome.note else []
        if outcome.certain is not None:
            notes.append(f"{100 * outcome.certain:.1f} % for certain")
        if outcome.control is not None:
            notes.append(f"{100 * outcome.control:.1f} % against people held back")
        elif self.needs_control:
            notes.append(
                "how much of it would hold for anyone is not known: hold back a share of the "
                "records to find out (hold_back: 0.1)"
            )
        return Score(
            outcome.success,
            interval=outcome.interval,
            per_record=outcome.per_record,
            detail={
                **outcome.detail,
                "certain": outcome.certain,
                "blind": outcome.blind,
                "control": outcome.control,
                "control interval": outcome.control_interval,
                "excess": outcome.excess if controlled else None,
            },
            note="; ".join(notes),
            parts={
                (name,): figures["success"]
                for name, figures in outcome.detail.get("columns", {}).items()
            },
            column=str(outcome.detail.get("column", "")),
            blind=outcome.without if controlled else None,
        )
