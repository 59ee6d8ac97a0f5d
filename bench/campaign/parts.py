"""What a part of the campaign receives, and what it returns."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from bench.campaign.faults import Kept


@dataclass(frozen=True)
class Task:
    """One batch of work: its seed, where faults are kept, where it may write, what was done.

    `known` are kinds of faults that were found before; `counts` is what all earlier batches did.
    """

    seed: int
    known: frozenset[str]
    root: Path
    folder: Path
    counts: Counter[str]
    size: float = 1.0

    def several(self, number: int) -> int:
        """Return a number of examples, more or less of them in a longer or shorter batch."""
        return max(1, round(number * self.size))


@dataclass
class Batch:
    """What a batch did and found."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[Kept] = field(default_factory=list)
