"""Accounting of differential privacy: what all steps together may reveal about one record.

A mechanism M is (ε, δ)-differentially private if P(M(D) ∈ S) ≤ e^ε P(M(D′) ∈ S) + δ for all
neighbouring files D, D′ and all sets S of outcomes (Dwork & Roth, The algorithmic foundations of
differential privacy, 2014, Definition 2.4). What several mechanisms reveal adds up (Theorem 3.16),
and what is computed from their outcomes alone reveals nothing more (Proposition 2.1).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any


class Neighbours(StrEnum):
    """Which files must be hard to distinguish.

    `CHANGE`: two files of the same number of records, of which one record differs; the number of
    records is public. `PRESENCE`: one file has a record that the other lacks.
    """

    CHANGE = "files that differ in one record; the number of records is public"
    PRESENCE = "files of which one has one more record"


class Access(StrEnum):
    """How a step reads the data."""

    MECHANISM = "differentially private mechanism"
    FIXED = "function of each record alone"
    POST_PROCESSING = "post-processing of private outcomes"
    OUTSIDE = "outside the accounting"


@dataclass(frozen=True)
class Spent:
    """What a mechanism may reveal about a record, and the columns whose values are its outcome."""

    epsilon: float
    delta: float
    neighbours: Neighbours
    columns: frozenset[str]


@dataclass(frozen=True)
class Account:
    """One step of a run: how it read the data, why that matters, and what it spent."""

    step: str
    access: Access
    why: str = ""
    spent: Spent | None = None


@dataclass(frozen=True)
class Accounting:
    """What all steps of a run spend, once for each of its copies.

    `private` are the columns that hold outcomes of mechanisms and nothing else. `against` are
    reasons why nothing can be claimed that do not lie in a step.

    >>> spent = Spent(0.5, 0.0, Neighbours.CHANGE, frozenset(["age"]))
    >>> account = Account("step 1", Access.MECHANISM, spent=spent)
    >>> Accounting((account, account), frozenset(["age"]), copies=3).epsilon
    3.0
    """

    accounts: tuple[Account, ...]
    private: frozenset[str] = frozenset()
    copies: int = 1
    against: tuple[str, ...] = ()

    @property
    def spent(self) -> tuple[Spent, ...]:
        """What each mechanism spent."""
        return tuple(account.spent for account in self.accounts if account.spent is not None)

    @property
    def epsilon(self) -> float:
        """The sum of ε over all mechanisms and copies."""
        return self._total([spent.epsilon for spent in self.spent])

    @property
    def delta(self) -> float:
        """The sum of δ over all mechanisms and copies."""
        return self._total([spent.delta for spent in self.spent])

    def _total(self, amounts: Sequence[float]) -> float:
        # In decimals, as a plan states them: three times 0.1 is 0.3.
        return float(self.copies * sum(Decimal(repr(amount)) for amount in amounts))

    @property
    def neighbours(self) -> Neighbours | None:
        """What all mechanisms take for neighbouring files; None if they do not agree."""
        kinds = {spent.neighbours for spent in self.spent}
        return kinds.pop() if len(kinds) == 1 else None

    def objections(self, released: Collection[str]) -> list[str]:
        """Return why differential privacy cannot be claimed for these columns; none if it can."""
        outside = [account.why for account in self.accounts if account.access is Access.OUTSIDE]
        if not self.spent:
            none = "no step is a differentially private mechanism, such as dp-synthesis"
            return outside or [none]
        objections = [*outside, *self.against]
        if self.neighbours is None:
            objections.append(
                "its mechanisms assume different neighbouring files, so what they spend does not "
                "add up; set size_is_public to the same in all of them"
            )
        left = [f"'{name}'" for name in released if name not in self.private]
        if left and not outside:
            objections.append(
                f"{', '.join(left)} would be released without noise; have the mechanism treat "
                "every column, or leave it out with the role identifier"
            )
        return objections

    def plain(self) -> dict[str, Any]:
        """Return the accounting as the manifest and the private record state it.

        All of it follows from the plan, nothing from the data.
        """
        return {
            "epsilon": self.epsilon,
            "delta": self.delta,
            "copies": self.copies,
            "neighbours": None if self.neighbours is None else self.neighbours.value,
            "steps": [
                {
                    "step": account.step,
                    "reads the data as": account.access.value,
                    **(
                        {}
                        if account.spent is None
                        else {"epsilon": account.spent.epsilon, "delta": account.spent.delta}
                    ),
                }
                for account in self.accounts
            ],
        }
